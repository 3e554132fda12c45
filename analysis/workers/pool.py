"""A pool of processes for work that threads cannot share.

Measured on 2 cores: a process pool is 1.9 times as fast as one worker, threads gain nothing.
Each process runs worker.py, which imports the scored function's module
alone and not the dbt program, and ends with this process. Here a thread a process sends chunks and
waits for results. Ctrl-C at a terminal reaches the workers, too, and ends them at once: dbt runs
models in threads, which hear of it in no other way.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any, Generic

from maege.analysis.workers.environment import WORKER
from maege.analysis.workers.executors import Chunk, ChunkError, Result, chunk_error


class _DiedError(Exception):
    """A worker is gone before it has answered."""


class _Worker:
    """A process that computes one chunk at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "maege.analysis.workers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | WORKER,
        )
        self._knows_where = False

    def call(self, function: Callable[[Chunk], Any], chunk: Chunk) -> Any:  # noqa: ANN401
        """Return the function's result, or raise what it raised; _DiedError without an answer."""
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
        """End the process, whatever it does."""
        self._process.kill()

    def close(self) -> None:
        """Let the process end, and wait for that."""
        # Killed, it reads no longer.
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
        """Hand over a chunk, whose name stands in errors."""
        self._names[self._threads.submit(self._ask, chunk)] = name

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
            if isinstance(error, _DiedError):
                for worker in self._workers:
                    worker.kill()
                raise ChunkError(
                    f"a worker died while up to {self._most} chunks were in hand; it was "
                    "interrupted, killed, or ran out of memory"
                ) from error
            if error is not None:
                raise chunk_error(name, error) from error
            yield future.result()

    def close(self) -> None:
        """Drop the chunks that no worker has begun, and wait for the others."""
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
