"""Names in messages: suggestions for unknown names, lists, and the process that locks a file."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path


def near_names(name: object, names: Iterable[str], most: int) -> list[str]:
    """Return the known names that are most like a name, best first, whatever their capitals."""
    by_lower: dict[str, str] = {}
    for other in names:
        by_lower.setdefault(other.lower(), other)
    lower = str(name).lower()
    if lower in by_lower:
        return [by_lower[lower]]
    return [by_lower[near] for near in get_close_matches(lower, by_lower, n=most)]


def did_you_mean(name: object, names: Iterable[str], most: int = 1) -> str:
    """Return `Did you mean ...?`, or nothing if no known name is like the name."""
    near = near_names(name, names, most)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def in_a_sentence(names: Sequence[str], most: int | None = None) -> str:
    """Return the names as a list in a sentence: `a`, `a and b`, `a, b and c`.

    Of more than `most` names, the first ones and the number of the others: `a, b and 3 more`.
    """
    if most is not None and len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


class UnknownError(Exception):
    """Nothing has this name; the message lists similar or existing names."""


def unknown(kind: str, name: str, names: list[str]) -> str:
    """Return the message about an unknown name, with similar names or all names."""
    near = did_you_mean(name, names, 3)
    if near:
        return f"there is no {kind} {name}. {near}"
    listed = ", ".join(sorted(names)) or "none"
    return (
        f"there is no {kind} {name}; published: {listed}. Later additions appear after maege build"
    )


def lock_holder(message: str) -> str | None:
    """Return the process that an error message of DuckDB names; None if no lock is the cause."""
    if "lock on file" not in message:
        return None
    named = re.search(r"held in (.+) \(PID (\d+)\)", message)
    return f"process {named[2]} ({Path(named[1]).name})" if named else "another process"


def in_use(path: Path, process: str) -> str:
    """Return the message that the file is in use, for another process that needs it."""
    return (
        f"{path} is in use by {process}, such as maege build or maege ingest. Wait until it has "
        "ended, then repeat the command."
    )
