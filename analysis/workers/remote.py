"""Addresses of schedulers, and the check that a cluster's worker equals this machine."""

import ipaddress
import json
import multiprocessing
import os
import pickle
import platform
import shutil
import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from maege.analysis.code import PACKAGES, code_without_packages
from maege.analysis.languagetool.installation import SERVER_VERSION, find, server_url
from maege.analysis.workers import BLAS_THREADS
from maege.analysis.workers.pool import SCHEDULER, Chunk, keep_what_is_freed

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


class AddressError(ValueError):
    """The scheduler's address cannot be used; the message says why and what to do."""


def checked_address(scheduler: str) -> str:
    """Return the address to connect to, as a number without TLS.

    Args:
        scheduler: tcp://HOST:PORT, tls://HOST:PORT, or the path of a scheduler file.

    Raises:
        AddressError: the form is invalid, the host is unknown, or the host is public and the
            connection is not encrypted.
    """
    address = scheduler if "://" in scheduler else _in_file(Path(scheduler).expanduser())
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(f"{scheduler}: {error}; {_EXPECTED}") from None
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        raise AddressError(f"{scheduler}: found {address}; {_EXPECTED}")
    if parts.scheme == "tls":
        return address
    # Connect to the checked number, because the name may later resolve to another one.
    number = _number(host, port, scheduler)
    if not number.is_private and os.environ.get(PUBLIC) != "1":
        raise AddressError(
            f"{scheduler}: expected this machine or a private network, found {number}: without TLS "
            "any computer that answers there is trusted. Use tls:// (docs/cluster.md) or a tunnel, "
            f"or declare that the network is trusted: {PUBLIC}=1"
        )
    return f"tcp://[{number}]:{port}" if number.version == 6 else f"tcp://{number}:{port}"


def _in_file(path: Path) -> str:
    try:
        address = json.loads(path.read_text(encoding="utf-8"))["address"]
    except FileNotFoundError:
        raise AddressError(
            f"{path}: found no such scheduler file; start the scheduler with "
            f"`dask scheduler --scheduler-file {path}`, or {_EXPECTED}"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AddressError(
            f"{path}: expected a scheduler file, which holds an address as JSON, found "
            f"{type(error).__name__}: {error}"
        ) from None
    return str(address)


def _number(host: str, port: int, scheduler: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise AddressError(f"{scheduler}: the host {host} is not known ({error})") from None
    return ipaddress.ip_address(str(found[0][4][0]).partition("%")[0])


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
    """Return the job to send to a worker."""
    return Job(pickle.dumps((function, chunk), pickle.HIGHEST_PROTOCOL), expected)


def run_job(job: Job) -> Any:  # noqa: ANN401 - what the function returns
    """Return the function's result for the chunk, computed in this process.

    Raises UnlikeWorkerError if the worker's versions differ from the client's.
    """
    _require(differences(job.expected, versions_here(_tools(job.expected))))
    function, chunk = pickle.loads(job.pickled)  # noqa: S301 - the client's, as all that we run
    ask = getattr(chunk, "problems_here", None)
    _require(ask() if ask is not None else [])
    with _one_chunk:
        keep_what_is_freed()
        # Dask's workers may not start child processes, which might outlive them. The processes of
        # user functions end with their parent anyway.
        multiprocessing.current_process().daemon = False
        return function(chunk)


def expected_versions(tools: Iterable[str] = ()) -> Versions:
    """Return the versions that workers must have: this machine's, with one BLAS thread.

    Args:
        tools: versions of LanguageTool that the chunks need.
    """
    found = dict(versions_here(tuple(tools)))
    found |= dict.fromkeys(BLAS_THREADS, "1")
    return tuple((name, version) for name, version in found.items() if version != ABSENT)


@cache
def versions_here(tools: tuple[str, ...] = ()) -> Versions:
    """Return the versions on this machine.

    Args:
        tools: versions of LanguageTool to look for.
    """
    found = {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        DISTRIBUTION: _version(DISTRIBUTION),
        f"{DISTRIBUTION}'s code": code_without_packages()[:12],
    }
    packages = [name for name in PACKAGES if name not in _NOT_ON_WORKERS]
    found |= {name: _version(name) for name in (*packages, *_CARRIERS)}
    found |= {name: os.environ.get(name, "unset") for name in BLAS_THREADS}
    found |= {f"LanguageTool {version}": _languagetool(version) for version in tools}
    return tuple(found.items())


def differences(expected: Versions, found: Versions) -> list[str]:
    """Return one text for each expected version that was not found."""
    there = dict(found)
    return [
        f"{name}: expected {version}, found {there.get(name, ABSENT)}"
        for name, version in expected
        if there.get(name, ABSENT) != version
    ]


def _require(problems: list[str]) -> None:
    if problems:
        worker = f"the worker on {platform.node()}, process {os.getpid()}"
        raise UnlikeWorkerError(f"{worker}: {'; '.join(problems)}")


def _tools(expected: Versions) -> tuple[str, ...]:
    kind = "LanguageTool "
    return tuple(name.removeprefix(kind) for name, _ in expected if name.startswith(kind))


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
