"""What a cluster costs a chunk: Dask's real scheduler, and workers that only sleep.

    python benchmarks/cluster_speed.py                     # 64, 256 and 1024 workers
    python benchmarks/cluster_speed.py --workers 2 --seconds 0

Chunks as large as real ones go through `analysis/workers/cluster.py` to threads that sleep as long
as a chunk takes and answer with a table as large as a real one, which is spooled. Scheduler,
workers and client share this machine's cores, so that the numbers are upper bounds of what a client
with a scheduler on another machine would pay.
"""

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from unittest import mock

from distributed import Client

from maege.analysis.workers import cluster
from maege.analysis.workers.environment import BLAS_THREADS
from maege.analysis.workers.remote import Job
from maege.analysis.workers.run import run_chunks
from maege.analysis.workers.spool import PackedRows, Spool

THREADS_A_PROCESS = 512
START_SECONDS = 120.0


def sleep_and_answer(_: bytes, seconds: float, result_bytes: int) -> PackedRows:
    """Return rows of that size after so many seconds."""
    time.sleep(seconds)
    return PackedRows(1, os.urandom(result_bytes))


def run_beside_others(job: Job) -> object:
    """Return what run_job does, without waiting for its turn in the process."""
    function, chunk = pickle.loads(job.pickled)  # noqa: S301 - our own
    return function(chunk)


@contextmanager
def sleepers(workers: int) -> Iterator[str]:
    """Start a scheduler with so many threads, and give the path of its file."""
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": paths} | dict.fromkeys(BLAS_THREADS, "1")
    dask = [sys.executable, "-m", "dask"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        common = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
        lines = [[*dask, "scheduler", "--port", "0", *common]]
        left = workers
        while left > 0:
            threads = str(min(left, THREADS_A_PROCESS))
            lines.append([*dask, "worker", "--no-nanny", "--nthreads", threads, *common])
            left -= THREADS_A_PROCESS
        started = [
            subprocess.Popen(
                line,
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for line in lines
        ]
        try:
            with Client(scheduler_file=str(file), timeout=START_SECONDS) as client:
                client.wait_for_workers(len(lines) - 1, timeout=START_SECONDS)
            yield str(file)
        finally:
            for process in started:
                process.kill()
                process.wait()


def replayed(scheduler: str, n_chunks: int, options: argparse.Namespace) -> tuple[float, float]:
    """Return wall time and this process' CPU time for so many chunks, connecting included."""
    payload = os.urandom(options.chunk_bytes)
    # Under the name by which workers import it.
    function = import_module("cluster_speed").sleep_and_answer
    work = partial(function, seconds=options.seconds, result_bytes=options.result_bytes)
    work.__module__ = "cluster_speed"
    with tempfile.TemporaryDirectory() as folder:
        spool = Spool(Path(folder))
        wall, cpu = time.perf_counter(), time.process_time()
        chunks = (payload for _ in range(n_chunks))

        def keep(rows: PackedRows) -> None:
            spool.append(rows)

        run_chunks(work, chunks, 2, keep, scheduler=scheduler)
        return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    """Print one line for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--workers", type=int, nargs="+", default=[64, 256, 1024])
    parser.add_argument("--seconds", type=float, default=2.0, help="of sleep for each chunk")
    parser.add_argument("--rounds", type=int, default=4, help="chunks for each worker")
    parser.add_argument("--chunk-bytes", type=int, default=600_000)
    parser.add_argument("--result-bytes", type=int, default=600_000)
    options = parser.parse_args()
    mock.patch.object(cluster, "run_job", import_module("cluster_speed").run_beside_others).start()
    print("workers  chunks   wall s  ideal s  chunks/s  client CPU ms a chunk")
    for workers in options.workers:
        with sleepers(workers) as scheduler:
            n_chunks = options.rounds * workers
            wall, cpu = replayed(scheduler, n_chunks, options)
        print(
            f"{workers:7} {n_chunks:7} {wall:8.1f} {options.rounds * options.seconds:8.1f} "
            f"{n_chunks / wall:9.1f} {1000 * cpu / n_chunks:22.1f}"
        )


if __name__ == "__main__":
    main()
