"""Names that the published marts do not have."""

from maege.names import did_you_mean


class UnknownError(Exception):
    """The marts do not have the metric or corpus; the message lists those they have."""


def unknown(kind: str, name: str, known: list[str]) -> str:
    """Return the message about an unknown name, with similar names or all names."""
    near = did_you_mean(name, known, 3)
    if near:
        return f"there is no {kind} {name}. {near}"
    listed = ", ".join(sorted(known)) or "none"
    return (
        f"there is no {kind} {name}; published: {listed}. Later additions appear after maege build"
    )
