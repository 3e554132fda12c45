"""Batches of inputs of similar length for a metric with a set-up, over one or more processes.

Batches are returned as they finish. If the metric as a whole is unavailable, all finished batches
are returned first. Then `Unavailable` is raised, and no input is marked as failed.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

from maege.analysis.metrics.own.functions import Inputs, Scored
from maege.analysis.metrics.own.interface import Unavailable
from maege.analysis.metrics.own.served import Description, Hosting, Server, device_of

# Number of inputs that are sorted together. A batch contains whole sentences, so finished work
# stays in whole sentences, and lengths in a batch are similar.
BATCHES_SORTED = 16
# This many batches without a single score count as an outage, not as faults of their inputs.
MOST_FAILED = 3

Rows = TypeVar("Rows")


class Batch(NamedTuple, Generic[Rows]):
    """Inputs of one call, and their row numbers, as given by the caller."""

    rows: Rows
    inputs: Inputs


def sorted_batches(
    inputs: Inputs, starts: Sequence[int], batch_size: int
) -> Iterator[Batch[list[int]]]:
    """Yield batches whose lengths ascend within a window; rows are counted from 0.

    Args:
        inputs: lists of inputs, by name.
        starts: positions of the first input of each sentence; a window has whole sentences.
        batch_size: maximum number of inputs per batch.
    """
    lengths = [sum(map(_length, row)) for row in zip(*inputs.values(), strict=True)]
    for first, stop in _windows([*starts, len(lengths)], BATCHES_SORTED * batch_size):
        rows = sorted(range(first, stop), key=lengths.__getitem__)
        for start in range(0, len(rows), batch_size):
            batch = rows[start : start + batch_size]
            yield Batch(batch, {name: [of[row] for row in batch] for name, of in inputs.items()})


def score_batches(
    hosting: Hosting, about: Description, batches: Iterable[Batch[Rows]], processes: int
) -> Iterator[tuple[Rows, list[Scored]]]:
    """Yield the rows of each finished batch, with one result per input.

    Args:
        hosting: the class to serve.
        about: the class's description of itself.
        batches: read as processes become free.
        processes: number of scoring processes.

    Raises:
        Unavailable: the metric is unavailable, or every input fails.
    """
    return _without_outages(_finished(hosting, about, batches, processes))


def _finished(
    hosting: Hosting, about: Description, batches: Iterable[Batch[Rows]], processes: int
) -> Iterator[tuple[Rows, list[Scored]]]:
    threads = max(1, (os.cpu_count() or 1) // processes) if processes > 1 else None
    servers = [
        Server(hosting, device_of(about.device, number), threads) for number in range(processes)
    ]
    idle: SimpleQueue[Server] = SimpleQueue()
    for server in servers:
        idle.put(server)

    def score(inputs: Inputs) -> list[Scored]:
        server = idle.get()
        try:
            return server.score(inputs, about.seconds)
        finally:
            idle.put(server)

    pool = ThreadPoolExecutor(processes)
    waiting: dict[Future[list[Scored]], Rows] = {}
    stopped: list[Unavailable] = []

    def collected() -> Iterator[tuple[Rows, list[Scored]]]:
        finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            rows = waiting.pop(future)
            if future.cancelled():
                continue
            try:
                scored = future.result()
            except Unavailable as error:
                stopped.append(error)
                # Wait for running batches, because they may have been paid for.
                for other in waiting:
                    other.cancel()
            else:
                yield rows, scored

    try:
        for batch in batches:
            waiting[pool.submit(score, batch.inputs)] = batch.rows
            while len(waiting) >= 2 * processes:
                yield from collected()
            if stopped:
                break
        while waiting:
            yield from collected()
    finally:
        for server in servers:
            server.close()
        pool.shutdown(wait=False, cancel_futures=True)
    if stopped:
        raise stopped[0]


def _without_outages(
    results: Iterator[tuple[Rows, list[Scored]]],
) -> Iterator[tuple[Rows, list[Scored]]]:
    """Hold back batches in which every input failed, until another batch is scored."""
    failed: list[tuple[Rows, list[Scored]]] = []
    is_scoring = False
    for rows, scored in results:
        if all(result.raised for result in scored):
            failed.append((rows, scored))
            if len(failed) == MOST_FAILED:
                break
        else:
            is_scoring = True
            yield from failed
            failed = []
            yield rows, scored
    n_failed = sum(len(scored) for _, scored in failed)
    if len(failed) == MOST_FAILED or (n_failed > 1 and not is_scoring):
        raise Unavailable(f"all of {n_failed} inputs failed: {failed[-1][1][-1].failure}")
    yield from failed


def _windows(bounds: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Yield parts of at least that size (the last may be smaller), cut at the bounds."""
    first = bounds[0]
    for _, stop in pairwise(bounds):
        if stop - first >= size or (stop == bounds[-1] and stop > first):
            yield first, stop
            first = stop


def _length(value: Any) -> int:  # noqa: ANN401 (a text, or a list of texts)
    return len(value) if isinstance(value, str) else sum(map(len, value))


def n_processes(setting: int | str, workers: int) -> int:
    """Return the number of scoring processes for a build with this number of workers."""
    return workers if setting == "auto" else int(setting)
