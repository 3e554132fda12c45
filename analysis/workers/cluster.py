"""Compute chunks on Dask workers instead of the local pool, on any number of machines."""

import ipaddress
import json
import logging
import multiprocessing
import os
import pickle
import platform
import shutil
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeGuard
from urllib.parse import urlsplit

from maege.analysis.code import PACKAGES, code_without_packages
from maege.analysis.languagetool.installation import SERVER_VERSION, find, server_url
from maege.analysis.languagetool.installation import VERSIONS as LANGUAGETOOL
from maege.analysis.workers import BLAS_THREADS
from maege.analysis.workers.pool import (
    SCHEDULER,
    Chunk,
    ChunkError,
    ClusterError,
    Result,
    chunk_error,
)

if TYPE_CHECKING:
    from distributed import Client, KilledWorker

# --- Addresses of schedulers ---
#
# With TLS both sides show certificates of one authority. Without TLS, any program at the port would
# be trusted. Therefore only this machine and private networks are allowed, unless the user sets a
# variable.

PUBLIC = "MAEGE_SCHEDULER_PUBLIC"
_EXPECTED = (
    "expected tcp://HOST:PORT, tls://HOST:PORT, or the path of a scheduler file, as in "
    f"{SCHEDULER}=tcp://127.0.0.1:8786"
)


def checked_address(scheduler: str) -> str:
    """Return the address to connect to, as a number without TLS.

    Raises:
        ClusterError: the form is invalid, the host is unknown, or the host is public and the
            connection is not encrypted.
    """
    address = scheduler if "://" in scheduler else _address_in_file(Path(scheduler).expanduser())
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ClusterError(f"{scheduler}: {error}; {_EXPECTED}") from None
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        raise ClusterError(f"{scheduler}: found {address}; {_EXPECTED}")
    if parts.scheme == "tls":
        return address
    # Connect to the checked number, because the name may later resolve to another one.
    number = _number(host, port, scheduler)
    if not number.is_private and os.environ.get(PUBLIC) != "1":
        raise ClusterError(
            f"{scheduler}: expected this machine or a private network, found {number}: without TLS "
            "any computer that answers there is trusted. Use tls:// (docs/cluster.md) or a tunnel, "
            f"or declare that the network is trusted: {PUBLIC}=1"
        )
    return f"tcp://[{number}]:{port}" if number.version == 6 else f"tcp://{number}:{port}"


