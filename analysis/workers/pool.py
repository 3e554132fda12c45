"""A pool of processes for work that threads cannot share.

Measured on 2 cores: a process pool is 1.9 times as fast as one worker, threads gain nothing
(benchmarks/pool_speed.py). Workers are spawned, because DuckDB's threads do not survive a fork,
with `__main__` hidden, so that they import the scored function's module alone and not the dbt
program; and each watches its parent, so that none outlives a killed build. Ctrl-C at a terminal
reaches the workers, too, and ends them at once: dbt runs models in threads, which hear of it in
no other way; interrupts.py passes on what reaches dbt alone.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for
from types import ModuleType
from typing import Generic

from analysis.workers.executors import Chunk, ChunkError, Result, chunk_error
from analysis.workers.idle import idle_processes

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# Arrow's own keeps some 35 MB in each worker for its next table.
C_ALLOCATOR = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
_program_in_use = threading.Lock()


class LocalPool(Generic[Chunk, Result]):
    """An executor of processes on this machine, at most two chunks for each."""

    def __init__(self, function: Callable[[Chunk], Result], workers: int) -> None:
        self._function = function
        self._workers = workers
        # Of what spool.Packing packs the rows of: that module would bring pyarrow here.
        self._module = getattr(function, "function", function).__module__
        self._most = 2 * workers
        self._names: dict[Future[Result], str] = {}
        self._has_died = False
        self._started = time.monotonic()
        self._pool = idle_processes.take(workers, self._module) or ProcessPoolExecutor(
            max_workers=workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_prepare_worker,
        )

    def submit(self, name: str, chunk: Chunk) -> None:
        """Hand over a chunk, whose name stands in errors."""
        with self._death_named(), hidden_program():
            self._names[self._pool.submit(self._function, chunk)] = name

    def is_full(self) -> bool:
        """Return whether each worker has one chunk and another waits for it."""
        return self.in_hand() >= self._most

    def in_hand(self) -> int:
        """Return the number of chunks whose results were not collected yet."""
        return len(self._names)

    def collect(self) -> Iterator[Result]:
        """Yield the results of at least one chunk, and forget these chunks."""
        done, _ = wait(self._names, return_when=FIRST_COMPLETED)
        for future in done:
            name = self._names.pop(future)
            error = future.exception()
            if error is not None and not isinstance(error, BrokenProcessPool):
                raise chunk_error(name, error) from error
            with self._death_named():
                result = future.result()
            yield result

    def close(self) -> None:
        """Drop the chunks that no worker has begun, and wait for the others."""
        if self._names or self._has_died:
            self._pool.shutdown(wait=True, cancel_futures=True)
        else:
            used = time.monotonic() - self._started
            idle_processes.give(self._pool, self._workers, self._module, used)

    @contextmanager
    def _death_named(self) -> Iterator[None]:
        try:
            yield
        except BrokenProcessPool as error:
            self._has_died = True
            raise ChunkError(
                f"a worker died while up to {self._most} chunks were in hand; it was interrupted, "
                "killed, or ran out of memory"
            ) from error


def _prepare_worker() -> None:
    """Let Ctrl-C end the worker without a traceback, and the parent's death as well.

    One BLAS thread each and no allocator of Arrow's own: set here, before anything imports NumPy or
    pyarrow, and not in the parent, whose other threads read the environment.
    """
    os.environ.update(dict.fromkeys(BLAS_THREADS, "1") | C_ALLOCATOR)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch_parent()
    # Imported here, because it imports pyarrow, and that NumPy.
    from analysis.workers.without_pandas import spare_pandas

    spare_pandas()


def watch_parent() -> None:
    """End this process with the one that started it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)


@contextmanager
def hidden_program() -> Iterator[None]:
    """Hide `__main__` from a spawned process, only while a worker may start: threads share it."""
    with _program_in_use:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
