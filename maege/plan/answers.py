"""Estimate the sample size for a comparison, from the confidence interval of the difference."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from maege.analysis.statistics.resampling import (
    margin_shown,
    power_of,
    standard_error,
    units_to_equal,
    units_to_tell,
)
from maege.numbers import MINUS, format_interval, format_number, format_signed

# Fisher's z of a correlation has the variance 1 / (n - 3).
LOST = {"systems": 3}


class PlanError(Exception):
    """The marts lack data for an estimate; the message says which, and how to get them."""


@dataclass(frozen=True)
class Seen:
    """The observed difference of two metrics or systems, with its interval and number of units.

    `least` is the smallest number of units for any inference (docs/methods.md).
    """

    a: str
    b: str
    question: str
    measure: str
    difference: float
    ci_low: float
    ci_high: float
    unit: str
    n: int
    least: int
    assumptions: tuple[str, ...]

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return standard_error(self.ci_low, self.ci_high)


@dataclass(frozen=True)
class Plan:
    """The numbers of units needed; None if no number suffices."""

    seen: Seen
    asked: float
    is_as_seen: bool
    needed: int | None
    power: float
    margin: float
    needed_to_equal: int | None
    margin_shown: float

    def as_record(self) -> dict[str, Any]:
        """Return the estimate as plain values for JSON."""
        seen = asdict(self.seen) | {"standard_error": self.seen.error}
        return seen | {
            "asked_difference": self.asked,
            f"{self.seen.unit}_needed": self.needed,
            "power_now": self.power,
            "margin": self.margin,
            f"{self.seen.unit}_needed_for_equivalence": self.needed_to_equal,
            "margin_shown": self.margin_shown,
        }

    def lines(self) -> Iterator[str]:
        """Yield the output lines for the terminal."""
        seen, unit = self.seen, self.seen.unit
        yield f"{seen.a} and {seen.b}: {seen.question}"
        ends = format_interval(seen.ci_low, seen.ci_high, format_signed)
        yield (
            f"  Observed: {seen.a} {MINUS} {seen.b} is {format_signed(seen.difference)} {ends} in "
            f"{seen.measure}, with {seen.n:,} {unit}."
        )
        what = "as large as the observed one" if self.is_as_seen else f"of {_size(self.asked)}"
        if self.needed is None:
            yield f"  The observed difference is 0, so no number of {unit} makes it significant."
        else:
            now = f"; the power with {seen.n:,} is {100 * self.power:.0f} %"
            yield (
                f"  To find a difference {what} with a power of 80 %: {_about(self.needed)} "
                f"{unit}{now}."
            )
        if self.needed_to_equal is None:
            equal = f"no number of {unit} suffices, because the observed difference is larger"
        else:
            equal = f"{_about(self.needed_to_equal)} {unit}"
        yield f"  To show that the two differ by less than {_size(self.margin)}: {equal}."
        yield (
            "  The present data show that the two differ by less than "
            f"{_size(self.margin_shown)} (two one-sided tests at 5 %)."
        )
        yield from assumed(seen.assumptions)


def assumed(assumptions: Iterable[str]) -> Iterator[str]:
    """Yield the lines with the assumptions of an estimate."""
    yield "Assumed:"
    for assumption in assumptions:
        yield f"  - {assumption}"


def plan(seen: Seen, difference: float | None, margin: float | None) -> Plan:
    """Estimate how many units make a difference significant, or show equivalence.

    Args:
        seen: the observed difference of the two metrics or systems.
        difference: the difference to detect. Default: the observed one.
        margin: the margin of equivalence. Default: the difference to detect.

    """
    asked = abs(seen.difference) if difference is None else difference
    lost = LOST.get(seen.unit, 0)
    largest = asked if margin is None else margin
    # Without a given margin, the true difference is assumed to be 0 for the equivalence test.
    apart = 0.0 if margin is None else seen.difference
    return Plan(
        seen,
        asked,
        difference is None,
        _whole(units_to_tell(seen.n - lost, asked, seen.error), lost, seen.least),
        power_of(asked, seen.error),
        largest,
        _whole(units_to_equal(seen.n - lost, apart, seen.error, largest), lost, seen.least),
        margin_shown(seen.difference, seen.error),
    )


def judges_needed(ceiling: float, n_judges: int, target: float) -> int:
    """Return how many judges reach a ceiling, by the Spearman-Brown formula (1910).

    Args:
        ceiling: the reliability of all judges together, between 0 and 1.
        n_judges: the number of these judges.
        target: the ceiling to reach, between 0 and 1.

    """
    return math.ceil(n_judges * target * (1 - ceiling) / (ceiling * (1 - target)) - 1e-9)


def _whole(units: float, lost: int, least: int) -> int | None:
    return None if math.isinf(units) else max(least, math.ceil(units - 1e-9) + lost)


def _about(number: int) -> str:
    return f"{number:,}"


def _size(value: float) -> str:
    return format_number(value, 3 if abs(value) < 0.1 else 2)
