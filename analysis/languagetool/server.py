"""The HTTP server of LanguageTool 6.6: found, or started once and shared by all builds.

Started servers listen only on 127.0.0.1, have 1 GB of heap, and end with the last process that uses
them (analysis/languagetool/supervisor.py). Pipelines are cached because creating one takes longer
than checking a sentence.

A shared server is recorded in a file that its supervisor locks.
"""

import fcntl
import http
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from maege.analysis.languagetool import supervisor
from maege.analysis.languagetool.installation import (
    SERVER_VERSION,
    VERSIONS,
    answer,
    class_path,
    find,
    home,
    java,
    server_url,
)
from maege.analysis.languagetool.matches import LanguageToolError

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
    installations = {version: find(version) for version in VERSIONS}
    server = read_record(run_folder())
    resident = _resident_bytes(server.pid) if server else None
    return Status(
        str(home()),
        server_url(),
        {
            version: installation.origin if installation else None
            for version, installation in installations.items()
        },
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


START_SECONDS = 45.0

USERS = "users"
_HEALTH_SECONDS = 10.0
_MAIN = "org.languagetool.server.HTTPServer"
_CONFIGURATION = """\
pipelineCaching=true
maxPipelinePoolSize=8
pipelineExpireTimeInSeconds=3600
"""
# Without `nodelay` each response waits 40 ms for an acknowledgement. The parallel collector is as
# fast as the default one, with 700 MB of memory for the process instead of 910 MB.
_JAVA_OPTIONS = (
    "-Xmx1g",
    "-XX:+UseParallelGC",
    "-Dsun.net.httpserver.nodelay=true",
    "-Djava.net.preferIPv4Stack=true",
)


class ManagedServer:
    """The server that builds on this machine share, while this object is open."""

    def __init__(self, start_seconds: float = START_SECONDS) -> None:
        self._start_seconds = start_seconds
        self._failure: str | None = None
        self._folder = run_folder()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._use: IO[str] = (self._folder / USERS).open("a")
        fcntl.flock(self._use, fcntl.LOCK_SH)

    def url(self) -> str:
        """Return the address of a responding server, which is started if necessary.

        Raises LanguageToolError if none starts, with the last lines of its log. Later calls raise
        it at once, because other threads wait for the same server.
        """
        with self._alone():
            if self._failure is not None:
                raise LanguageToolError(self._failure)
            running = read_record(self._folder)
            if running is not None and not _answers(_url(running)):
                _kill(running)
                running = None
            return _url(running or self._start())

    def kill(self, url: str) -> None:
        """End the server at this address, if it still runs, because a text has stalled it."""
        with self._alone():
            running = read_record(self._folder)
            if running is not None and running.port == urlsplit(url).port:
                _kill(running)

    def close(self) -> None:
        """Stop using the server; it ends if no other process uses it."""
        self._use.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self._folder / "start.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _start(self) -> Running:
        configuration = self._folder / "server.properties"
        configuration.write_text(_CONFIGURATION, encoding="utf-8")
        files = [str(self._folder / name) for name in (USERS, RECORD, LOG)]
        program = [sys.executable, "-P", supervisor.__file__, *files, str(self._start_seconds)]
        server = [java(), *_JAVA_OPTIONS, "-cp", class_path(SERVER_VERSION), _MAIN]
        with subprocess.Popen(  # noqa: S603 - our own program
            [*program, *server, "--config", str(configuration)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        ) as process:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            line = process.stdout.readline()
        answer = json.loads(line or '{"error": "The supervisor of LanguageTool\'s server died."}')
        if "error" in answer:
            self._failure = (
                f"{answer['error']}\nCorrect the cause, then maege build; or remove LanguageTool's "
                "metrics from the variable metrics."
            )
            raise LanguageToolError(self._failure)
        return Running(**answer)


class GivenServer:
    """An external server, at LANGUAGETOOL_URL."""

    def __init__(self, url: str) -> None:
        self._url = url

    def url(self) -> str:
        """Return its address. Raises LanguageToolError if it does not respond."""
        if not _answers(self._url):
            raise LanguageToolError(
                f"No LanguageTool answers at LANGUAGETOOL_URL, {self._url}/v2/healthcheck. Start "
                "it, or give another address (such as http://127.0.0.1:8081), or none to have a "
                "server started"
            )
        return self._url

    def kill(self, url: str) -> None:
        """Do nothing, because the server is external."""

    def close(self) -> None:
        """Do nothing."""


def _url(running: Running) -> str:
    return f"http://127.0.0.1:{running.port}"


def _answers(url: str) -> bool:
    try:
        return answer(url, "/v2/healthcheck", _HEALTH_SECONDS) == (http.HTTPStatus.OK, b"OK")
    except (OSError, http.client.HTTPException):
        return False


def _kill(running: Running) -> None:
    """Kill the server; its supervisor deletes the record and ends."""
    with suppress(ProcessLookupError):
        os.kill(running.pid, signal.SIGKILL)
