"""Suggestions for names that do not exist: one function for all commands and packages."""

from collections.abc import Iterable
from difflib import get_close_matches


def near_names(name: object, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names that are most like a name, best first, whatever their capitals."""
    by_lower: dict[str, str] = {}
    for other in known:
        by_lower.setdefault(other.lower(), other)
    lower = str(name).lower()
    if lower in by_lower:
        return [by_lower[lower]]
    return [by_lower[near] for near in get_close_matches(lower, by_lower, n=most)]


def did_you_mean(name: object, known: Iterable[str], most: int = 1) -> str:
    """Return `Did you mean ...?`, or nothing if no known name is like the name."""
    near = near_names(name, known, most)
    return f"Did you mean {' or '.join(near)}?" if near else ""
