"""Measure time and memory of builds: first build, no change, a small change, an added system.

Run with `python benchmarks/build_speed.py [sample]`. It builds CoNLL-2014 in a temporary warehouse
if ../shared/data has the corpus, otherwise the sample. CPU seconds are those of a command and its
descendants. Memory is the maximum over time of their summed resident sets, measured twenty times
per second. Pages that processes share count once for each process, so the sum is an upper bound.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
import yaml

REPOSITORY = Path(__file__).resolve().parent.parent
REAL_DATA = REPOSITORY.parent / "shared" / "data"
SAMPLE = "sample"
WATCHED_EVERY = 0.05  # seconds
NO_UNIT_TESTS = ("--exclude-resource-type", "unit_test")


class Look(NamedTuple):
    """Bytes in memory of the process tree and on disk by DuckDB, at one time."""

    at: float
    resident: int
    spilled: int


class Run(NamedTuple):
    """Wall and CPU time in seconds, and memory, of one command's process tree."""

    seconds: float
    cpu: float
    looks: list[Look]


def measured(command: list[str], environment: dict[str, str]) -> Run:
    """Return time and memory of a command; raise RuntimeError with its output if it fails."""
    looks: list[Look] = []
    spill = Path(environment["MAEGE_WAREHOUSE"]) / "build.duckdb.tmp"
    before = cpu_of_children()
    ended = threading.Event()
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )

    def watch() -> None:
        while not ended.wait(WATCHED_EVERY):
            spilled = sum(file.stat().st_size for file in spill.glob("*") if file.exists())
            looks.append(Look(time.time(), resident_bytes(process.pid), spilled))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        output, _ = process.communicate()
    finally:
        ended.set()
        watcher.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{output[-2000:]}")
    return Run(time.perf_counter() - started, cpu_of_children() - before, looks)


def largest(looks: list[Look]) -> tuple[int, int]:
    """Return the largest memory and the largest spill; 0 without measurements."""
    return (
        max((look.resident for look in looks), default=0),
        max((look.spilled for look in looks), default=0),
    )


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def resident_bytes(pid: int) -> int:
    """Return the summed resident sets of a process and its descendants; those that ended are 0."""
    total = 0
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        for process in (parent, *parent.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += process.memory_info().rss
    return total


class Corpus:
    """A copy of a corpus, to change the outputs of a system and to add another system."""

    def __init__(self, name: str, folder: Path) -> None:
        self.path = self.data = folder / name
        shutil.copytree(REPOSITORY / "corpora" / name, self.path)
        if name != SAMPLE:
            self.data = folder / "data"
            shutil.copytree(REAL_DATA / name, self.data / name, copy_function=os.symlink)
        self._manifest = self.path / "manifest.yml"
        self._content = yaml.safe_load(self._manifest.read_text(encoding="utf-8"))
        # The last system has no published edits, which would not fit its changed outputs.
        self._outputs = self.data / list(self._content["systems"].values())[-1]

    def change_a_sentence(self) -> None:
        text = self._outputs.read_text(encoding="utf-8")
        # A link would lead to the real file.
        self._outputs.unlink()
        self._outputs.write_text(f"Really {text}", encoding="utf-8")

    def add_a_system(self) -> None:
        lines = self._outputs.read_text(encoding="utf-8").splitlines()
        more = self._outputs.with_name("more")
        more.write_text("".join(f"Surely {line}\n" for line in lines), encoding="utf-8")
        self._content["systems"]["more"] = str(more.relative_to(self.data))
        self._manifest.write_text(yaml.safe_dump(self._content, sort_keys=False), encoding="utf-8")


def show(steps: dict[str, list[str]], environment: dict[str, str]) -> None:
    for name, command in steps.items():
        run = measured(command, environment)
        megabytes = largest(run.looks)[0] / 1e6
        print(f"{name:<28}{run.seconds:>9.1f}{run.cpu:>9.1f}{megabytes:>9.0f}", flush=True)


def main() -> None:
    name = "conll14" if REAL_DATA.is_dir() and sys.argv[1:] != [SAMPLE] else SAMPLE
    programs = Path(sys.executable).parent
    maege, dbt = str(programs / "maege"), str(programs / "dbt")
    with tempfile.TemporaryDirectory() as folder:
        paths = {"DBT_TARGET_PATH": str(Path(folder) / "target"), "DBT_LOG_PATH": folder}
        environment = {**os.environ, **paths, "MAEGE_WAREHOUSE": str(Path(folder) / "warehouse")}
        corpus = Corpus(name, Path(folder))
        ingest = [maege, "ingest", str(corpus.path), "--data-root", str(corpus.data)]
        build = [maege, "build"]
        print(f"{name}, {os.cpu_count()} processors")
        print(f"{'':<28}{'seconds':>9}{'CPU s':>9}{'peak MB':>9}")
        steps = {
            "ingest": ingest,
            "maege build, from nothing": build,
            "maege build, nothing to do": build,
            "dbt build, nothing to do": [dbt, "--quiet", "build", *NO_UNIT_TESTS],
            "publish": [maege, "publish"],
            "report": [maege, "report", "--out", str(Path(folder) / "report")],
        }
        show(steps, environment)
        corpus.change_a_sentence()
        show({"ingest, a sentence changed": ingest, "maege build of it": build}, environment)
        corpus.add_a_system()
        show({"ingest, a system added": ingest, "maege build with it": build}, environment)


if __name__ == "__main__":
    main()
