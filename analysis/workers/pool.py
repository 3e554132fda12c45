"""Run a function over chunks of work, in processes on this machine or on a cluster."""

import ctypes
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from itertools import chain, islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from maege.analysis.workers import WORKER_ENVIRONMENT
from maege.visible import on_one_line, unfiltered

if TYPE_CHECKING:
    from maege.analysis.workers.cluster import Cluster

SCHEDULER = "MAEGE_SCHEDULER"
# Seconds between two checks that an executor still works, while no chunk finishes.
LOOK_SECONDS = 1.0

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


# No result depends on the choice.
Executor: TypeAlias = "LocalPool | Cluster"


class ChunkError(RuntimeError):
    """A chunk could not be scored; the message says which one and why."""


class ClusterError(ChunkError):
    """The cluster cannot be reached, was lost, or has workers that differ from this machine."""


def chunk_error(name: str, error: BaseException) -> ChunkError:
    return ChunkError(f"{name}: {type(error).__name__}: {error}")


# --- A pool of processes ---
#
# Each process runs worker.py, which imports only the module of the scored function, not the dbt
# program, and ends with this process. One thread per process sends chunks and waits for results.
# Ctrl-C at a terminal also reaches the workers and ends them at once, because dbt runs models in
# threads, which get no other notice of it.


class _DiedError(Exception):
    """A worker ended before it sent its result."""


class _Worker:
    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "maege.analysis.workers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | WORKER_ENVIRONMENT,
        )
        assert self.process.stdin is not None  # noqa: S101 - a pipe
        pickle.dump(sys.path, self.process.stdin)

    def call(self, function: Callable[[Chunk], Any], chunk: Chunk) -> Any:  # noqa: ANN401
        requests, answers = self.process.stdin, self.process.stdout
        assert requests is not None  # noqa: S101 - pipes, both
        assert answers is not None  # noqa: S101
        try:
            pickle.dump(pickle.dumps((function, chunk), pickle.HIGHEST_PROTOCOL), requests)
            requests.flush()
            is_result, answer = pickle.load(answers)  # noqa: S301 - from our own process
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            raise _DiedError from error
        if is_result:
            return answer
        raise answer

    def close(self) -> None:
        try:
            self.process.communicate()
        except BrokenPipeError:
            # A killed process no longer reads its input.
            self.process.wait()


