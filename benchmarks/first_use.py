"""CPU seconds of the first use of each public entry point, with an empty cache of kernels.

    python benchmarks/first_use.py                  # kernels, all metrics of texts, compare
    python benchmarks/first_use.py kernels gleu m2  # some of them

Each entry has a separate process, and separate folders for kernels (NUMBA_CACHE_DIR) and for the
edits that `maege compare` caches (MAEGE_CACHE). Seconds are user and system time of the process and
its children, which depend less on other programs than wall-clock time.
`maege compare` reads AMU and CAMB of CoNLL-2014 in ../shared: cold, then with kernels only, then
with kernels and edits.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

CONLL14 = Path(__file__).resolve().parents[2] / "shared" / "data" / "conll14"
GOLD = CONLL14 / "noalt" / "official-2014.combined.m2"
MAEGE = Path(sys.executable).with_name("maege")

# Kernels with a signature are compiled when their module is imported, others when they are called.
TRUESKILL = """
import numpy as np
from maege.analysis.statistics.judgments import JudgmentCounts
from maege.analysis.statistics.trueskill import trueskill_runs
trueskill_runs(JudgmentCounts(np.array([[0.0, 2], [1, 0]]), np.zeros((2, 2))), 1, 1)
"""
KERNELS = {
    "kernels: m2": "import maege.analysis.metrics.m2_search",
    "kernels: imeasure": "import maege.analysis.metrics.imeasure_alignment",
    "kernels: trueskill": TRUESKILL,
}
ALL_KERNELS = "kernels: all of these"

SCORE = """
import sys
import maege
sources = ["This are a sentence with a errors .", "He go to school yesterday ."]
system = ["This is a sentence with errors .", "He went to the school yesterday ."]
references = [
    ["This is a sentence with an error .", "These are sentences with errors ."],
    ["He went to school yesterday ."],
]
outputs = {"first": system, "second": sources}
maege.score(sys.argv[1], sources, outputs, references, force=True)
"""


def cpu_seconds(command: Sequence[str | Path], folder: str) -> float | None:
    """Return the CPU seconds of a command and its children; None if the command fails."""
    environment = {"NUMBA_CACHE_DIR": f"{folder}/kernels", "MAEGE_CACHE": f"{folder}/edits"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(command, env={**os.environ, **environment}, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def entries() -> Iterator[tuple[str, list[str | Path]]]:
    """Yield the names and commands of all entry points."""
    from maege.analysis.metrics.registry import METRICS

    python = sys.executable
    for name, code in KERNELS.items():
        yield name, [python, "-c", code]
    yield ALL_KERNELS, [python, "-c", "\n".join(KERNELS.values())]
    yield "import maege", [python, "-c", "import maege"]
    yield "maege --help", [MAEGE, "--help"]
    for name, metric in METRICS.items():
        if metric.missing is None and "gold" not in metric.inputs:
            yield name, [python, "-c", SCORE, name]
    systems = [CONLL14 / "outputs" / name for name in ("AMU", "CAMB")]
    yield "compare", [MAEGE, "compare", "--gold", GOLD, "--format", "json", *systems]


def main(prefixes: Sequence[str]) -> None:
    """Print a line for each entry point."""
    print(f"{'entry point':34}{'CPU s':>8}")
    for name, command in entries():
        if prefixes and not any(name.startswith(prefix) for prefix in prefixes):
            continue
        with tempfile.TemporaryDirectory() as folder:
            _print(name, cpu_seconds(command, folder))
            if name == "compare":
                (Path(folder) / "edits").rename(Path(folder) / "first")
                _print("compare with kernels", cpu_seconds(command, folder))
                _print("compare with kernels and edits", cpu_seconds(command, folder))


def _print(name: str, seconds: float | None) -> None:
    print(f"{name:34}" + ("  failed" if seconds is None else f"{seconds:8.2f}"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
