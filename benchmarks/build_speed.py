"""Time and memory of a whole build: ingest, cold `dbt build`, warm `dbt build`, publish, report.

Run with `python benchmarks/build_speed.py`. It builds CoNLL-2014 in a temporary warehouse where
../shared/data holds the corpus, the sample otherwise. Memory is the largest sum of the resident
sets of a command and its descendants, taken twenty times a second; pages that processes share
count once for each, so the sum is an upper bound.
"""

import os
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
    """Wall time in seconds, and peak memory of the process tree in bytes, of one command."""

    seconds: float
    peak: int


def measured(command: list[str], environment: dict[str, str]) -> Run:
    """Return what a command took.

    Raises:
        RuntimeError: the command failed; the message ends with its output.

    """
    peak = 0
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
    return Run(time.perf_counter() - started, peak)


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
    """Print a table of the five steps, and the ratio of the warm build to the cold one."""
    has_real_data = REAL_DATA.is_dir()
    corpus = "corpora/conll14" if has_real_data else "corpora/sample"
    data_root = ["--data-root", str(REAL_DATA)] if has_real_data else []
    programs = Path(sys.executable).parent
    maege, dbt = str(programs / "maege"), str(programs / "dbt")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MAEGE_WAREHOUSE": str(Path(folder) / "warehouse")}
        paths = ["--target-path", str(Path(folder) / "target"), "--log-path", folder]
        build = [dbt, "--quiet", "build", *paths]
        steps = {
            "ingest": [maege, "ingest", corpus, *data_root],
            "dbt build, cold": build,
            "dbt build, warm": build,
            "publish": [maege, "publish"],
            "report": [maege, "report", "--out", str(Path(folder) / "report")],
        }
        runs = {}
        print(f"{corpus}, {os.cpu_count()} processors")
        print(f"{'':<18}{'seconds':>9}{'peak MB':>9}")
        for name, command in steps.items():
            runs[name] = measured(command, environment)
            print(f"{name:<18}{runs[name].seconds:>9.1f}{runs[name].peak / 1e6:>9.0f}", flush=True)
    ratio = runs["dbt build, warm"].seconds / runs["dbt build, cold"].seconds
    print(f"warm / cold       {ratio:>9.2f}")
    print(f"peak of all       {'':>9}{max(run.peak for run in runs.values()) / 1e6:>9.0f}")


if __name__ == "__main__":
    main()
