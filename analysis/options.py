"""Check options that have a fixed set or range of values; errors name the allowed values."""

from collections.abc import Collection

from maege.names import near_names


def check_option(
    option: str, found: object, allowed: Collection[str], error: type[ValueError] = ValueError
) -> None:
    """Raise the error, which names the allowed set and near values, unless the value is allowed."""
    if not isinstance(found, str) or found not in allowed:
        raise error(
            f"{option}: found {found!r}; expected {', '.join(allowed)}{nearest(found, allowed)}"
        )


def check_number(
    option: str,
    found: object,
    least: float,
    most: float | None = None,
    *,
    whole: bool = False,
    error: type[ValueError] = ValueError,
) -> None:
    """Raise the error, which names the range, unless the value is a number within the range."""
    is_number = isinstance(found, int if whole else int | float) and not isinstance(found, bool)
    if not (is_number and least <= found and (most is None or found <= most)):  # type: ignore[operator]
        kind = "a whole number" if whole else "a number"
        within = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        raise error(f"{option}: found {found!r}; expected {kind} {within}")


def nearest(found: object, allowed: Collection[str]) -> str:
    """Return `; did you mean ...?`, or an empty text if no allowed value is similar."""
    near = near_names(found, allowed, 1)
    return f"; did you mean {near[0]}?" if near else ""
