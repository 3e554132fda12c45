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
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
from build_speed import NO_UNIT_TESTS, REAL_DATA, Look, Run, largest, measured

GOLD = "conll14/noalt/official-2014.combined.m2"
OUTPUTS = "conll14/outputs"
TEXT_METRICS = ["bleu", "gleu", "sari", "max_sari", "min_ld", "ld", "green"]
SHOWN_FROM = 1.0


class Size(NamedTuple):
    """One build: its sentences, and seconds, largest bytes and rows by model."""

    sentences: int
    run: Run
    seconds: dict[str, float]
    most: dict[str, tuple[int, int]]
    rows: dict[str, int]


def write_corpus(data: Path, factor: float, folder: Path) -> int:
    """Write a corpus with a multiple of CoNLL-2014; return the number of its sentences."""
    blocks = (data / GOLD).read_text(encoding="utf-8").strip().split("\n\n")
    n_sentences = round(factor * len(blocks))
    gold = []
    for number in range(n_sentences):
        source, _, edits = blocks[number % len(blocks)].partition("\n")
        gold.append(f"{source} w{number}\n{edits}\n".replace("\n\n", "\n"))
    (folder / "gold.m2").write_text("\n".join(gold) + "\n", encoding="utf-8")
    systems = {}
    for path in sorted((data / OUTPUTS).iterdir()):
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) != len(blocks):
            continue
        texts = (f"{lines[n % len(lines)]} w{n}" for n in range(n_sentences))
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


def built(data: Path, factor: float, metrics: list[str], threads: int) -> Size:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "corpus").mkdir()
        n_sentences = write_corpus(data, factor, folder / "corpus")
        warehouse = folder / "warehouse"
        without = dict.fromkeys(("LANGUAGETOOL_HOME", "XDG_CACHE_HOME"), str(folder / "none"))
        environment = {**os.environ, **without, "LANGUAGETOOL_URL": ""}
        environment["MAEGE_WAREHOUSE"] = str(warehouse)
        programs = Path(sys.executable).parent
        measured([str(programs / "maege"), "ingest", str(folder / "corpus")], environment)
        target = str(folder / "target")
        line = ["build", "--quiet", "--target-path", target, "--log-path", target]
        line += ["--exclude-resource-type", "test", *NO_UNIT_TESTS, "--threads", str(threads)]
        line += ["--vars", json.dumps({"metrics": metrics})]
        run = measured([str(programs / "dbt"), *line], environment)
        results = {
            str(result["unique_id"]).removeprefix("model.maege."): result
            for result in json.loads((folder / "target/run_results.json").read_text())["results"]
            if str(result["unique_id"]).startswith("model.")
        }
        seconds = {model: float(result["execution_time"]) for model, result in results.items()}
        most = {
            model: most_within(run.looks, result["timing"]) for model, result in results.items()
        }
        return Size(n_sentences, run, seconds, most, count_rows(warehouse))


def most_within(looks: list[Look], timing: list[dict[str, str]]) -> tuple[int, int]:
    ends = ("started_at", "completed_at")
    stamps = [datetime.fromisoformat(step[end]).timestamp() for step in timing for end in ends]
    return largest([look for look in looks if min(stamps) <= look.at <= max(stamps)])


def count_rows(warehouse: Path) -> dict[str, int]:
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        tables = connection.execute(
            "select table_name, estimated_size from duckdb_tables() where schema_name <> 'raw'"
        ).fetchall()
    return {name: int(rows) for name, rows in tables}


def exponent(sizes: list[Size], model: str) -> float:
    small, large = sizes[-2], sizes[-1]
    growth = large.seconds[model] / max(small.seconds[model], 1e-3)
    return math.log(growth) / math.log(large.sentences / small.sentences)


def main() -> None:
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
        bytes_used = megabytes(*largest(last.run.looks))
        print(f"{last.sentences:9} {last.run.seconds:8.1f} {bytes_used}", flush=True)
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
