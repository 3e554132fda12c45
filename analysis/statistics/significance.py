"""Tests of metrics against each other: the set of best metrics, Williams' test, and q-values."""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.correlations import fisher_interval
from maege.analysis.statistics.pair_agreement import RELATIVE
from maege.analysis.statistics.resampling import Floats, Intervals

# --- The model confidence set: metrics that may be the best one ---
#
# Hansen, Lunde and Nason (2011), "The model confidence set". The test statistic is the largest of
# all differences between metrics, each divided by its standard error. While it is larger than
# expected by chance (from resamples, centred so that no metric differs), the metric that is
# furthest behind another one is removed. This controls the error of all comparisons together
# (Hothorn, Bretz and Westfall 2008, "Simultaneous inference in general parametric models").
#
# With few sentences, a difference is reduced by the ratio of Student's t to the normal distribution
# (Hesterberg 2015). For correlations over few systems this is not needed: their resamples have
# longer tails than Student's t, and the sets keep their level
# (tests/simulations/inference_validity.py).
#
# A metric is removed only if other resamples would remove it as well. While the probability is too
# close to the limit for the number of resamples, that number is doubled (sequential Monte Carlo
# tests: Besag and Clifford 1991; Gandy 2009). If the last doubling is not sufficient, the metric
# stays in the set.

Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
# Resamples of the metrics at these positions, shape (n_samples, positions), for block 1, 2, ...
MoreResamples = Callable[[int, Places], Floats]

# Number of batches of resamples. Their spread is the simulation error of a probability.
BATCHES = 20
# 99.95 % quantile of Student's t with BATCHES - 1 degrees of freedom: other resamples would change
# one decision in a thousand.
CERTAIN = 3.883405852592131
MOST_BLOCKS = 8


class BestSet(NamedTuple):
    """For each metric the share of resamples in which it is best, and whether it is in the set.

    Metrics that are best together share the resample. `n_resamples` is the number of resamples for
    the shares, `n_decided_by` that for the set.
    """

    best_share: Floats
    in_best_set: Flags
    n_resamples: int
    n_decided_by: int


class _Step(NamedTuple):
    loser: int
    p_value: float
    error: float


def best_set(
    estimates: ArrayLike,
    samples: ArrayLike,
    n: float,
    level: float = 0.95,
    more: MoreResamples | None = None,
) -> BestSet:
    """Resamples in which a metric has no estimate are excluded for all metrics.

    Args:
        estimates: estimates of the metrics, shape (k,); higher is better.
        samples: the same estimates in resamples shared by all metrics, shape (n_samples, k).
        n: number of resampled units, at least 2, for the small-sample correction of differences;
            infinite means no correction.
        more: draws more blocks of the same number of resamples; None uses `samples` only.
    """
    values, resamples = np.asarray(estimates, np.float64), np.asarray(samples, np.float64)
    complete = resamples[~np.isnan(resamples).any(axis=1)]
    stays, n_drawn = _confidence_set(values, resamples, n, 1 - level, more)
    return BestSet(_shares(complete), stays, len(complete), n_drawn)


def _shares(samples: Floats) -> Floats:
    best = samples.max(axis=1, keepdims=True)
    is_first = samples >= best - RELATIVE * np.abs(best)
    shares: Floats = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def _confidence_set(
    estimates: Floats, samples: Floats, n: float, alpha: float, more: MoreResamples | None
) -> tuple[Flags, int]:
    remaining = np.arange(len(estimates))
    block_size, blocks = len(samples), 1
    differences = _Differences(estimates, samples, n)
    while len(remaining) > 1:
        step = differences.furthest(alpha)
        margin = CERTAIN * step.error if more else 0.0
        if step.p_value + margin <= alpha:
            remaining = np.delete(remaining, step.loser)
            differences.leave(step.loser)
        elif step.p_value - margin > alpha or blocks == MOST_BLOCKS or more is None:
            break
        else:
            parts = [
                samples[:, remaining],
                *(more(block, remaining) for block in range(1, 2 * blocks)),
            ]
            blocks *= 2
            differences = _Differences(estimates[remaining], np.concatenate(parts), n)
    stays = np.zeros(len(estimates), np.bool_)
    stays[remaining] = True
    return stays, block_size * blocks


