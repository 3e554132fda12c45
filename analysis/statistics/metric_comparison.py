"""Is one metric better than another? Williams' test, and metrics that cannot be told apart.

Williams (1959), "Regression analysis"; for metrics Graham and Baldwin (2014),
"Testing for significance of increased correlation with human judgment". Two metrics' correlations
with the same human scores depend on each other through the metrics' own correlation:

    t(n - 3) = (r12 - r13) sqrt((n - 1) (1 + r23))
               / sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 * (1 - r23)^3)
    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23

where 1 is the human score, 2 and 3 are the metrics and n is the number of systems.
"""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from maege.analysis.statistics.judged_pairs import Floats, Integers

SIGNIFICANT = 0.05


class WilliamsTest(NamedTuple):
    """t, the one-sided p-value of r12 > r13, and the two-sided one; NaN where undefined."""

    t: Floats
    p_greater: Floats
    p_two_sided: Floats


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
    return WilliamsTest(
        t, scipy.special.stdtr(degrees, -t), 2 * scipy.special.stdtr(degrees, -np.abs(t))
    )


def metric_clusters(scores: ArrayLike, p_better: ArrayLike, alpha: float = SIGNIFICANT) -> Integers:
    """Return each metric's cluster, 1 for the best: metrics that cannot be told apart share one.

    Going down the ranking, a metric opens a new cluster when some metric of the current cluster
    is significantly better; so no metric of a cluster is beaten by another one of it (Freitag,
    Rei, Mathur et al. 2022, "Results of WMT22 metrics shared task", who call them ranks). Equal
    scores keep their order. A metric without a score gets 0.

    Args:
        scores: shape (k,), such as correlations with human scores; higher is better.
        p_better: shape (k, k): [i, j] the one-sided p-value of i being better than j. NaN tells
            nothing apart.
        alpha: the level of significance, for each pair.

    Raises:
        ValueError: the shapes do not fit.

    """
    values, p = np.asarray(scores, np.float64), np.asarray(p_better, np.float64)
    if values.ndim != 1 or p.shape != (values.size, values.size):
        raise ValueError(
            f"expected k scores and k x k p-values, found shapes {values.shape} and {p.shape}"
        )
    clusters = np.zeros(values.size, np.int64)
    current: list[int] = []
    number = 1
    for metric in np.argsort(-values, kind="stable"):
        if np.isnan(values[metric]):
            continue
        if (p[current, metric] <= alpha).any():
            number += 1
            current = []
        current.append(int(metric))
        clusters[metric] = number
    return clusters
