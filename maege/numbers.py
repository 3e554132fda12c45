"""Numbers as people read them: 0.70 [0.65, 0.75], −0.012 with a real minus sign, p < 0.001."""

from collections.abc import Callable, Mapping
from typing import Any

MINUS = "\N{MINUS SIGN}"
SMALLEST_P = 0.001


def format_number(value: float | None, decimals: int = 2) -> str:
    """Return the number with so many decimals; nothing for None."""
    return "" if value is None else _with_minus(f"{value:,.{decimals}f}")


def format_signed(value: float | None, decimals: int = 3) -> str:
    """Return a difference with its sign, which 0 does not have; nothing for None."""
    return "" if value is None else _with_minus(f"{value:+,.{decimals}f}")


def format_change(value: float) -> str:
    """Return the difference of two scores of a metric: three decimals, one if it is 10 or more."""
    return format_signed(value, 3 if abs(value) < 10 else 1)


def format_score(value: float, decimals: int = 2) -> str:
    """Return a score of a metric: so many decimals, but one if it is 10 or more."""
    return format_number(value, decimals if abs(value) < 10 else 1)


def format_share(value: float, decimals: int = 0) -> str:
    """Return the share in percent."""
    return f"{format_number(100 * value, decimals)} %"


def format_p(value: float | None) -> str:
    """Return a p-value: three decimals, and a fourth close to 0.05."""
    if value is None:
        return ""
    if value < SMALLEST_P:
        return f"< {SMALLEST_P:g}"
    shown = f"{value:.3f}"
    return f"{value:.4f}" if shown == "0.050" else shown


def p_equals(value: float, name: str = "p") -> str:
    """Return a p-value, or a q-value, in a sentence: p = 0.02, or p < 0.001."""
    shown = format_p(value)
    return f"{name} {shown}" if shown.startswith("<") else f"{name} = {shown}"


def format_interval(
    low: float | None, high: float | None, shown: Callable[[float], str] = format_number
) -> str:
    """Return the interval in brackets; nothing without a bound."""
    return "" if low is None or high is None else f"[{shown(low)}, {shown(high)}]"


def estimate(row: Mapping[str, Any]) -> str:
    """Return the row's `value` with the interval from `ci_low` to `ci_high`, if it has one."""
    return f"{format_number(row['value'])} {interval(row)}".strip()


def interval(row: Mapping[str, Any], shown: Callable[[float], str] = format_number) -> str:
    """Return the interval of a row from `ci_low` to `ci_high`; nothing without a bound."""
    return format_interval(row["ci_low"], row["ci_high"], shown)


def _with_minus(text: str) -> str:
    is_zero = not any(digit in text for digit in "123456789")
    return text.lstrip("+-") if is_zero else text.replace("-", MINUS)