class _Differences:
    """Differences of all pairs of remaining metrics, each divided by its standard error."""

    def __init__(self, estimates: Floats, samples: Floats, n: float) -> None:
        complete = np.flatnonzero(~np.isnan(samples).any(axis=1))
        # Resamples that share a sample of judgments are in the same batch.
        batches = [complete[complete % BATCHES == batch] for batch in range(BATCHES)]
        self._ends = np.cumsum([0, *map(len, batches)])
        self._samples = samples[np.concatenate(batches)].T.copy()
        self._estimates, self._n = estimates, n
        self._a, self._b = np.triu_indices(len(estimates), k=1)
        self._scale = RELATIVE * np.abs(self._samples).max(initial=0)
        # Single precision halves the memory and suffices for comparing deviations.
        self._deviations = np.empty((len(self._a), self._samples.shape[1]), np.float32)
        self._t = np.empty(len(self._a))
        for pair, (a, b) in enumerate(self._pairs()):
            deviations, self._t[pair] = self._compared(a, b, slice(None))
            self._deviations[pair] = deviations

    def leave(self, place: int) -> None:
        remains = (self._a != place) & (self._b != place)
        self._a, self._b = (side[remains] - (side[remains] > place) for side in (self._a, self._b))
        self._t, self._deviations = self._t[remains], self._deviations[remains]
        self._samples = np.delete(self._samples, place, axis=0)
        self._estimates = np.delete(self._estimates, place)

    def furthest(self, alpha: float) -> _Step:
        pair = int(np.argmax(np.abs(self._t)))
        loser = int(self._b[pair] if self._t[pair] > 0 else self._a[pair])
        largest = self._deviations.max(axis=0)
        reached = largest >= _narrowed(abs(self._t[pair]), self._n)
        p_value = float(reached.mean())
        error = math.sqrt(max(p_value, alpha) / reached.size)
        if abs(p_value - alpha) < 4 * CERTAIN * error:
            # Near the limit, the simulation error of the standard errors counts as well.
            error = max(error, self._error(pair))
        return _Step(loser, p_value, error)

    def _error(self, pair: int) -> float:
        p_values = []
        for first, last in pairwise(self._ends):
            largest, t = np.zeros(last - first), 0.0
            for place, (a, b) in enumerate(self._pairs()):
                deviations, batch_t = self._compared(a, b, slice(first, last))
                np.maximum(largest, deviations, out=largest)
                t = abs(batch_t) if place == pair else t
            p_values.append((largest >= _narrowed(t, self._n)).mean())
        return float(np.std(p_values, ddof=1) / math.sqrt(BATCHES))

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return zip(self._a.tolist(), self._b.tolist(), strict=True)

    def _compared(self, a: int, b: int, resamples: slice) -> tuple[Floats, float]:
        """Return the deviations of two metrics' difference and its t, for some of the resamples."""
        differences = self._samples[a, resamples] - self._samples[b, resamples]
        differences -= differences.mean()
        error = math.sqrt(np.square(differences).mean())
        difference = float(self._estimates[a] - self._estimates[b])
        if error > self._scale:
            return np.abs(differences) / error, difference / error
        t = math.copysign(math.inf, difference) if abs(difference) > self._scale else 0.0
        return np.zeros_like(differences), t


def _narrowed(t: float, n: float) -> float:
    if math.isinf(n) or math.isinf(t):
        return t
    share_below = scipy.special.stdtr(n - 1, t * math.sqrt((n - 1) / n))
    return float(scipy.special.ndtri(share_below))