def _address_in_file(path: Path) -> str:
    try:
        address = json.loads(path.read_text(encoding="utf-8"))["address"]
    except FileNotFoundError:
        raise ClusterError(
            f"{path}: found no such scheduler file; start the scheduler with "
            f"`dask scheduler --scheduler-file {path}`, or {_EXPECTED}"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ClusterError(
            f"{path}: expected a scheduler file, which holds an address as JSON, found "
            f"{type(error).__name__}: {error}"
        ) from None
    return str(address)


def _number(host: str, port: int, scheduler: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ClusterError(f"{scheduler}: the host {host} is not known ({error})") from None
    return ipaddress.ip_address(str(addresses[0][4][0]).partition("%")[0])


# --- Versions on a cluster's workers ---
#
# This part is independent of Dask. A worker with another version of the code or of a package might
# compute different scores without any error, so it is rejected.

DISTRIBUTION = "maege"
ABSENT = "absent"
# Packages that serialise chunks.
_CARRIERS = ("dask", "distributed")
# Packages that only the client computes with.
_NOT_ON_WORKERS = {"dbt-duckdb", "duckdb"}
# A process has only one copy of kernels, spaCy's pipeline and the processes of user metrics.
_one_chunk = threading.Lock()

# (name, version) of everything that numbers depend on.
Versions = tuple[tuple[str, str], ...]


class UnlikeWorkerError(RuntimeError):
    """A worker differs from the client; the message names the worker and the differences."""


@dataclass(frozen=True)
class Job:
    """A pickled function and chunk, and the versions that the worker must have.

    The scheduler unpickles only this object, so it needs no code for texts.
    """

    pickled: bytes
    expected: Versions


def job_of(function: Callable[[Chunk], Any], chunk: Chunk, expected: Versions) -> Job:
    return Job(pickle.dumps((function, chunk), pickle.HIGHEST_PROTOCOL), expected)


def run_job(job: Job) -> Any:  # noqa: ANN401 - what the function returns
    """Return the function's result for the chunk, computed in this process.

    Raises UnlikeWorkerError if the worker's versions differ from the client's.
    """
    kind = "LanguageTool "
    tools = (name.removeprefix(kind) for name, _ in job.expected if name.startswith(kind))
    _require(differences(job.expected, versions_here(tuple(tools))))
    function, chunk = pickle.loads(job.pickled)  # noqa: S301 - the client's, as all that we run
    ask = getattr(chunk, "problems_here", None)
    _require(ask() if ask is not None else [])
    with _one_chunk:
        # Dask's workers may not start child processes, which might outlive them. The processes of
        # user functions end with their parent anyway.
        multiprocessing.current_process().daemon = False
        return function(chunk)


def expected_versions(tools: Iterable[str] = ()) -> Versions:
    """Return the versions that workers must have: this machine's, with one BLAS thread."""
    versions = dict(versions_here(tuple(tools)))
    versions |= dict.fromkeys(BLAS_THREADS, "1")
    return tuple((name, version) for name, version in versions.items() if version != ABSENT)


@cache
def versions_here(tools: tuple[str, ...] = ()) -> Versions:
    versions = {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        DISTRIBUTION: _version(DISTRIBUTION),
        f"{DISTRIBUTION}'s code": code_without_packages()[:12],
    }
    packages = [name for name in PACKAGES if name not in _NOT_ON_WORKERS]
    versions |= {name: _version(name) for name in (*packages, *_CARRIERS)}
    versions |= {name: os.environ.get(name, "unset") for name in BLAS_THREADS}
    versions |= {f"LanguageTool {version}": _languagetool(version) for version in tools}
    return tuple(versions.items())


def differences(expected: Versions, found: Versions) -> list[str]:
    found_versions = dict(found)
    return [
        f"{name}: expected {version}, found {found_versions.get(name, ABSENT)}"
        for name, version in expected
        if found_versions.get(name, ABSENT) != version
    ]


def _require(problems: list[str]) -> None:
    if problems:
        worker = f"the worker on {platform.node()}, process {os.getpid()}"
        raise UnlikeWorkerError(f"{worker}: {'; '.join(problems)}")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ABSENT


def _languagetool(version: str) -> str:
    if version == SERVER_VERSION and server_url():
        return "installed"
    if find(version) is None:
        return "not installed"
    return "installed" if shutil.which("java") else "installed, but Java is missing"


# --- Chunks on the cluster ---
#
# The results are the same as with the pool. Workers may join and leave. If a worker dies, Dask
# gives its chunks to another worker, and each result is returned once. Dask gives up a chunk
# whose workers died too often (setting `distributed.scheduler.allowed-failures`). That chunk is
# tried again alone. If it fails again, an error names the chunk. A scheduler that cannot be
# reached or stops answering is an error within 30 seconds, because Dask's own reconnection would
# cancel the work anyway.
#
# Dask is an extra, so `connect` imports it.

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
        self._submit(name, job_of(self._function, chunk, self._expected))

    def _submit(self, name: str, job: Job) -> None:
        # A single argument, because Dask would search several for futures.
        future = self._client.submit(run_job, job, pure=False)
        self._in_hand[future.key] = _Submitted(name, job, future)
        future.add_done_callback(lambda finished: self._finished.put(finished.key))

    def is_full(self) -> bool:
        """Return whether each thread has one chunk and another chunk waits for it.

        Also return True while suspect chunks remain, because each of them is tried alone.
        """
        if time.monotonic() - self._counted > LOOK_SECONDS:
            self._count_threads()
        most = CHUNKS_A_THREAD * max(self._threads, 1)
        return bool(self._suspects) or len(self._in_hand) >= most

    def in_hand(self) -> int:
        return len(self._in_hand) + len(self._suspects)

    def collect(self) -> list[Result]:
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
        if _is_killed(error) and not self._is_alone:
            self._suspects.append(self._in_hand.pop(key))
            return []
        raise self._error(submitted.name, error)

    def _error(self, name: str, error: BaseException) -> ChunkError:
        wrapped: ChunkError
        if _is_killed(error):
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
            threads = self._client.sync(
                self._client.scheduler.ncores, callback_timeout=ANSWER_SECONDS
            )
        except Exception as error:
            raise self._lost(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        self._threads = sum(threads.values())
        self._counted = time.monotonic()

    def _lost(self, reason: str) -> ClusterError:
        return ClusterError(
            f"{self._scheduler}: the scheduler does not answer any longer ({reason}). {_REMEDY}"
        )

    def _refuse_unlike(self, tools: tuple[str, ...]) -> None:
        unlike = [
            f"{address}: {'; '.join(problems)}"
            for address, (_, problems) in _compared(self._client, self._expected, tools).items()
            if problems
        ]
        if unlike:
            raise ClusterError(f"{_unlike_text(unlike)}.")


def connect(scheduler: str) -> "Client":
    """Return a client of the scheduler.

    Raises ClusterError if Dask is not installed, the address is not allowed or no scheduler answers
    in time.
    """
    try:
        import dask
        from distributed import Client, Security
    except ModuleNotFoundError as error:
        raise ClusterError(
            f"{SCHEDULER}, or the variable scheduler, names a cluster, but {error.name} is not "
            "installed: pip install 'maege[cluster]', or unset it"
        ) from error
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
        certificates = Security().get_connection_args("client")["ssl_context"]
        if address.startswith("tls:") and certificates is None:
            raise ClusterError(
                f"{scheduler}: expected certificates for TLS, found none in Dask's configuration "
                "(DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on; docs/cluster.md)"
            )
        with warnings.catch_warnings():
            # Silence Dask's warnings about versions, which are compared below.
            warnings.simplefilter("ignore")
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="maege")
    except (OSError, ValueError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ClusterError(f"{scheduler}: no scheduler answers ({reason}). {_REMEDY}") from error


def cluster_state(scheduler: str) -> list[WorkerState]:
    """Return the scheduler's workers, sorted by address; raise the errors of `connect`."""
    client = connect(scheduler)
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        compared = _compared(client, expected_versions(), LANGUAGETOOL)
        return [
            WorkerState(
                address,
                str(workers[address]["name"]),
                int(workers[address]["nthreads"]),
                int(workers[address]["memory_limit"]),
                versions,
                unlike,
            )
            for address, (versions, unlike) in sorted(compared.items())
            if address in workers
        ]
    finally:
        _close(client)


def _is_killed(error: BaseException | None) -> "TypeGuard[KilledWorker]":
    """Return whether Dask gave up a chunk because its workers died too often."""
    from distributed import KilledWorker

    return isinstance(error, KilledWorker)


def _patience() -> float:
    setting = os.environ.get(PATIENCE) or str(PATIENCE_SECONDS)
    try:
        return float(setting)
    except ValueError:
        raise ClusterError(f"{PATIENCE}: expected a number of seconds, found {setting}") from None


def _close(client: "Client") -> None:
    with suppress(OSError, RuntimeError):
        client.close(timeout=CLOSE_SECONDS)


def _compared(
    client: "Client", expected: Versions, tools: tuple[str, ...]
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