class LocalPool:
    """An executor of processes on this machine, at most two chunks for each."""

    def __init__(self, workers: int) -> None:
        self._workers = [_Worker() for _ in range(workers)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(workers)

    def submit(self, function: Callable[[Chunk], Result], chunk: Chunk) -> "Future[Result]":
        return self._threads.submit(self._ask, function, chunk)

    def most(self) -> int:
        return 2 * len(self._workers)

    def look(self) -> None:
        """Do nothing: a worker that dies is the error of its chunk."""

    def error(self, name: str, error: BaseException) -> ChunkError:
        if not isinstance(error, _DiedError):
            return chunk_error(name, error)
        for worker in self._workers:
            worker.process.kill()
        return ChunkError(
            f"a worker died while computing up to {self.most()} chunks; it was interrupted, "
            "killed, or ran out of memory"
        )

    def close(self) -> None:
        """Drop the chunks that no worker has started, and wait for the others."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def _ask(self, function: Callable[[Chunk], Result], chunk: Chunk) -> Result:
        worker = self._idle.get()
        try:
            result: Result = worker.call(function, chunk)
            return result
        finally:
            self._idle.put(worker)


# --- Run chunks ---


def run_chunks(
    function: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    workers: int,
    handle_result: Callable[[Result], None],
    *,
    scheduler: str | None = None,
    tools: tuple[str, ...] = (),
) -> None:
    """Pass every chunk's result to `handle_result`, in the order in which chunks finish.

    A single chunk is computed in this process. So are all chunks if there is only one worker and no
    cluster. At most two chunks per worker are in memory. Errors name a chunk by its `description`,
    or else by its number.

    Raises:
        ChunkError: the function raised an exception (the cause), a worker died, or the cluster
            cannot be reached or was lost.
    """
    remaining = iter(chunks)
    head = list(islice(remaining, 2))
    named_chunks = (
        (getattr(chunk, "description", f"chunk {number}"), chunk)
        for number, chunk in enumerate(chain(head, remaining), start=1)
    )
    if len(head) < 2 or (workers < 2 and scheduler is None):
        for name, chunk in named_chunks:
            try:
                result = function(chunk)
            except Exception as error:
                raise chunk_error(name, error) from error
            handle_result(result)
        return
    executor: Executor
    if scheduler is None:
        executor = LocalPool(workers)
    else:
        # Imported here because only runs on a cluster need Dask.
        from maege.analysis.workers.cluster import Cluster

        executor = Cluster(scheduler, tools)
    try:
        for result in results_of(executor, function, named_chunks):
            handle_result(result)
    finally:
        executor.close()


def scheduler_of(variable: object) -> str | None:
    """Return the scheduler in dbt's variable, else in MAEGE_SCHEDULER, else None."""
    address = str(variable or "").strip() or os.environ.get(SCHEDULER, "").strip()
    return address or None


def results_of(
    executor: Executor, function: Callable[[Chunk], Result], chunks: Iterable[tuple[str, Chunk]]
) -> Iterator[Result]:
    names: dict[Future[Result], str] = {}
    for name, chunk in chunks:
        names[executor.submit(function, chunk)] = name
        while len(names) >= executor.most():
            yield from _finished(executor, names)
    while names:
        yield from _finished(executor, names)


def _finished(executor: Executor, names: "dict[Future[Result], str]") -> Iterator[Result]:
    finished, _ = wait(names, LOOK_SECONDS, FIRST_COMPLETED)
    if not finished:
        executor.look()
    for future in finished:
        name = names.pop(future)
        error = CancelledError() if future.cancelled() else future.exception()
        if error is not None:
            raise executor.error(name, error) from error
        yield future.result()


def give_back() -> None:
    """Return the free memory of this process to the machine, for workers that start next."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    # Only the GNU C library has this function.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


# --- Show progress: a line rewritten on a terminal; elsewhere a line that names the work ---

_SILENT_SECONDS = 2.0
_TERMINAL_INTERVAL = 0.2
# The time of the first items includes the start, so it does not predict the others.
_FORETELLING_SHARE = 0.05


class Progress:
    """Reports to standard error; silent if the work ends within two seconds."""

    def __init__(self, task: str, total: int) -> None:
        self._task = on_one_line(task)
        self._total = total
        self._done = 0
        self._stream = unfiltered(sys.stderr)
        self._rewrites = self._stream.isatty()
        self._started = time.monotonic()
        self._next_report = self._started + _SILENT_SECONDS
        self._reported: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._reported is not None and self._rewrites:
            if self._reported != self._done:
                self._report()
            self._stream.write("\n")

    def advance(self, n: int) -> None:
        self._done += n
        now = time.monotonic()
        if now >= self._next_report and (self._rewrites or self._reported is None):
            self._report()
            self._next_report = now + _TERMINAL_INTERVAL

    def _report(self) -> None:
        self._reported = self._done
        if not self._rewrites:
            task = f"{self._task[:1].upper()}{self._task[1:]}"
            print(f"{task} ({self._total:,} in total)", file=self._stream, flush=True)
            return
        seconds = max(time.monotonic() - self._started, 1e-9)
        share = self._done / self._total
        line = f"{self._task}: {self._done:,} of {self._total:,} ({share:.0%})"
        if share >= _FORETELLING_SHARE:
            left = (self._total - self._done) * seconds / self._done
            line += f", {self._done / seconds:,.0f} a second, {left:.0f} s left"
        self._stream.write(f"\r{line:<79}")
        self._stream.flush()
