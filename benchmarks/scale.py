"""Measure how time and memory of every model grow with the size of CoNLL-2014.

    python benchmarks/scale.py 1 4 16        # multiples of the size, or parts such as 0.25
    python benchmarks/scale.py 1 4 --metrics bleu gleu sari
    python benchmarks/scale.py 16 --threads 2    # like `make build`: two models in parallel

Each copy of a sentence ends in a different word, in source, annotations and outputs, so that all
texts are distinct. Every size is built from scratch with text metrics (or --metrics), without tests
and one model at a time, to measure each model alone. The table has each model that took a second
at some size: seconds and rows at each size, peak memory of the process tree and data spilled by
DuckDB at the largest size, and the exponent of time in size between the two largest (1: linear).
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
from build_speed import REAL_DATA, resident_bytes

REPOSITORY = Path(__file__).resolve().parent.parent
GOLD = "conll14/noalt/official-2014.combined.m2"
OUTPUTS = "conll14/outputs"
TEXT_METRICS = ["bleu", "gleu", "sari", "max_sari", "min_ld", "ld", "green"]
# Seconds between two looks at memory.
LOOK_EVERY = 0.1
SHOWN_FROM = 1.0


class Look(NamedTuple):
    """Bytes in memory of the process tree and on disk by DuckDB, at one time."""

    at: float
    resident: int
    spilled: int


@dataclass
class Size:
    """One build: its sentences, seconds, rows and largest bytes by model, and its wall time."""

    sentences: int
    wall: float = 0
    looks: list[Look] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    most: dict[str, tuple[int, int]] = field(default_factory=dict)


def write_corpus(data: Path, factor: float, folder: Path) -> int:
    """Write a corpus with a multiple of CoNLL-2014; return the number of its sentences."""
    blocks = (data / GOLD).read_text(encoding="utf-8").strip().split("\n\n")
    n_sentences = round(factor * len(blocks))
    gold = []
    for number in range(n_sentences):
        source, _, edits = blocks[number % len(blocks)].partition("\n")
        gold.append(f"{source} {mark(number)}\n{edits}\n".replace("\n\n", "\n"))
    (folder / "gold.m2").write_text("\n".join(gold) + "\n", encoding="utf-8")
    systems = {}
    for path in sorted((data / OUTPUTS).iterdir()):
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) != len(blocks):
            continue
        texts = (f"{lines[n % len(lines)]} {mark(n)}" for n in range(n_sentences))
        (folder / f"{path.name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        systems[path.name] = f"{path.name}.txt"
    manifest = {
        "corpus": "scaled",
        "title": f"CoNLL-2014, {factor:g} times",
        "licence": "that of CoNLL-2014",
        "origin": "benchmarks/scale.py",
        "annotations": {"nucle": ["gold.m2"]},
        "references": {"nucle": {"annotations": "nucle"}},
        "systems": systems,
        "lattice": {"paper": {"annotations": "nucle", "references": "nucle"}},
    }
    (folder / "manifest.yml").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    return n_sentences


def mark(number: int) -> str:
    """Return the word that no other sentence has."""
    return f"w{number}"


def built(data: Path, factor: float, metrics: list[str], threads: int) -> Size:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "corpus").mkdir()
        size = Size(write_corpus(data, factor, folder / "corpus"))
        warehouse = folder / "warehouse"
        none = str(folder / "none")
        environment = {
            **os.environ,
            "MAEGE_WAREHOUSE": str(warehouse),
            "LANGUAGETOOL_HOME": none,
            "XDG_CACHE_HOME": none,
            "LANGUAGETOOL_URL": "",
        }
        programs = Path(sys.executable).parent
        ingest = [str(programs / "maege"), "ingest", str(folder / "corpus")]
        subprocess.run(ingest, cwd=REPOSITORY, env=environment, check=True, capture_output=True)
        target = str(folder / "target")
        line = ["dbt", "build", "--quiet", "--target-path", target, "--log-path", target]
        line += ["--exclude-resource-type", "test", "--exclude-resource-type", "unit_test"]
        line += ["--threads", str(threads)]
        line += ["--vars", json.dumps({"metrics": metrics})]
        started = time.perf_counter()
        with subprocess.Popen(
            [programs / line[0], *line[1:]], cwd=REPOSITORY, env=environment
        ) as process:
            ended = threading.Event()
            watcher = threading.Thread(
                target=watch, args=(process.pid, warehouse, size.looks, ended)
            )
            watcher.start()
            process.wait()
            ended.set()
            watcher.join()
        size.wall = time.perf_counter() - started
        if process.returncode:
            raise RuntimeError(f"dbt build of {factor:g} times CoNLL-2014 failed, see above")
        results = json.loads((folder / "target" / "run_results.json").read_text())["results"]
        for result in results:
            kind, _, model = str(result["unique_id"]).partition(".maege.")
            if kind == "model":
                size.seconds[model] = float(result["execution_time"])
                size.most[model] = most_within(size.looks, result["timing"])
        count_rows(warehouse, size)
    return size


def watch(pid: int, warehouse: Path, looks: list[Look], ended: threading.Event) -> None:
    spill = warehouse / "build.duckdb.tmp"
    while not ended.wait(LOOK_EVERY):
        files = list(spill.glob("*")) if spill.is_dir() else []
        spilled = sum(file.stat().st_size for file in files if file.exists())
        looks.append(Look(time.time(), resident_bytes(pid), spilled))


def most_within(looks: list[Look], timing: list[dict[str, str]]) -> tuple[int, int]:
    ends = ("started_at", "completed_at")
    stamps = [datetime.fromisoformat(step[end]).timestamp() for step in timing for end in ends]
    return largest([look for look in looks if min(stamps) <= look.at <= max(stamps)])


def largest(looks: list[Look]) -> tuple[int, int]:
    """Return the largest memory and the largest spill; 0 without measurements."""
    return (
        max((look.resident for look in looks), default=0),
        max((look.spilled for look in looks), default=0),
    )


def count_rows(warehouse: Path, size: Size) -> None:
    """Note the rows of every table."""
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        tables = connection.execute(
            "select table_name, estimated_size from duckdb_tables() where schema_name <> 'raw'"
        ).fetchall()
    size.rows = {name: int(rows) for name, rows in tables}


def exponent(sizes: list[Size], model: str) -> float:
    small, large = sizes[-2], sizes[-1]
    growth = large.seconds[model] / max(small.seconds[model], 1e-3)
    return math.log(growth) / math.log(large.sentences / small.sentences)


def main() -> None:
    """Build every size, then print the models, the slowest first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("factors", type=float, nargs="*", default=[1, 4, 16])
    parser.add_argument("--metrics", nargs="+", default=TEXT_METRICS)
    parser.add_argument("--threads", type=int, default=1, help="models side by side")
    parser.add_argument("--data-root", type=Path, default=REAL_DATA)
    options = parser.parse_args()
    sizes: list[Size] = []
    print("sentences   wall s  peak MB  spilled MB")
    for factor in sorted(options.factors):
        sizes.append(built(options.data_root, factor, options.metrics, options.threads))
        last = sizes[-1]
        print(f"{last.sentences:9} {last.wall:8.1f} {megabytes(*largest(last.looks))}", flush=True)
    heads = " ".join(f"{size.sentences:>9} s {'rows':>11}" for size in sizes)
    print(f"\n{'model':<30} {heads}  peak MB  spilled MB  exponent")
    slowest = sorted(sizes[-1].seconds, key=lambda model: -sizes[-1].seconds[model])
    for model in slowest:
        if max(size.seconds.get(model, 0) for size in sizes) < SHOWN_FROM:
            continue
        cells = " ".join(
            f"{size.seconds.get(model, 0):11.1f} {size.rows.get(model, 0):11,}" for size in sizes
        )
        grown = f"{exponent(sizes, model):9.2f}" if len(sizes) > 1 else ""
        print(f"{model:<30} {cells} {megabytes(*sizes[-1].most[model])} {grown}")


def megabytes(resident: int, spilled: int) -> str:
    return f"{resident / 1e6:8.0f} {spilled / 1e6:11.0f}"


if __name__ == "__main__":
    main()
