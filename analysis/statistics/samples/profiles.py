"""Intervals of what is counted over sentences: shares, means, and ratios of counts."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from maege.analysis.statistics.samples.least_samples import too_few


class Interval(NamedTuple):
    """A value with its bounds; None where there is nothing to estimate them from."""

    value: float
    low: float | None
    high: float | None

    def of_enough(self, sentences: int) -> "Interval":
        """Return it without bounds where the sentences are too few, or nothing varies."""
        if too_few(sentences=sentences) or self.low == self.high:
            return Interval(self.value, None, None)
        return self


class RatioSums(NamedTuple):
    """Sums over sentences of two counts x and y, of their squares, and of their product."""

    x: float
    y: float
    xx: float
    xy: float
    yy: float


def share(count: float, n: int, level: float) -> Interval:
    """Return the share of `count` among n with Wilson's interval (Wilson 1927)."""
    z = _quantile(level)
    found = count / n
    centre = (count + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * math.sqrt(n * found * (1 - found) + z * z / 4)
    # At 0 and at 1 a bound is the share itself, but for rounding.
    low, high = max(centre - reach, 0.0), min(centre + reach, 1.0)
    return Interval(found, min(low, found), max(high, found))


def mean(values: Sequence[float], level: float) -> Interval:
    """Return the mean, plus and minus its standard error times the normal quantile."""
    numbers = np.asarray(values, dtype=np.float64)
    centre = math.fsum(numbers) / len(numbers)
    if len(numbers) < 2:
        return Interval(centre, None, None)
    error = math.sqrt(math.fsum((numbers - centre) ** 2) / (len(numbers) - 1) / len(numbers))
    reach = _quantile(level) * error
    return Interval(centre, centre - reach, centre + reach)


def ratio(sums: RatioSums, level: float) -> Interval:
    """Return the ratio of the sums of x and y, its interval symmetric for the logarithm.

    The variance of the logarithm is sum (x - r y)^2 / (sum x)^2, sentences being independent
    (the delta method). Without any x there are no bounds.
    """
    found = sums.x / sums.y
    if sums.x == 0:
        return Interval(0.0, None, None)
    squares = sums.xx - 2 * found * sums.xy + found**2 * sums.yy
    reach = math.exp(_quantile(level) * math.sqrt(max(squares, 0.0)) / sums.x)
    return Interval(found, found / reach, found * reach)


def _quantile(level: float) -> float:
    return float(norm.ppf((1 + level) / 2))
