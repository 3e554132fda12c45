"""Names that the published marts do not have."""

from maege.names import did_you_mean


class UnknownError(Exception):
    """There is no such metric or corpus; the message names what there is."""


def unknown(kind: str, name: str, known: list[str]) -> str:
    """Return what to say of a name that the marts do not have: names like it, or all."""
    near = did_you_mean(name, known, 3)
    if near:
        return f"there is no {kind} {name}. {near}"
    listed = ", ".join(sorted(known)) or "none"
    return (
        f"there is no {kind} {name}; published: {listed}. "
        "What was added since then appears after maege build"
    )
