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
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from maege.analysis.code import ABSENT, PACKAGES, code_without_packages, package_version
from maege.analysis.languagetool.installation import SERVER_VERSION, find, server_url
from maege.analysis.languagetool.installation import VERSIONS as LANGUAGETOOL
from maege.analysis.workers import BLAS_THREADS
from maege.analysis.workers.pool import (
    LOOK_SECONDS,
    SCHEDULER,
    Chunk,
    ChunkError,
    ClusterError,
    Result,
    chunk_error,
)

if TYPE_CHECKING:
    from distributed import Client

# --- Addresses of schedulers ---
#
# Without TLS any program at the port is trusted, so only this machine and private networks are
# allowed, unless the user sets a variable.

PUBLIC = "MAEGE_SCHEDULER_PUBLIC"
_EXPECTED = (
    "expected tcp://HOST:PORT, tls://HOST:PORT, or the path of a scheduler file, as in "
    f"{SCHEDULER}=tcp://127.0.0.1:8786"
)


def checked_address(scheduler: str) -> str:
    """Return the address to connect to, as a number without TLS.

    Raises ClusterError for another form, an unknown host, or a public host without TLS.
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
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ClusterError(f"{scheduler}: the host {host} is not known ({error})") from None
    # Connect to the checked number, because the name may later resolve to another one.
    number = ipaddress.ip_address(str(addresses[0][4][0]).partition("%")[0])
    if not number.is_private and os.environ.get(PUBLIC) != "1":
        raise ClusterError(
            f"{scheduler}: expected this machine or a private network, found {number}: without TLS "
            "any computer that answers there is trusted. Use tls:// (docs/cluster.md) or a tunnel, "
            f"or declare that the network is trusted: {PUBLIC}=1"
        )
    return f"tcp://[{number}]:{port}" if number.version == 6 else f"tcp://{number}:{port}"


def _address_in_file(path: Path) -> str:
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ClusterError(
            f"{path}: expected a scheduler file, as `dask scheduler --scheduler-file {path}` "
            f"writes it, found {type(error).__name__}: {error}; or {_EXPECTED}"
        ) from None


# --- Versions on a cluster's workers ---
#
# A worker with another version of the code or of a package might compute different scores without
# any error, so it is rejected.

# Packages that serialise chunks.
_CARRIERS = ("dask", "distributed")
# Packages that only the client computes with.
_NOT_ON_WORKERS = {"dbt-duckdb", "duckdb"}
# A process has only one copy of kernels, spaCy's pipeline and the processes of user metrics.
_one_chunk = threading.Lock()

# (name, version) of everything that numbers depend on.
Versions = tuple[tuple[str, str], ...]


class UnlikeWorkerError(RuntimeError):
    """A worker differs from the client."""


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
    """Return the function's result; raise UnlikeWorkerError if this worker's versions differ."""
    kind = "LanguageTool "
    tools = (name.removeprefix(kind) for name, _ in job.expected if name.startswith(kind))
    _require(differences(job.expected, versions_here(tuple(tools))))
    function, chunk = pickle.loads(job.pickled)  # noqa: S301 - the client's, as all that we run
    if hasattr(chunk, "problems_here"):
        _require(chunk.problems_here())
    with _one_chunk:
        # Dask's workers may not start child processes, which might outlive them. The processes of
        # user functions end with their parent anyway.
        multiprocessing.current_process().daemon = False
        return function(chunk)


def expected_versions(tools: Iterable[str] = ()) -> Versions:
    versions = dict(versions_here(tuple(tools)))
    versions |= dict.fromkeys(BLAS_THREADS, "1")
    return tuple((name, version) for name, version in versions.items() if version != ABSENT)


@cache
def versions_here(tools: tuple[str, ...] = ()) -> Versions:
    versions = {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "maege": package_version("maege"),
        "maege's code": code_without_packages()[:12],
    }
    packages = [name for name in PACKAGES if name not in _NOT_ON_WORKERS]
    versions |= {name: package_version(name) for name in (*packages, *_CARRIERS)}
    versions |= {name: os.environ.get(name, "unset") for name in BLAS_THREADS}
    versions |= {f"LanguageTool {version}": _languagetool(version) for version in tools}
    return tuple(versions.items())


def differences(expected: Versions, found: Versions) -> list[str]:
    found_versions = dict(found)
    return [
        f"{name}: expected {version}, found {found_version}"
        for name, version in expected
        if (found_version := found_versions.get(name, ABSENT)) != version
    ]


def _require(problems: list[str]) -> None:
    if problems:
        worker = f"the worker on {platform.node()}, process {os.getpid()}"
        raise UnlikeWorkerError(f"{worker}: {'; '.join(problems)}")


def _languagetool(version: str) -> str:
    if version == SERVER_VERSION and server_url():
        return "installed"
    if find(version) is None:
        return "not installed"
    return "installed" if shutil.which("java") else "installed, but Java is missing"


# --- Chunks on the cluster ---
#
# Workers may join and leave. A scheduler that cannot be reached or stops answering is an error
# within 30 seconds, because Dask's own reconnection would cancel the work anyway. Dask is an extra,
# so `connect` imports it.

CONNECT_SECONDS = 15
ANSWER_SECONDS = 10.0
# Maximum time without any worker, for example while a batch system has not started them yet.
PATIENCE = "MAEGE_WORKERS_SECONDS"
_KEPT = (
    "Finished chunks are kept in the spool of the warehouse folder: the next build "
    "continues with the other chunks"
)
_REMEDY = (
    f"Start it (docs/cluster.md), correct {SCHEDULER}, or unset it to compute on this machine. "
    f"{_KEPT}."
)


class WorkerState(NamedTuple):
    """A worker of the cluster; `unlike` lists its differences from this machine."""

    address: str
    name: str
    threads: int
    memory_limit: int
    versions: dict[str, str]
    unlike: list[str]


class Cluster:
    """An executor of Dask's workers, at most two chunks for each of their threads."""

    def __init__(self, scheduler: str, tools: tuple[str, ...] = ()) -> None:
        self._scheduler = scheduler
        self._expected = expected_versions(tools)
        patience = os.environ.get(PATIENCE) or "60"
        try:
            self._patience = float(patience)
        except ValueError:
            raise ClusterError(
                f"{PATIENCE}: expected a number of seconds, found {patience}"
            ) from None
        self._threads, self._counted = 0, 0.0
        self._client = connect(scheduler)
        self._executor = self._client.get_executor(pure=False)
        # A process that Ctrl-C at the terminal ends: dbt runs models in threads, which get no other
        # notice of it. It also ends with its input, and so with this process.
        self._terminal = subprocess.Popen(
            ["cat"],  # noqa: S607 - from the PATH
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        self._had_workers = time.monotonic()
        try:
            self.look()
            while not self._threads:
                time.sleep(LOOK_SECONDS)
                self.look()
            unlike = [
                f"{worker.address}: {'; '.join(worker.unlike)}"
                for worker in _worker_states(self._client, self._expected, tools)
                if worker.unlike
            ]
            if unlike:
                raise ClusterError(f"{_unlike_text(unlike)}.")
        except BaseException:
            self.close()
            raise

    def submit(self, function: Callable[[Chunk], Result], chunk: Chunk) -> "Future[Result]":
        job = job_of(function, chunk, self._expected)
        future: Future[Result] = self._executor.submit(run_job, job)
        return future

    def most(self) -> int:
        if time.monotonic() - self._counted > LOOK_SECONDS:
            self._count_threads()
        return 2 * max(self._threads, 1)

    def look(self) -> None:
        if self._terminal.poll() is not None:
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

    def error(self, name: str, error: BaseException) -> ChunkError:
        from distributed import KilledWorker

        if isinstance(error, CancelledError):
            return self._lost("the connection was closed")
        if isinstance(error, KilledWorker):
            return ChunkError(
                f"{name}: {error.allowed_failures + 1} workers died while they had this chunk, the "
                f"last of them {error.last_worker.address}; it, or another chunk there, crashes "
                "its worker or needs more memory than a worker has, or the workers were stopped "
                f"from outside (docs/cluster.md). {_KEPT}."
            )
        if isinstance(error, UnlikeWorkerError):
            return ClusterError(f"{_unlike_text([str(error)])}. {_KEPT}.")
        # Part of Dask's message if the scheduler lacks a package.
        if "deserialization of the task graph" in str(error):
            cause = error.__cause__ or error
            return ClusterError(
                f"{self._scheduler}: the scheduler cannot read the chunks ({type(cause).__name__}: "
                f"{cause}). Install the same maege there. {_KEPT}."
            )
        return chunk_error(name, error)

    def close(self) -> None:
        # The scheduler cancels work for which no client waits.
        self._terminal.kill()
        self._terminal.communicate()
        _close(self._client)

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


def connect(scheduler: str) -> "Client":
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
    client = connect(scheduler)
    try:
        return _worker_states(client, expected_versions(), LANGUAGETOOL)
    finally:
        _close(client)


def _worker_states(
    client: "Client", expected: Versions, tools: tuple[str, ...]
) -> list[WorkerState]:
    answers: Mapping[str, Any] = client.run(versions_here, tools, on_error="return")
    workers = client.scheduler_info(n_workers=-1)["workers"]
    states = []
    for address in sorted(answers.keys() & workers.keys()):
        answer, worker = answers[address], workers[address]
        if isinstance(answer, BaseException):
            versions, unlike = {}, [f"{type(answer).__name__}: {answer}"]
        else:
            versions, unlike = dict(answer), differences(expected, answer)
        numbers = (int(worker["nthreads"]), int(worker["memory_limit"]))
        states.append(WorkerState(address, str(worker["name"]), *numbers, versions, unlike))
    return states


def _close(client: "Client") -> None:
    with suppress(OSError, RuntimeError):
        client.close(timeout=3)


def _unlike_text(unlike: list[str]) -> str:
    return (
        "workers that differ from this machine could compute other scores and are rejected: "
        f"{'. '.join(unlike)}. Install the same versions there, or end these workers"
    )
