"""Time and memory of a whole build: ingest, build from nothing and with nothing to do, report.

Run with `python benchmarks/build_speed.py`, or with `sample` behind it. It builds CoNLL-2014 in a
temporary warehouse where ../shared/data holds the corpus, the sample otherwise. CPU seconds are
those of a command and its descendants. Memory is the largest sum of the resident
sets of a command and its descendants, taken twenty times a second; pages that processes share
count once for each, so the sum is an upper bound.
"""

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

REPOSITORY = Path(__file__).resolve().parent.parent
REAL_DATA = REPOSITORY.parent / "shared" / "data"
SAMPLE_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class Run:
    """Wall and CPU time in seconds, and peak memory in bytes, of one command's process tree."""

    seconds: float
    cpu: float
    peak: int


def measured(command: list[str], environment: dict[str, str]) -> Run:
    """Return what a command took.

    Raises:
        RuntimeError: the command failed; the message ends with its output.

    """
    peak = 0
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
        nonlocal peak
        while not ended.wait(SAMPLE_EVERY):
            peak = max(peak, resident_bytes(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        output, _ = process.communicate()
    finally:
        ended.set()
        watcher.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{output[-2000:]}")
    return Run(time.perf_counter() - started, cpu_of_children() - before, peak)


def cpu_of_children() -> float:
    """Return the CPU seconds of all processes below this one that have ended."""
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


def main() -> None:
    """Print a table of the steps."""
    has_real_data = REAL_DATA.is_dir() and sys.argv[1:] != ["sample"]
    corpus = "corpora/conll14" if has_real_data else "corpora/sample"
    data_root = ["--data-root", str(REAL_DATA)] if has_real_data else []
    programs = Path(sys.executable).parent
    maege, dbt = str(programs / "maege"), str(programs / "dbt")
    with tempfile.TemporaryDirectory() as folder:
        paths = {"DBT_TARGET_PATH": str(Path(folder) / "target"), "DBT_LOG_PATH": folder}
        environment = {**os.environ, **paths, "MAEGE_WAREHOUSE": str(Path(folder) / "warehouse")}
        steps = {
            "ingest": [maege, "ingest", corpus, *data_root],
            "maege build, from nothing": [maege, "build"],
            "maege build, nothing to do": [maege, "build"],
            "dbt build, nothing to do": [
                *(dbt, "--quiet", "build"),
                *("--exclude-resource-type", "unit_test"),
            ],
            "publish": [maege, "publish"],
            "report": [maege, "report", "--out", str(Path(folder) / "report")],
        }
        print(f"{corpus}, {os.cpu_count()} processors")
        print(f"{'':<28}{'seconds':>9}{'CPU s':>9}{'peak MB':>9}")
        for name, command in steps.items():
            run = measured(command, environment)
            took = f"{run.seconds:>9.1f}{run.cpu:>9.1f}{run.peak / 1e6:>9.0f}"
            print(f"{name:<28}{took}", flush=True)


if __name__ == "__main__":
    main()
