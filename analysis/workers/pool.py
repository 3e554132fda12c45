"""Run a function over chunks of work, in processes on this machine or on a cluster."""

import ctypes
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import chain, islice
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from maege.analysis.workers import WORKER_ENVIRONMENT
from maege.visible import on_one_line, unfiltered

# --- The interface of executors: a local pool, or a cluster ---
#
# Both receive named chunks and return results in the order in which chunks finish. No result, cache
# key or fingerprint depends on the choice of executor.

SCHEDULER = "MAEGE_SCHEDULER"

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
TakenChunk = TypeVar("TakenChunk", contravariant=True)
GivenResult = TypeVar("GivenResult", covariant=True)


class ChunkError(RuntimeError):
    """A chunk could not be scored; the message says which one and why."""


class ClusterError(ChunkError):
    """The cluster cannot be reached, was lost, or has workers that differ from this machine."""


class Executor(Protocol[TakenChunk, GivenResult]):
    """Workers, and the chunks that were submitted to them."""

    def submit(self, name: str, chunk: TakenChunk) -> None:
        """Submit a chunk to the workers. Error messages contain its name."""

    def is_full(self) -> bool:
        """Return whether a result has to be collected before the next chunk is submitted."""

    def in_hand(self) -> int:
        """Return the number of chunks whose results were not collected yet."""

    def collect(self) -> Iterable[GivenResult]:
        """Wait for at least one chunk, and return the results of those that are finished.

        Raises ChunkError if a chunk failed or no worker is left to compute it.
        """

    def close(self) -> None:
        """Cancel the unfinished chunks and release the workers."""


def chunk_error(name: str, error: BaseException) -> ChunkError:
    return ChunkError(f"{name}: {type(error).__name__}: {error}")


# --- A pool of processes ---
#
# Measured on 2 cores, a process pool is 1.9 times as fast as one worker, and threads gain nothing.
# Each process runs worker.py, which imports only the module of the scored function, not the dbt
# program, and ends with this process. One thread per process sends chunks and waits for results.
# Ctrl-C at a terminal also reaches the workers and ends them at once, because dbt runs models in
# threads, which get no other notice of it.


class _DiedError(Exception):
    """A worker ended before it sent its result."""


class _Worker:
    """A process that computes one chunk at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "maege.analysis.workers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | WORKER_ENVIRONMENT,
        )
        self._knows_where = False

    def call(self, function: Callable[[Chunk], Any], chunk: Chunk) -> Any:  # noqa: ANN401
        """Return the function's result or raise its exception; _DiedError without a result."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None  # noqa: S101 - pipes, both
        assert answers is not None  # noqa: S101
        try:
            if not self._knows_where:
                pickle.dump(sys.path, requests)
                self._knows_where = True
            pickle.dump(pickle.dumps((function, chunk), pickle.HIGHEST_PROTOCOL), requests)
            requests.flush()
            is_result, answer = pickle.load(answers)  # noqa: S301 - from our own process
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            raise _DiedError from error
        if is_result:
            return answer
        raise answer

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """Let the process finish, and wait for its end."""
        # A killed process no longer reads its input.
        try:
            self._process.communicate()
        except BrokenPipeError:
            self._process.wait()


class LocalPool(Generic[Chunk, Result]):
    """An executor of processes on this machine, at most two chunks for each."""

    def __init__(self, function: Callable[[Chunk], Result], workers: int) -> None:
        self._function = function
        self._most = 2 * workers
        self._names: dict[Future[Result], str] = {}
        self._workers = [_Worker() for _ in range(workers)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(workers)

    def submit(self, name: str, chunk: Chunk) -> None:
        self._names[self._threads.submit(self._ask, chunk)] = name

    def is_full(self) -> bool:
        return self.in_hand() >= self._most

    def in_hand(self) -> int:
        return len(self._names)

    def collect(self) -> Iterator[Result]:
        finished, _ = wait(self._names, return_when=FIRST_COMPLETED)
        for future in finished:
            name = self._names.pop(future)
            error = future.exception()
            if isinstance(error, _DiedError):
                for worker in self._workers:
                    worker.kill()
                raise ChunkError(
                    f"a worker died while computing up to {self._most} chunks; it was "
                    "interrupted, killed, or ran out of memory"
                ) from error
            if error is not None:
                raise chunk_error(name, error) from error
            yield future.result()

    def close(self) -> None:
        """Drop the chunks that no worker has started, and wait for the others."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def _ask(self, chunk: Chunk) -> Result:
        worker = self._idle.get()
        try:
            result: Result = worker.call(self._function, chunk)
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

    Args:
        function: a pure function at the top level of a module that can be imported.
        chunks: read when workers become free.
        workers: number of processes without a cluster.
        handle_result: called in this process.

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
    executor = _executor(function, workers, scheduler, tools)
    try:
        for name, chunk in named_chunks:
            executor.submit(name, chunk)
            while executor.is_full():
                _collect(executor, handle_result)
        while executor.in_hand():
            _collect(executor, handle_result)
    finally:
        executor.close()


def scheduler_of(variable: object) -> str | None:
    """Return the scheduler in dbt's variable, else in MAEGE_SCHEDULER, else None."""
    address = str(variable or "").strip() or os.environ.get(SCHEDULER, "").strip()
    return address or None


def _executor(
    function: Callable[[Chunk], Result],
    workers: int,
    scheduler: str | None,
    tools: tuple[str, ...],
) -> Executor[Chunk, Result]:
    if scheduler is None:
        return LocalPool(function, workers)
    # Imported here because only runs on a cluster need Dask.
    from maege.analysis.workers.cluster import Cluster

    return Cluster(function, scheduler, tools)


def _collect(executor: Executor[Chunk, Result], handle_result: Callable[[Result], None]) -> None:
    for result in executor.collect():
        handle_result(result)


def give_back() -> None:
    """Return the free memory of this process to the machine, for other processes.

    Allocators keep freed memory for later requests: hundreds of megabytes after a large table. The
    workers that start next need this memory.
    """
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._reported is not None and self._rewrites:
            if self._reported != self._done:
                self._report()
            self._stream.write("\n")

    def advance(self, n: int) -> None:
        """Count `n` more finished items, and report if a report is due."""
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
