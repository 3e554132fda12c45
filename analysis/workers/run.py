"""Hands chunks to whoever computes them, and their results to whoever keeps them."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from maege.analysis.workers.executors import Chunk, Executor, Result, chunk_error
from maege.analysis.workers.pool import LocalPool


def run_chunks(
    function: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    workers: int,
    on_result: Callable[[Result], None],
    describe: Callable[[Chunk], str] | None = None,
    *,
    scheduler: str | None = None,
    tools: tuple[str, ...] = (),
) -> None:
    """Hand every chunk's result to `on_result`, in the order in which chunks finish.

    A single chunk is computed in this process, and so are all where there is but one worker and no
    cluster. Never more than two chunks a worker are in memory.

    Args:
        function: pure, and defined at the top level of a module that can be imported.
        chunks: consumed as workers get free.
        workers: processes to use, where there is no cluster.
        on_result: called in this process.
        describe: names a chunk in an error; its number, counted from 1, where this is absent.
        scheduler: the address of a cluster's scheduler, or the file that holds it.
        tools: versions of LanguageTool that the function needs where it runs.

    Raises:
        ValueError: the function belongs to the program itself, which workers do not import.
        ChunkError: the function raised an exception (which is the cause), a worker died, or the
            cluster cannot be had, or not any longer.

    """
    remaining = iter(chunks)
    head = list(islice(remaining, 2))
    named = _named(chain(head, remaining), describe)
    if len(head) < 2 or (workers < 2 and scheduler is None):
        for name, chunk in named:
            try:
                result = function(chunk)
            except Exception as error:
                raise chunk_error(name, error) from error
            on_result(result)
        return
    if function.__module__ == "__main__":
        raise ValueError(
            f"expected a function that workers can import, found {function.__qualname__} of the "
            "program itself; move it to a module"
        )
    executor = _executor(function, workers, scheduler, tools)
    try:
        for name, chunk in named:
            executor.submit(name, chunk)
            while executor.is_full():
                _hand_over(executor, on_result)
        while executor.in_hand():
            _hand_over(executor, on_result)
    finally:
        executor.close()


def _executor(
    function: Callable[[Chunk], Result],
    workers: int,
    scheduler: str | None,
    tools: tuple[str, ...],
) -> Executor[Chunk, Result]:
    if scheduler is None:
        return LocalPool(function, workers)
    # Imported here: nobody else needs Dask, or to have it.
    from maege.analysis.workers.cluster import Cluster

    return Cluster(function, scheduler, tools)


def _hand_over(executor: Executor[Chunk, Result], on_result: Callable[[Result], None]) -> None:
    for result in executor.collect():
        on_result(result)


def _named(
    chunks: Iterable[Chunk], describe: Callable[[Chunk], str] | None
) -> Iterator[tuple[str, Chunk]]:
    for number, chunk in enumerate(chunks, start=1):
        yield (describe(chunk) if describe else f"chunk {number}"), chunk
