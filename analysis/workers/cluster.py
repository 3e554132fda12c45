"""Compute chunks on Dask workers instead of the local pool, on any number of machines.

The results are the same as with the pool. Workers may join and leave. If a worker dies, Dask gives
its chunks to another worker, and each result is returned once. Dask gives up a chunk whose workers
died too often (setting `distributed.scheduler.allowed-failures`). That chunk is tried again alone.
If it fails again, an error names the chunk. A scheduler that cannot be reached or stops answering
is an error within 30 seconds, because Dask's own reconnection would cancel the work anyway.

This module is imported only if a scheduler is set (analysis/workers/remote.py).
"""

import logging
import os
import subprocess
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple

from maege.analysis.languagetool.installation import VERSIONS as LANGUAGETOOL
from maege.analysis.workers.pool import (
    SCHEDULER,
    Chunk,
    ChunkError,
    ClusterError,
    Result,
    chunk_error,
)
from maege.analysis.workers.remote import (
    AddressError,
    Job,
    UnlikeWorkerError,
    Versions,
    checked_address,
    differences,
    expected_versions,
    job_of,
    run_job,
    versions_here,
)

try:
    import dask
    from distributed import Client, KilledWorker, Security
except ModuleNotFoundError as error:
    raise ClusterError(
        f"{SCHEDULER}, or the variable scheduler, names a cluster, but {error.name} is not "
        "installed: pip install 'maege[cluster]', or unset it"
    ) from error

# Together these limits are shorter than the half minute after which a lost scheduler is an error.
CONNECT_SECONDS = 15
ANSWER_SECONDS = 10.0
CLOSE_SECONDS = 3
LOOK_SECONDS = 1.0
# Maximum time without any worker, for example while a batch system has not started them yet.
PATIENCE = "MAEGE_WORKERS_SECONDS"
PATIENCE_SECONDS = 60.0
CHUNKS_A_THREAD = 2
# Part of Dask's message if the scheduler lacks a package.
_UNREADABLE = "deserialization of the task graph"
_KEPT = (
    "Finished chunks are kept in the spool of the warehouse folder: the next build "
    "continues with the other chunks"
)
_REMEDY = (
    f"Start it (docs/cluster.md), correct {SCHEDULER}, or unset it to compute on this machine. "
    f"{_KEPT}."
)


class WorkerState(NamedTuple):
    """A worker, as described by the scheduler and by itself; `unlike` lists its differences."""

    address: str
    name: str
    threads: int
    memory_limit: int
    versions: dict[str, str]
    unlike: list[str]


class _Submitted(NamedTuple):
    name: str
    job: Job
    future: Any


