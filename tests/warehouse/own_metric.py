"""A user metric: its module of functions, and commands with its metrics.yml."""

import json
from pathlib import Path
from typing import Any

from building import BUILD_WITHOUT_TESTS, FEW_RESAMPLES, run, variables

# Records every call, so that a test can count them.
MODULE = """\
from pathlib import Path

CALLS = Path(__file__).with_name("calls.txt")


def score(hypothesis, references):
    with CALLS.open("a") as calls:
        calls.write(".")
    return -distance(hypothesis, references)


def distance(hypothesis, references):
    words = set(hypothesis.split())
    return -max(len(words & set(text.split())) / max(len(words), 1) for text in references)


def careful(hypothesis):
    if "the" not in hypothesis.split():
        raise ValueError("no article")
    return len(hypothesis)


class Longer:
    # Of two texts of one length it likes what it is shown first.
    reads = ("hypothesis", "other")

    def score_batch(self, hypothesis, other):
        lengths = [(len(one.rstrip()), len(two.rstrip())) for one, two in zip(hypothesis, other)]
        return [(a > b) - (a < b) or 0.25 for a, b in lengths]
"""
READS = {"inputs": ["hypothesis", "references"]}
MINE = {"function": "function_of_warehouse:score", **READS}
WITHOUT_TESTS = BUILD_WITHOUT_TESTS[1:]
# One metric reads the same inputs as a built-in one; each build continues from one with these
# metrics.
LITTLE = variables(
    **FEW_RESAMPLES,
    metrics=["gleu"],
    corpus_draws=4,
    lt_file_tosses=10,
)


def leading_to(*models: str) -> tuple[str, ...]:
    return ("build", "--select", *(f"metric_registry+,+{model}" for model in models))


def declare(folder: Path, **entries: dict[str, Any] | None) -> None:
    """Write these entries to the folder's metrics.yml next to the others; None removes one."""
    path = folder / "metrics.yml"
    metrics = json.loads(path.read_text())["metrics"] if path.exists() else {}
    written = {name: entry for name, entry in (metrics | entries).items() if entry is not None}
    path.write_text(json.dumps({"metrics": written}))


def run_in(folder: Path, program: str, *arguments: str | Path) -> str:
    metrics = str(folder / "metrics.yml")
    little = LITTLE if program == "dbt" else ()
    return run(program, folder / "warehouse", *arguments, *little, MAEGE_METRICS=metrics)
