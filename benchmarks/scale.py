"""How time and memory of every model grow with the corpus: CoNLL-2014 some times over.

    python benchmarks/scale.py 1 4 16        # times the size; parts of it, such as 0.25, as well
    python benchmarks/scale.py 1 4 --metrics bleu gleu sari

Each copy of a sentence ends in a word of its own, in source, annotations and outputs, so that no
text of one copy is one of another. Every size is built from nothing with the text metrics alone,
unless others are named, and without tests. Then stands for each model that took a second
anywhere: seconds and rows at each size, and the exponent of time in size between the two largest
(1: linear); for each size the peak memory of the process tree and what DuckDB spilled to disk.
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
from pathlib import Path

import duckdb
from build_speed import REAL_DATA, resident_bytes

REPOSITORY = Path(__file__).resolve().parent.parent
GOLD = "conll14/noalt/official-2014.combined.m2"
OUTPUTS = "conll14/outputs"
TEXT_METRICS = ["bleu", "gleu", "sari", "max_sari", "min_ld", "ld", "green"]
SAMPLE_EVERY = 0.1
SHOWN_FROM = 1.0


@dataclass
class Size:
    """One build: its sentences, seconds and rows by model, and what the whole of it took."""

    sentences: int
    seconds: dict[str, float] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    wall: float = 0
    peak: int = 0
    spilled: int = 0


def write_corpus(data: Path, factor: float, folder: Path) -> int:
    """Write a corpus of that many times CoNLL-2014; return the number of its sentences."""
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


def built(data: Path, factor: float, metrics: list[str]) -> Size:
    """Return what a build of that size took."""
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
        line += ["--vars", json.dumps({"metrics": metrics})]
        started = time.perf_counter()
        with subprocess.Popen(
            [programs / line[0], *line[1:]], cwd=REPOSITORY, env=environment
        ) as process:
            ended = threading.Event()
            watcher = threading.Thread(target=watch, args=(process.pid, warehouse, size, ended))
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
        count_rows(warehouse, size)
    return size


def watch(pid: int, warehouse: Path, size: Size, ended: threading.Event) -> None:
    """Keep the largest memory of a process tree and the largest spill until told to end."""
    spill = warehouse / "build.duckdb.tmp"
    while not ended.wait(SAMPLE_EVERY):
        size.peak = max(size.peak, resident_bytes(pid))
        files = list(spill.glob("*")) if spill.is_dir() else []
        size.spilled = max(size.spilled, sum(f.stat().st_size for f in files if f.exists()))


def count_rows(warehouse: Path, size: Size) -> None:
    """Note the rows of every table."""
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as connection:
        tables = connection.execute(
            "select table_name, estimated_size from duckdb_tables() where schema_name <> 'raw'"
        ).fetchall()
    size.rows = {name: int(rows) for name, rows in tables}


def exponent(sizes: list[Size], model: str) -> float:
    """Return the exponent of time in size between the two largest."""
    small, large = sizes[-2], sizes[-1]
    growth = large.seconds[model] / max(small.seconds[model], 1e-3)
    return math.log(growth) / math.log(large.sentences / small.sentences)


def main() -> None:
    """Build every size, then print the models, the slowest first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("factors", type=float, nargs="*", default=[1, 4, 16])
    parser.add_argument("--metrics", nargs="+", default=TEXT_METRICS)
    parser.add_argument("--data-root", type=Path, default=REAL_DATA)
    options = parser.parse_args()
    sizes: list[Size] = []
    print("sentences   wall s  peak MB  spilled MB")
    for factor in sorted(options.factors):
        sizes.append(built(options.data_root, factor, options.metrics))
        last = sizes[-1]
        memory = f"{last.peak / 1e6:8.0f} {last.spilled / 1e6:11.0f}"
        print(f"{last.sentences:9} {last.wall:8.1f} {memory}", flush=True)
    heads = " ".join(f"{size.sentences:>9} s {'rows':>11}" for size in sizes)
    print(f"\n{'model':<34} {heads}  exponent")
    slowest = sorted(sizes[-1].seconds, key=lambda model: -sizes[-1].seconds[model])
    for model in slowest:
        if max(size.seconds.get(model, 0) for size in sizes) < SHOWN_FROM:
            continue
        cells = " ".join(
            f"{size.seconds.get(model, 0):11.1f} {size.rows.get(model, 0):11,}" for size in sizes
        )
        grown = f"{exponent(sizes, model):9.2f}" if len(sizes) > 1 else ""
        print(f"{model:<34} {cells} {grown}")


if __name__ == "__main__":
    main()
