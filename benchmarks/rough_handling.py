"""Test that a warehouse survives killed builds, a full disk, and readers during publications.

Run with `python benchmarks/rough_handling.py [--kills 30] [--publishes 20] [--seed 1]`. It takes
about ten minutes in temporary folders, and exits with 1 if data were lost. The sample is first
built without disturbance, and then:

- it is built again from scratch by builds that are killed with -9 at random times, followed by one
  complete build. Every mart must equal the undisturbed one, and `maege doctor --deep` must find
  no fault;
- it is built on a disk with too little space (Linux only, as root, to mount the disk), and again
  with enough space. The failed build must print the reason, and the marts must be equal;
- it is published repeatedly while a reader runs queries. Every result must be complete.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAMS = Path(sys.executable).parent
BUILD = ("build", "--quiet", "--exclude-resource-type", "unit_test")
# A build of the sample needs about 150 MB, so the first size is too small.
SMALL_DISK, LARGE_DISK = "48m", "2g"
# Marts that say when something was done.
DATED = {"corpora", "corpus_files"}


def main() -> None:
    """Run the tests and print their results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--publishes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        undisturbed = Path(folder) / "undisturbed"
        seconds = timed(lambda: built(undisturbed))
        print(f"undisturbed: {seconds:.0f} s, {len(marts(undisturbed))} marts", flush=True)
        wanted = marts(undisturbed)
        found = [
            killed(
                Path(folder) / "killed",
                asked.kills,
                seconds,
                np.random.default_rng(asked.seed),
                wanted,
            ),
            full_disk(Path(folder) / "disk", wanted),
            published(undisturbed, asked.publishes),
        ]
    sys.exit(not all(found))


def killed(
    folder: Path, kills: int, seconds: float, chance: np.random.Generator, wanted: dict[str, str]
) -> bool:
    """Build from scratch with killed builds; return whether the marts equal the undisturbed ones.

    A build that finishes before it is killed does not count: the next one starts from scratch.
    """
    number, warehouses, equal = 0, 0, True
    while number < kills:
        warehouses += 1
        warehouse = folder / str(warehouses)
        ingest(warehouse)
        while number < kills:
            delay = chance.uniform(2, max(8, seconds / 2))
            if not is_killed(warehouse, delay):
                break
            number += 1
            print(f"  killed {number} of {kills} after {delay:.1f} s", flush=True)
        run("dbt", warehouse, *BUILD)
        equal &= same(f"warehouse {warehouses}, after {number} kills", warehouse, wanted)
    return equal


def is_killed(warehouse: Path, delay: float) -> bool:
    """Build, and kill dbt with all its processes after some seconds; return whether that hit."""
    process = subprocess.Popen(
        [PROGRAMS / "dbt", *BUILD, *paths(warehouse)],
        cwd=REPOSITORY,
        env=environment(warehouse),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    kill = threading.Timer(delay, lambda: os.killpg(process.pid, signal.SIGKILL))
    kill.start()
    process.wait()
    kill.cancel()
    return process.returncode == -signal.SIGKILL


def full_disk(warehouse: Path, wanted: dict[str, str]) -> bool:
    """Build on a full disk, then with space; return whether the cause was printed."""
    if os.geteuid() != 0 or sys.platform != "linux":
        print("full disk: left out, only root on Linux may mount a small one")
        return True
    warehouse.mkdir()
    with mounted(warehouse, SMALL_DISK):
        ingest(warehouse)
        failed = attempt("dbt", warehouse, *BUILD)
        said = [line for line in failed.stdout.splitlines() if "space" in line.lower()]
        print(f"full disk: ended with {failed.returncode}, said {said[0].strip() if said else '-'}")
        subprocess.run(["mount", "-o", f"remount,size={LARGE_DISK}", warehouse], check=True)
        run("dbt", warehouse, *BUILD)
        equal = same("after a full disk", warehouse, wanted)
    return equal and failed.returncode != 0 and bool(said)


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[None]:
    """Mount a memory disk of this size at the folder."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def published(warehouse: Path, publishes: int) -> bool:
    """Publish while a reader runs queries; return whether each result was complete."""
    run("maege", warehouse, "publish")
    wanted = answer(warehouse)
    answers: list[int] = []
    wrong: list[str] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            try:
                found = answer(warehouse)
            except duckdb.Error as error:
                wrong.append(str(error))
            else:
                answers.append(found)
                if found != wanted:
                    wrong.append(f"{found} rows instead of {wanted}")

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(publishes):
        run("maege", warehouse, "publish")
    ended.set()
    reader.join()
    print(f"{publishes} publishes: {len(answers)} answers, {len(wrong)} wrong {wrong[:1]}")
    return bool(answers) and not wrong


def answer(warehouse: Path) -> int:
    """Return the number of rows of a mart with a new connection."""
    with duckdb.connect(warehouse / "marts.duckdb", read_only=True) as opened:
        (rows,) = opened.execute("select count(*) from node_scores").fetchall()
    return int(rows[0])


def same(when: str, warehouse: Path, wanted: dict[str, str]) -> bool:
    """Return whether the marts equal those of the undisturbed build; print those that differ."""
    found = marts(warehouse)
    different = sorted(name for name in wanted if found.get(name) != wanted[name])
    said = f"differ: {', '.join(different)}" if different else f"all {len(wanted)} marts equal"
    print(f"{when}: {said}", flush=True)
    return not different


def marts(warehouse: Path) -> dict[str, str]:
    """Return a hash of the rows of every mart, independent of their order."""
    with duckdb.connect(warehouse / "build.duckdb", read_only=True) as opened:
        names = opened.execute(
            "select table_name from duckdb_tables() where schema_name = 'marts' order by 1"
        ).fetchall()
        return {
            name: str(
                opened.execute(
                    f"select count(*), sum(hash(t::varchar)::hugeint) from marts.{name} as t"  # noqa: S608
                ).fetchone()
            )
            for (name,) in names
            if name not in DATED
        }


def built(warehouse: Path) -> None:
    """Ingest the sample and build it."""
    ingest(warehouse)
    run("dbt", warehouse, *BUILD)


def ingest(warehouse: Path) -> None:
    """Ingest the sample."""
    run("maege", warehouse, "ingest", "corpora/sample")


def timed(work: Callable[[], None]) -> float:
    """Return the seconds that the work took."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def run(program: str, warehouse: Path, *arguments: str) -> None:
    """Run a command that must succeed."""
    done = attempt(program, warehouse, *arguments)
    if done.returncode:
        raise RuntimeError(f"{program} {' '.join(arguments)} failed:\n{done.stdout[-2000:]}")


def attempt(program: str, warehouse: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Return how a command ended."""
    more = paths(warehouse) if program == "dbt" else []
    return subprocess.run(
        [PROGRAMS / program, *arguments, *more],
        cwd=REPOSITORY,
        env=environment(warehouse),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def paths(warehouse: Path) -> list[str]:
    """Return dbt's options for its output folders, outside of the warehouse with the full disk."""
    target = f"{warehouse}.dbt"
    return ["--target-path", target, "--log-path", target]


def environment(warehouse: Path) -> dict[str, str]:
    """Return the environment of a command on the warehouse, which finds no LanguageTool."""
    nowhere = os.devnull
    return {
        **os.environ,
        "MAEGE_WAREHOUSE": str(warehouse),
        "LANGUAGETOOL_HOME": nowhere,
        "LANGUAGETOOL_URL": "",
        "XDG_CACHE_HOME": nowhere,
    }


if __name__ == "__main__":
    main()
