"""Is one metric better than another? Williams' test, and Zou's interval of the difference.

Williams (1959), "Regression analysis"; for metrics Graham and Baldwin (2014),
"Testing for significance of increased correlation with human judgment". Two metrics' correlations
with the same human scores depend on each other through the metrics' own correlation:

    t(n - 3) = (r12 - r13) sqrt((n - 1) (1 + r23))
               / sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 * (1 - r23)^3)
    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23

where 1 is the human score, 2 and 3 are the metrics and n is the number of systems.

Zou (2007), "Toward using confidence intervals to compare correlations": the bounds of r12 - r13 are
made of the Fisher intervals of both, and of how far the two correlations go together. The sample of
both are the systems.
"""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from maege.analysis.statistics.correlations.correlation import fisher_interval
from maege.analysis.statistics.judgments.judged_pairs import Floats
from maege.analysis.statistics.samples.bootstrap import Intervals


class WilliamsTest(NamedTuple):
    """t, and the two-sided p-value of r12 = r13; NaN where undefined."""

    t: Floats
    p_value: Floats


def williams(r12: ArrayLike, r13: ArrayLike, r23: ArrayLike, n: ArrayLike) -> WilliamsTest:
    """Return Williams' test of two dependent correlations; arrays broadcast.

    NaN for fewer than four systems or where a correlation is NaN. Equal correlations have t = 0.

    Args:
        r12: correlation of the first metric with the human scores.
        r13: that of the second metric.
        r23: correlation of the two metrics with each other.
        n: number of systems.

    """
    first, second, between, systems = (
        np.asarray(part, dtype=np.float64) for part in (r12, r13, r23, n)
    )
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    with np.errstate(divide="ignore", invalid="ignore"):
        # Rounding may leave the determinant of three collinear scores below zero.
        spread = 2 * np.maximum(determinant, 0) * (systems - 1) / (systems - 3)
        spread = spread + (first + second) ** 2 / 4 * (1 - between) ** 3
        t = (first - second) * np.sqrt((systems - 1) * (1 + between) / spread)
    # A metric beside itself is 0 / 0.
    t = np.where((first == second) & ~np.isnan(between), 0.0, t)
    t = np.where(systems > 3, t, np.nan)
    degrees = np.where(systems > 3, systems - 3, np.nan)
    return WilliamsTest(t, 2 * scipy.special.stdtr(degrees, -np.abs(t)))


def zou_interval(
    r12: ArrayLike, r13: ArrayLike, r23: ArrayLike, n: int, level: float = 0.95
) -> Intervals:
    """Return the bounds of r12 - r13; NaN for fewer than four systems, or equal correlations of 1.

    Arguments as for `williams`, n being one number.
    """
    first, second, between = (np.asarray(part, dtype=np.float64) for part in (r12, r13, r23))
    (low, high), (other_low, other_high) = (
        fisher_interval(part, n, level) for part in (first, second)
    )
    unexplained = (1 - first**2) * (1 - second**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (between - first * second / 2) * (1 - first**2 - second**2 - between**2)
        together = np.clip((shared + between**3) / unexplained, -1.0, 1.0)
        below, above = (
            np.sqrt(np.maximum(own**2 + other**2 - 2 * together * own * other, 0.0))
            for own, other in (
                (first - low, other_high - second),
                (high - first, second - other_low),
            )
        )
    difference = first - second
    return Intervals(difference - below, difference + above)
