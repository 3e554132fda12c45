"""Where a scheduler may be: whoever answers there is handed code to run, and hands back pickles.

With TLS both sides show certificates of one authority. Without it anybody who can reach the port
is believed, so that only this machine and private networks are connected to, unless told otherwise.
"""

import ipaddress
import json
import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

SCHEDULER = "MAEGE_SCHEDULER"
PUBLIC = "MAEGE_SCHEDULER_PUBLIC"
_EXPECTED = (
    "expected tcp://HOST:PORT, tls://HOST:PORT, or the path of a scheduler file, as in "
    f"{SCHEDULER}=tcp://127.0.0.1:8786"
)


class AddressError(ValueError):
    """The scheduler's address cannot be used; the message says why and what to do."""


def scheduler_of(variable: object) -> str | None:
    """Return what names the scheduler: dbt's variable, else MAEGE_SCHEDULER; None without any."""
    named = str(variable or "").strip() or os.environ.get(SCHEDULER, "").strip()
    return named or None


def checked_address(scheduler: str) -> str:
    """Return the address to connect to, as number where there is no TLS.

    Args:
        scheduler: tcp://HOST:PORT, tls://HOST:PORT, or the path of a scheduler file.

    Raises:
        AddressError: it is none of these, its host is not known, or it is public and not encrypted.

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
    # The very number that was looked at is connected to: a name may mean another one later.
    number = _number(host, port, scheduler)
    if not number.is_private and os.environ.get(PUBLIC) != "1":
        raise AddressError(
            f"{scheduler}: expected this machine or a private network, found {number}: without TLS "
            "whoever answers there is believed. Use tls:// (docs/cluster.md), or a tunnel; or say "
            f"that the network is trusted: {PUBLIC}=1"
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
