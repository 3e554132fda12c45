"""Numbers as people read them: .70 [.65, .75]."""

from collections.abc import Callable, Mapping
from typing import Any


def estimate(row: Mapping[str, Any]) -> str:
    """Return the row's `value` with the interval from `ci_low` to `ci_high`, if it has one."""
    return f"{two_digits(row['value'])} {interval(row, two_digits)}".strip()


def interval(row: Mapping[str, Any], shown: Callable[[float], str]) -> str:
    """Return the interval in brackets; nothing where an end is missing."""
    if row["ci_low"] is None or row["ci_high"] is None:
        return ""
    return f"[{shown(row['ci_low'])}, {shown(row['ci_high'])}]"


def two_digits(value: float) -> str:
    """Return the number with two decimals, without the zero before its point."""
    return without_zero(f"{value:.2f}")


def without_zero(number: str) -> str:
    """Return the number without the zero before its point, and 0 without a sign."""
    digits = number.lstrip("+-")
    sign = number[: -len(digits)] if float(number) else ""
    return sign + (digits[1:] if digits.startswith("0.") else digits)


def p_value(value: float) -> str:
    """Return a p-value with three decimals, `< .001` for smaller ones."""
    return "< .001" if value < 0.001 else without_zero(f"{value:.3f}")


def signed_change(value: float) -> str:
    """Return a difference with its sign: three decimals, of large ones one."""
    return without_zero(f"{value:+.3f}") if abs(value) < 10 else f"{value:+.1f}"