class Cluster(Generic[Chunk, Result]):
    """An executor of Dask's workers, at most two chunks for each of their threads."""

    def __init__(
        self, function: Callable[[Chunk], Result], scheduler: str, tools: tuple[str, ...] = ()
    ) -> None:
        self._function = function
        self._scheduler = scheduler
        self._expected = expected_versions(tools)
        self._in_hand: dict[str, _Submitted] = {}
        self._suspects: deque[_Submitted] = deque()
        self._is_alone = False
        self._finished: SimpleQueue[str] = SimpleQueue()
        self._threads = 0
        self._counted = 0.0
        self._had_workers = time.monotonic()
        self._patience = _patience()
        self._client = connect(scheduler)
        self._terminal = _Terminal()
        try:
            self._look()
            while not self._threads:
                self._terminal.wait(LOOK_SECONDS)
                self._look()
            self._refuse_unlike(tools)
        except BaseException:
            self.close()
            raise

    def submit(self, name: str, chunk: Chunk) -> None:
        """Submit a chunk to the cluster. Error messages contain its name."""
        self._submit(name, job_of(self._function, chunk, self._expected))

    def _submit(self, name: str, job: Job) -> None:
        # A single argument, because Dask would search several for futures.
        future = self._client.submit(run_job, job, pure=False)
        self._in_hand[future.key] = _Submitted(name, job, future)
        future.add_done_callback(lambda done: self._finished.put(done.key))

    def is_full(self) -> bool:
        """Return whether each thread has one chunk and another chunk waits for it.

        Also return True while suspect chunks remain, because each of them is tried alone.
        """
        if time.monotonic() - self._counted > LOOK_SECONDS:
            self._count_threads()
        most = CHUNKS_A_THREAD * max(self._threads, 1)
        return bool(self._suspects) or len(self._in_hand) >= most

    def in_hand(self) -> int:
        """Return the number of chunks whose results were not collected yet."""
        return len(self._in_hand) + len(self._suspects)

    def collect(self) -> list[Result]:
        """Return the results of at least one chunk, and forget these chunks."""
        results: list[Result] = []
        while not results:
            if self._suspects and not self._in_hand:
                suspect = self._suspects.popleft()
                self._submit(suspect.name, suspect.job)
                self._is_alone = True
            try:
                results += self._results(self._finished.get(timeout=LOOK_SECONDS))
            except Empty:
                self._look()
        return results

    def close(self) -> None:
        """Cancel the remaining work, as the scheduler does when no client waits for it."""
        self._in_hand.clear()
        self._suspects.clear()
        self._terminal.close()
        _close(self._client)

    def _results(self, key: str) -> list[Result]:
        """Return the result of a finished chunk, or nothing if the chunk has to be tried alone.

        If a worker dies, Dask blames all of its chunks.
        """
        submitted = self._in_hand[key]
        future = submitted.future
        seconds = ANSWER_SECONDS
        while future.status not in ("error", "cancelled"):
            try:
                result: Result = future.result(timeout=seconds)
            except Exception:  # noqa: BLE001 - the status says whether it was the chunk's
                # The result is still being transferred, or is computed again because its worker is
                # gone.
                if future.status not in ("error", "cancelled"):
                    self._look()
                seconds *= 2
            else:
                del self._in_hand[key]
                self._is_alone = False
                return [result]
        if future.status == "cancelled":
            raise self._lost("the connection was closed")
        error = future.exception()
        if isinstance(error, KilledWorker) and not self._is_alone:
            self._suspects.append(self._in_hand.pop(key))
            return []
        raise self._error(submitted.name, error)

    def _error(self, name: str, error: BaseException) -> ChunkError:
        wrapped: ChunkError
        if isinstance(error, KilledWorker):
            wrapped = ChunkError(
                f"{name}: {error.allowed_failures + 1} workers died while they had this chunk "
                f"alone, the last of them {error.last_worker.address}; the chunk crashes its "
                "worker, needs more memory than a worker has, or the workers were stopped from "
                f"outside (docs/cluster.md). {_KEPT}."
            )
        elif isinstance(error, UnlikeWorkerError):
            wrapped = ClusterError(f"{_unlike_text([str(error)])}. {_KEPT}.")
        elif _UNREADABLE in str(error):
            wrapped = ClusterError(
                f"{self._scheduler}: the scheduler cannot read the chunks "
                f"({type(error.__cause__ or error).__name__}: {error.__cause__ or error}). Install "
                f"the same maege there. {_KEPT}."
            )
        else:
            wrapped = chunk_error(name, error)
        wrapped.__cause__ = error
        return wrapped

    def _look(self) -> None:
        """Raise ClusterError if the user interrupted the run or the cluster stopped answering."""
        if self._terminal.is_interrupted():
            raise ClusterError(f"interrupted; the unfinished chunks were cancelled. {_KEPT}.")
        self._count_threads()
        now = time.monotonic()
        if self._threads:
            self._had_workers = now
        elif now - self._had_workers > self._patience:
            raise ClusterError(
                f"{self._scheduler} has had no worker for {self._patience:.0f} seconds. Start some "
                f"with `dask worker` (docs/cluster.md); {PATIENCE} says how long to wait for them. "
                f"{_KEPT}."
            )

    def _count_threads(self) -> None:
        if self._client.status != "running":
            raise self._lost("the connection was closed")
        try:
            threads = _asked(self._client, self._client.scheduler.ncores)
        except Exception as error:
            raise self._lost(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        self._threads = sum(threads.values())
        self._counted = time.monotonic()

    def _lost(self, reason: str) -> ClusterError:
        return ClusterError(
            f"{self._scheduler}: the scheduler does not answer any longer ({reason}). {_REMEDY}"
        )

    def _refuse_unlike(self, tools: tuple[str, ...]) -> None:
        """Raise ClusterError with all current workers that differ from this machine."""
        unlike = [
            f"{address}: {'; '.join(found)}"
            for address, (_, found) in _compared(self._client, self._expected, tools).items()
            if found
        ]
        if unlike:
            raise ClusterError(f"{_unlike_text(unlike)}.")


def connect(scheduler: str) -> Client:
    """Return a client of the scheduler.

    Raises ClusterError if the address is not allowed or no scheduler answers in time.
    """
    # Silence Dask's own messages about lost connections: the error reports them once.
    for name in ("distributed", "distributed.client", "distributed.comm", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set(
        {
            "distributed.comm.timeouts.connect": CONNECT_SECONDS,
            "distributed.comm.timeouts.tcp": CONNECT_SECONDS,
        }
    )
    try:
        address = checked_address(scheduler)
        # Closing a client without certificates would take half a minute.
        if address.startswith("tls:") and _certificates() is None:
            raise AddressError(
                f"{scheduler}: expected certificates for TLS, found none in Dask's configuration "
                "(DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on; docs/cluster.md)"
            )
        with warnings.catch_warnings():
            # Silence Dask's warnings about versions, which are compared below.
            warnings.simplefilter("ignore")
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="maege")
    except AddressError as error:
        raise ClusterError(str(error)) from None
    except (OSError, ValueError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ClusterError(f"{scheduler}: no scheduler answers ({reason}). {_REMEDY}") from error


def cluster_state(scheduler: str) -> list[WorkerState]:
    """Return the scheduler's workers, sorted by address; raise the errors of `connect`."""
    client = connect(scheduler)
    try:
        known = client.scheduler_info(n_workers=-1)["workers"]
        compared = _compared(client, expected_versions(), LANGUAGETOOL)
        return [
            WorkerState(
                address,
                str(known[address]["name"]),
                int(known[address]["nthreads"]),
                int(known[address]["memory_limit"]),
                versions,
                unlike,
            )
            for address, (versions, unlike) in sorted(compared.items())
            if address in known
        ]
    finally:
        _close(client)


def _patience() -> float:
    written = os.environ.get(PATIENCE) or str(PATIENCE_SECONDS)
    try:
        return float(written)
    except ValueError:
        raise ClusterError(f"{PATIENCE}: expected a number of seconds, found {written}") from None


def _close(client: Client) -> None:
    """Close the connection to a scheduler that may no longer respond."""
    with suppress(OSError, RuntimeError):
        client.close(timeout=CLOSE_SECONDS)


def _certificates() -> Any:  # noqa: ANN401 - an SSLContext, or None
    return Security().get_connection_args("client")["ssl_context"]


def _compared(
    client: Client, expected: Versions, tools: tuple[str, ...]
) -> dict[str, tuple[dict[str, str], list[str]]]:
    answers: Mapping[str, Any] = client.run(versions_here, tools, on_error="return")
    compared: dict[str, tuple[dict[str, str], list[str]]] = {}
    for address, answer in answers.items():
        if isinstance(answer, BaseException):
            compared[address] = ({}, [f"{type(answer).__name__}: {answer}"])
        else:
            compared[address] = (dict(answer), differences(expected, answer))
    return compared


def _unlike_text(unlike: list[str]) -> str:
    return (
        "workers that differ from this machine could compute other scores and are rejected: "
        f"{'. '.join(unlike)}. Install the same versions there, or end these workers"
    )


def _asked(client: Client, question: Callable[..., Any]) -> Any:  # noqa: ANN401 - Dask's answers
    return client.sync(question, callback_timeout=ANSWER_SECONDS)


class _Terminal:
    """A process that Ctrl-C at the terminal ends, like the pool's workers.

    dbt runs models in threads, which get no other notice of Ctrl-C. The process ends with its
    parent.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.buffer.read()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def is_interrupted(self) -> bool:
        return self._process.poll() is not None

    def wait(self, seconds: float) -> None:
        """Return after this number of seconds, or at once if interrupted."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
