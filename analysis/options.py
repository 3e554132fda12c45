"""Options that have a fixed set of values: whatever else is given is refused with the set."""

from collections.abc import Collection
from difflib import get_close_matches


def check_option(
    option: str, found: object, allowed: Collection[str], error: type[ValueError] = ValueError
) -> None:
    """Raise the error, which names the set and what is near, unless what was found is in it."""
    if not isinstance(found, str) or found not in allowed:
        raise error(
            f"{option}: found {found!r}; expected {', '.join(allowed)}{nearest(found, allowed)}"
        )


def nearest(found: object, allowed: Collection[str]) -> str:
    """Return `; did you mean ...?`, or nothing where no name is near."""
    names = {name.lower(): name for name in allowed}
    close = get_close_matches(str(found).lower(), names, n=1)
    return f"; did you mean {names[close[0]]}?" if close else ""
