"""Find the process that has locked the build file: only one process at a time may write to it.

DuckDB locks the file for its process. The operating system reports the process that holds the lock
at once, without DuckDB or dbt, so `maege` checks the lock before it starts a build.
"""

import os
import re
import struct
import sys
from pathlib import Path
from typing import NamedTuple

# The fields of fcntl's struct flock, and the places of type and process among them.
_FLOCK = {"linux": ("hhqqi", 0, 4), "darwin": ("qqihh", 3, 2)}
_LONGEST = 60


class Holder(NamedTuple):
    """A process that has locked the file; `program` is its command, or '' if unknown."""

    pid: int
    program: str


def find_holder(path: Path, *, writers_only: bool = False) -> Holder | None:
    """Return a process whose lock prevents writing to the file; None if there is none or unknown.

    With `writers_only`, ignore processes that only read the file.

    A process that has the file open must not call this: POSIX would release its own lock.
    """
    if sys.platform not in _FLOCK:
        return None
    import fcntl

    form, place_of_type, place_of_process = _FLOCK[sys.platform]
    query = [0] * len(form)
    query[place_of_type] = fcntl.F_RDLCK if writers_only else fcntl.F_WRLCK
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        answer = fcntl.fcntl(descriptor, fcntl.F_GETLK, struct.pack(form, *query))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    lock = struct.unpack(form, answer)
    if lock[place_of_type] == fcntl.F_UNLCK:
        return None
    return _described(lock[place_of_process], "")


def holder_in(message: str) -> Holder | None:
    """Return the process that DuckDB's message names as holding the lock; None without one."""
    if "lock on file" not in message:
        return None
    named = re.search(r"held in (?P<program>.+) \(PID (?P<pid>\d+)\)", message)
    if named is None:
        return Holder(0, "")
    return _described(int(named["pid"]), Path(named["program"]).name)


def in_use(path: Path, holder: Holder) -> str:
    """Return the message that the file is in use, for another process that needs it."""
    if "dbt" in holder.program:
        return (
            f"A build is running: {path} is in use by {name_holder(holder)}. Wait until it has "
            "ended, then repeat the command."
        )
    return (
        f"{path} is in use by {name_holder(holder)}, such as maege build or maege ingest. Wait "
        "until it has ended, then repeat the command."
    )


def name_holder(holder: Holder) -> str:
    """Return the process id and the command, as far as they are known."""
    process = f"process {holder.pid}" if holder.pid > 0 else "another process"
    return f"{process} ({holder.program})" if holder.program else process


def _described(pid: int, program: str) -> Holder:
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return Holder(pid, program)
    words = [Path(word).name if number < 2 else word for number, word in enumerate(line) if word]
    # Skip the interpreter: the script is the program's name.
    if len(words) > 1 and re.fullmatch(r"python[\d.]*", words[0]) and not words[1].startswith("-"):
        words = words[1:]
    command = " ".join(words)
    short = command if len(command) <= _LONGEST else f"{command[:_LONGEST]} ..."
    return Holder(pid, short or program)
