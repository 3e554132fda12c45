"""A pool of processes for work that threads cannot share.

Measured on 2 cores: a process pool is 1.9 times as fast as one worker, threads gain nothing
(benchmarks/pool_speed.py). Workers are spawned, because DuckDB's threads do not survive a fork,
with `__main__` hidden, so that they import the scored function's module alone and not the dbt
program; and each watches its parent, so that none outlives a killed build. Ctrl-C at a terminal
reaches the workers, too, and ends them at once: dbt runs models in threads, which hear of it in
no other way.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing.connection import wait as wait_for
from types import ModuleType
from typing import TypeVar

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_program_in_use = threading.Lock()


class ChunkError(RuntimeError):
    """A chunk could not be scored; the message says which one and why."""


def run_chunks(
    function: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    workers: int,
    on_result: Callable[[Result], None],
    describe: Callable[[Chunk], str] | None = None,
) -> None:
    """Hand every chunk's result to `on_result`, in the order in which chunks finish.

    With one worker, or a single chunk, everything happens in this process. Never more than two
    chunks a worker are in memory.

    Args:
        function: pure, and defined at the top level of a module that can be imported.
        chunks: consumed as workers get free.
        workers: processes to use.
        on_result: called in this process.
        describe: names a chunk in an error; its number, counted from 1, where this is absent.

    Raises:
        ValueError: the function belongs to the program itself, which workers do not import.
        ChunkError: the function raised an exception (which is the cause), or a worker died.

    """
    remaining = iter(chunks)
    head = list(islice(remaining, 2))
    named = _named(chain(head, remaining), describe)
    if workers < 2 or len(head) < 2:
        for name, chunk in named:
            try:
                result = function(chunk)
            except Exception as error:
                raise _chunk_error(name, error) from error
            on_result(result)
        return
    if function.__module__ == "__main__":
        raise ValueError(
            f"expected a function that workers can import, found {function.__qualname__} of the "
            "program itself; move it to a module"
        )
    executor = ProcessPoolExecutor(
        max_workers=workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare_worker,
    )
    names: dict[Future[Result], str] = {}
    try:
        for name, chunk in named:
            with hidden_program():
                names[executor.submit(function, chunk)] = name
            if len(names) >= 2 * workers:
                _collect(names, on_result)
        while names:
            _collect(names, on_result)
    except BrokenProcessPool as error:
        raise ChunkError(
            f"a worker died while up to {2 * workers} chunks were in hand; it was interrupted, "
            "killed, or ran out of memory"
        ) from error
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _named(
    chunks: Iterable[Chunk], describe: Callable[[Chunk], str] | None
) -> Iterator[tuple[str, Chunk]]:
    for number, chunk in enumerate(chunks, start=1):
        yield (describe(chunk) if describe else f"chunk {number}"), chunk


def _collect(names: dict[Future[Result], str], on_result: Callable[[Result], None]) -> None:
    """Hand over the results of at least one chunk, and forget these chunks."""
    done, _ = wait(names, return_when=FIRST_COMPLETED)
    for future in done:
        name = names.pop(future)
        error = future.exception()
        if error is not None and not isinstance(error, BrokenProcessPool):
            raise _chunk_error(name, error) from error
        on_result(future.result())


def _chunk_error(name: str, error: BaseException) -> ChunkError:
    return ChunkError(f"{name}: {type(error).__name__}: {error}")


def _prepare_worker() -> None:
    """Let Ctrl-C end the worker without a traceback, and the parent's death as well.

    One BLAS thread each: set here, before anything imports NumPy, and not in the parent, whose
    other threads read the environment.
    """
    os.environ.update(dict.fromkeys(_BLAS_THREADS, "1"))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    watch_parent()


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
