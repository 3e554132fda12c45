"""Check options that have a fixed set or range of values; errors name the allowed values."""

from collections.abc import Collection

from maege.names import near_names


def check_option(
    option: str, value: object, allowed: Collection[str], error: type[ValueError] = ValueError
) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise error(
            f"{option}: found {value!r}; expected {', '.join(allowed)}{nearest(value, allowed)}"
        )


def check_number(
    option: str,
    value: object,
    least: float,
    most: float | None = None,
    *,
    is_whole: bool = False,
    error: type[ValueError] = ValueError,
) -> None:
    is_number = isinstance(value, int if is_whole else int | float) and not isinstance(value, bool)
    if not (is_number and least <= value and (most is None or value <= most)):  # type: ignore[operator]
        kind = "a whole number" if is_whole else "a number"
        limits = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
        raise error(f"{option}: found {value!r}; expected {kind} {limits}")


def nearest(value: object, allowed: Collection[str]) -> str:
    near = near_names(value, allowed, 1)
    return f"; did you mean {near[0]}?" if near else ""