# --- Williams' test, and Zou's interval of the difference ---
#
# Williams (1959), "Regression analysis"; for metrics Graham and Baldwin (2014),
# "Testing for significance of increased correlation with human judgment". Two metrics' correlations
# with the same human scores depend on each other through the metrics' own correlation:
#
#     t(n - 3) = (r12 - r13) sqrt((n - 1) (1 + r23))
#                / sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 * (1 - r23)^3)
#     K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23
#
# where 1 is the human score, 2 and 3 are the metrics and n is the number of systems.
#
# Zou (2007), "Toward using confidence intervals to compare correlations": the bounds of r12 - r13
# come from the Fisher intervals of both correlations and from the correlation between them.


class WilliamsTest(NamedTuple):
    """t, and the two-sided p-value of r12 = r13; NaN where undefined."""

    t: Floats
    p_value: Floats


def williams(r12: ArrayLike, r13: ArrayLike, r23: ArrayLike, n: ArrayLike) -> WilliamsTest:
    """Return Williams' test of two dependent correlations; arrays broadcast.

    NaN for fewer than four systems or if a correlation is NaN. Equal correlations have t = 0.
    """
    first, second, r_metrics, systems = (
        np.asarray(part, dtype=np.float64) for part in (r12, r13, r23, n)
    )
    determinant = 1 - first**2 - second**2 - r_metrics**2 + 2 * first * second * r_metrics
    with np.errstate(divide="ignore", invalid="ignore"):
        # Rounding may make the determinant of three collinear scores negative.
        spread = 2 * np.maximum(determinant, 0) * (systems - 1) / (systems - 3)
        spread = spread + (first + second) ** 2 / 4 * (1 - r_metrics) ** 3
        t = (first - second) * np.sqrt((systems - 1) * (1 + r_metrics) / spread)
    # For a metric compared with itself, t is 0 / 0.
    t = np.where((first == second) & ~np.isnan(r_metrics), 0.0, t)
    t = np.where(systems > 3, t, np.nan)
    degrees = np.where(systems > 3, systems - 3, np.nan)
    return WilliamsTest(t, 2 * scipy.special.stdtr(degrees, -np.abs(t)))


def zou_interval(
    r12: ArrayLike, r13: ArrayLike, r23: ArrayLike, n: int, level: float = 0.95
) -> Intervals:
    """Return the interval of r12 - r13 of `williams`; NaN for n < 4 or equal correlations of 1."""
    first, second, r_metrics = (np.asarray(part, dtype=np.float64) for part in (r12, r13, r23))
    (low, high), (other_low, other_high) = (
        fisher_interval(part, n, level) for part in (first, second)
    )
    unexplained = (1 - first**2) * (1 - second**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (r_metrics - first * second / 2) * (1 - first**2 - second**2 - r_metrics**2)
        r_correlations = np.clip((shared + r_metrics**3) / unexplained, -1.0, 1.0)
        below, above = (
            np.sqrt(
                np.maximum(
                    own_half_width**2
                    + other_half_width**2
                    - 2 * r_correlations * own_half_width * other_half_width,
                    0.0,
                )
            )
            for own_half_width, other_half_width in (
                (first - low, other_high - second),
                (high - first, second - other_low),
            )
        )
    difference = first - second
    return Intervals(difference - below, difference + above)


# --- q-values of a family of tests (Benjamini and Hochberg 1995) ---


def q_values(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return q-values (the false discovery rate at each p-value); NaN is ignored and stays NaN."""
    p = np.asarray(p_values, dtype=np.float64)
    q = np.full(p.shape, np.nan)
    tested = ~np.isnan(p)
    # As scipy.stats.false_discovery_control, whose import costs a third of a warm comparison.
    order = np.argsort(p[tested])
    ranks = np.arange(1, order.size + 1)
    steps = p[tested][order] * (order.size / ranks)
    corrected = np.empty(order.size)
    corrected[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1)
    q[tested] = corrected
    return q


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return p-values that control the family-wise error rate (Holm 1979)."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate((p.size - np.arange(p.size)) * p[order])
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected
