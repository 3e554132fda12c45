"""The server that builds share, as recorded by its supervisor."""

import fcntl
import json
import os
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from maege.analysis.languagetool.installation import VERSIONS, find, home, server_url

RECORD = "server.json"
LOG = "server.log"


@dataclass(frozen=True)
class Running:
    """A running server: its process, its supervisor's, and its port on 127.0.0.1."""

    pid: int
    supervisor: int
    port: int


@dataclass(frozen=True)
class Status:
    """Status for `maege languagetool status`; `resident_bytes` is the server's memory."""

    home: str
    url: str | None
    versions: dict[str, str | None]
    server: Running | None
    resident_bytes: int | None

    def as_record(self) -> dict[str, Any]:
        """Return the status as JSON-compatible values."""
        return asdict(self)


def run_folder() -> Path:
    """Return the folder of the server's locks, record and log."""
    return home() / "run"


def read_record(folder: Path) -> Running | None:
    """Return the recorded server, which may be dying; None if there is none.

    Its supervisor locks the record. An unlocked record is stale, for example after the machine was
    switched off, and its process numbers may belong to other programs.
    """
    try:
        with (folder / RECORD).open(encoding="utf-8") as record:
            try:
                fcntl.flock(record, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return Running(**json.load(record))
    except FileNotFoundError:
        pass
    return None


def status() -> Status:
    """Return the installed versions, their origin, and whether the shared server runs."""
    found = {version: find(version) for version in VERSIONS}
    server = read_record(run_folder())
    resident = _resident_bytes(server.pid) if server else None
    return Status(
        str(home()),
        server_url(),
        {version: there.origin if there else None for version, there in found.items()},
        server if resident is not None else None,
        resident,
    )


def _resident_bytes(pid: int) -> int | None:
    """Return the memory of a process; None if there is no such process."""
    statistics = Path(f"/proc/{pid}/statm")
    if Path("/proc/self/statm").exists():
        try:
            pages = int(statistics.read_text().split()[1])
        except OSError:
            return None
        return pages * os.sysconf("SC_PAGE_SIZE")
    answer = subprocess.run(  # noqa: S603 - only a number is inserted
        ["ps", "-o", "rss=", "-p", str(pid)],  # noqa: S607 - from the PATH
        capture_output=True,
        text=True,
        check=False,
    )
    kilobytes = answer.stdout.strip()
    return int(kilobytes) * 1024 if kilobytes else None
