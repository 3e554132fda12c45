"""Names that the published marts do not have."""

import difflib


class UnknownError(Exception):
    """There is no such metric or corpus; the message names what there is."""


def unknown(kind: str, name: str, known: list[str]) -> str:
    """Return what to say of a name that the marts do not have: names like it, or all."""
    near = difflib.get_close_matches(name, known, n=3)
    if near:
        return f"there is no {kind} {name}. Did you mean {' or '.join(near)}?"
    listed = ", ".join(sorted(known)) or "none"
    return (
        f"there is no {kind} {name}; published: {listed}. "
        "What was added since then appears after maege build"
    )
