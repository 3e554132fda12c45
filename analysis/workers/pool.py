"""A pool of processes for work that threads cannot share.

Measured on 2 cores: a process pool is 1.9 times as fast as one worker, threads gain nothing
(benchmarks/pool_speed.py). DuckDB's threads do not survive a fork: workers are spawned, or forked
by a process that has none (template.py). `__main__` is hidden, so that they import the scored
function's module alone and not the dbt program; and each watches its parent, so that none outlives
a killed build. Ctrl-C at a terminal reaches the workers, too, and ends them at once: dbt runs
models in threads, which hear of it in no other way; interrupts.py passes on what reaches dbt alone.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for
from types import ModuleType
from typing import Generic

from analysis.workers.environment import prepare_imports
from analysis.workers.executors import Chunk, ChunkError, Result, chunk_error
from analysis.workers.template import start_method

_program_in_use = threading.Lock()


class LocalPool(Generic[Chunk, Result]):
    """An executor of processes on this machine, at most two chunks for each."""

    def __init__(self, function: Callable[[Chunk], Result], workers: int) -> None:
        self._function = function
        self._most = 2 * workers
        self._names: dict[Future[Result], str] = {}
        self._pool = ProcessPoolExecutor(
            max_workers=workers,
            mp_context=start_method(),
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
        self._pool.shutdown(wait=True, cancel_futures=True)

    @contextmanager
    def _death_named(self) -> Iterator[None]:
        try:
            yield
        except BrokenProcessPool as error:
            raise ChunkError(
                f"a worker died while up to {self._most} chunks were in hand; it was interrupted, "
                "killed, or ran out of memory"
            ) from error


def _prepare_worker() -> None:
    """Let Ctrl-C end the worker without a traceback, and the parent's death as well.

    The environment is set here, and not in the parent, whose other threads read it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch_parent()
    prepare_imports()


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
