"""Run one server for all builds of this machine: start it, and end it with its last user.

Run as a program: `supervisor.py USERS RECORD LOG SECONDS COMMAND...`. Users hold a shared lock on
the file USERS. When the last lock is released, even by a crash, the server is killed. The command
gets `-p PORT`, a free port on 127.0.0.1. The first line of standard output is the record of the
running server or `{"error": ...}`. The file RECORD contains the same record and is locked while the
server runs. Only the standard library is used, so that the program starts quickly.
"""

import contextlib
import ctypes
import fcntl
import http
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

_LOG_LINES = 10
_POLL_SECONDS = 0.1
_FIRST_TEXT_SECONDS = 240.0
_PR_SET_PDEATHSIG = 1
_FIRST_TEXT = {"language": "en-US", "text": "This is an test."}


def main() -> None:
    """Run in the background until the server ends or has no user."""
    if os.fork():
        # A second fork, so that a long-running caller need not wait for this process.
        return
    users, record, log = map(Path, sys.argv[1:4])
    seconds, command = float(sys.argv[4]), sys.argv[5:]
    port = _free_port()
    with log.open("wb") as stream:
        server = subprocess.Popen(  # noqa: S603 - the command that the program was given
            [*command, "-p", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            preexec_fn=_die_with_parent,
        )
    signal.signal(signal.SIGTERM, lambda *_: server.kill())
    threading.Thread(target=_kill_when_unused, args=(users, server), daemon=True).start()
    error = _await(server, port, seconds)
    if error is not None:
        server.kill()
        server.wait()
        _answer({"error": f"{error}\n{_last_lines(log)}"})
        return
    up = {"pid": server.pid, "supervisor": os.getpid(), "port": port}
    unfinished = record.with_suffix(f".{os.getpid()}")
    with unfinished.open("w", encoding="utf-8") as locked:
        fcntl.flock(locked, fcntl.LOCK_EX)
        json.dump(up, locked)
        locked.flush()
        unfinished.replace(record)
        _answer(up)
        server.wait()
        with contextlib.suppress(FileNotFoundError):
            if json.loads(record.read_text(encoding="utf-8")) == up:
                record.unlink()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _die_with_parent() -> None:
    """Ask Linux to kill the server if the supervisor is killed; not possible elsewhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _kill_when_unused(users: Path, server: "subprocess.Popen[bytes]") -> None:
    # The lock is held until this process ends, so that new users wait for the server's end.
    with users.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server.kill()
        threading.Event().wait()


def _await(server: "subprocess.Popen[bytes]", port: int, seconds: float) -> str | None:
    """Return None after the server has checked a text, else what is wrong.

    The first text loads dictionaries, which takes minutes on a busy machine.
    """
    steps = (("come up", _listens, seconds), ("checked a first text", _checks, _FIRST_TEXT_SECONDS))
    for step, is_done, limit in steps:
        deadline = time.monotonic() + limit
        while not is_done(port):
            if server.poll() is not None:
                return f"LanguageTool's server ended with exit code {server.returncode}."
            if time.monotonic() > deadline:
                return f"LanguageTool's server has not {step} within {limit:.0f} seconds."
            time.sleep(_POLL_SECONDS)
    return None


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def _checks(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_FIRST_TEXT_SECONDS)
    try:
        connection.request("POST", "/v2/check", urlencode(_FIRST_TEXT))
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _last_lines(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_LINES:]
    return "\n".join([f"The last lines of {log}:", *lines])


def _answer(answer: Mapping[str, object]) -> None:
    with contextlib.suppress(OSError):
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
