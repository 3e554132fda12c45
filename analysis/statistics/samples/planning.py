"""How many sentences or systems would settle a question, from what is stored of those there are.

A standard error falls with the root of the number of what was drawn, so that what some sentences
have shown says how many more would show (Cohen 1988, "Statistical power analysis for the behavioral
sciences", chapter 2, with the normal distribution):

    n' = n ((z of 1 - alpha / 2 + z of power) se / |difference|)^2

Not significant is not equal: two things are called equivalent where both one-sided tests at 5 %
find them no further apart than a margin, which is where the 90 % interval of their difference lies
within it (Schuirmann 1987; Lakens 2017, "Equivalence tests").
"""

import math

import scipy

LEVEL = 0.95
POWER = 0.8
EQUIVALENCE_LEVEL = 0.9


def standard_error(low: float, high: float, level: float = LEVEL) -> float:
    """Return the standard error of which the bounds are an interval, as if it were normal."""
    return (high - low) / (2 * _quantile((1 + level) / 2))


def units_to_tell(
    n: float, difference: float, error: float, level: float = LEVEL, power: float = POWER
) -> float:
    """Return how many units would tell such a difference from 0; infinite where there is none.

    Args:
        n: how many units there are.
        difference: what they show, or what is to be found.
        error: its standard error with the units that there are.
        level: of the two-sided test, 1 - alpha.
        power: the probability with which the test is to find it.

    """
    if difference == 0:
        return math.inf
    return n * ((_quantile((1 + level) / 2) + _quantile(power)) * error / difference) ** 2


def units_to_equal(n: float, difference: float, error: float, margin: float) -> float:
    """Return how many units would show two things to be no further apart than a margin.

    Infinite where the difference is no smaller than the margin. With POWER, by two one-sided tests
    at 5 %; where the difference is 0 both of them have to reject.

    Args:
        n: how many units there are.
        difference: between the two.
        error: its standard error with the units that there are.
        margin: the largest difference that does not matter.

    """
    left = margin - abs(difference)
    if left <= 0:
        return math.inf
    power = (1 + POWER) / 2 if difference == 0 else POWER
    return n * ((_quantile((1 + EQUIVALENCE_LEVEL) / 2) + _quantile(power)) * error / left) ** 2


def power_of(difference: float, error: float, level: float = LEVEL) -> float:
    """Return how often a two-sided test finds such a difference with the units that there are."""
    limit, shift = _quantile((1 + level) / 2), abs(difference) / error if error else math.inf
    return float(scipy.special.ndtr(shift - limit) + scipy.special.ndtr(-shift - limit))


def margin_shown(difference: float, error: float) -> float:
    """Return the smallest margin within which two one-sided tests at 5 % find the difference."""
    return abs(difference) + _quantile((1 + EQUIVALENCE_LEVEL) / 2) * error


def _quantile(share: float) -> float:
    return float(scipy.special.ndtri(share))
