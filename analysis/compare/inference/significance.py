"""Whether two systems differ: p-values, their corrections, ranks that the tests leave possible.

p of approximate randomisation is (swaps with a difference at least as large + 1) / (swaps + 1), so
that none is 0. Holm 1979 corrects the comparisons by one metric, Benjamini and Hochberg 1995 those
of the error types of a pair. Two systems are called equivalent where the 90 % interval of their
difference lies within a margin (two one-sided tests at 5 %; Schuirmann 1987).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.compare.results import Equivalence, Interval, Ranks
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.statistics.resampling import paired_p_values, percentile_intervals

LEVEL = 0.95
EQUIVALENCE_LEVEL = 0.9
# Differences that are equal but for the last bits.
ROUNDING = 1e-12


class Differences(NamedTuple):
    """The differences b - a of some pairs; `samples` has shape (resamples, pairs)."""

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    se: FloatArray
    p_randomisation: FloatArray
    p_bootstrap: FloatArray
    samples: FloatArray


def differences(
    scores: FloatArray, drawn: FloatArray, swapped: FloatArray, pairs: ArrayLike
) -> Differences:
    """Return the differences of pairs of systems, and how sure they are.

    Args:
        scores: of the systems, shape (systems,).
        drawn: of the systems in each sample, shape (resamples, systems).
        swapped: b - a of the pairs after each swap, shape (resamples, pairs).
        pairs: positions of a and b, shape (pairs, 2).

    """
    a, b = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    difference = scores[b] - scores[a]
    samples = drawn[:, b] - drawn[:, a]
    low, high = percentile_intervals(samples, LEVEL)
    return Differences(
        difference,
        low,
        high,
        samples.std(axis=0),
        randomisation_p(difference, swapped),
        paired_p_values(samples),
        samples,
    )


def randomisation_p(difference: FloatArray, swapped: FloatArray) -> FloatArray:
    """Return two-sided p-values: of (k,) differences and (swaps, k) after swapping."""
    reached = (np.abs(swapped) >= np.abs(difference) - ROUNDING).sum(axis=0)
    p: FloatArray = (reached + 1) / (len(swapped) + 1)
    return p


def holm(p_values: ArrayLike) -> FloatArray:
    """Return p-values corrected for all of them being looked at: the family-wise error rate."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate((p.size - np.arange(p.size)) * p[order])
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """Return q-values: the share of false discoveries among all that are no less sure."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")[::-1]
    steps = np.minimum.accumulate(p[order] * p.size / np.arange(p.size, 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected


def equivalence(samples: FloatArray, margin: float) -> Equivalence:
    """Return whether two systems are equivalent, from the differences in samples: shape (n,)."""
    low, high = percentile_intervals(samples[:, np.newaxis], EQUIVALENCE_LEVEL)
    ci = Interval(float(low[0]), float(high[0]))
    return Equivalence(margin, ci, -margin < ci.low and ci.high < margin)


def possible_ranks(
    scores: ArrayLike, pairs: ArrayLike, p_values: ArrayLike, alpha: float
) -> list[Ranks]:
    """Return the rank of each system, and those that tests of all pairs leave possible.

    Args:
        scores: shape (systems,); the highest ranks first, equal ones share the better rank.
        pairs: positions of all pairs, shape (pairs, 2).
        p_values: of these, corrected, shape (pairs,).
        alpha: below which p the two differ.

    """
    score = np.asarray(scores, dtype=np.float64)
    better: NDArray[np.int64] = np.zeros(score.size, dtype=np.int64)
    worse = np.zeros_like(better)
    for (a, b), p in zip(np.asarray(pairs).reshape(-1, 2), np.asarray(p_values), strict=True):
        if p < alpha:
            upper, lower = (a, b) if score[a] > score[b] else (b, a)
            better[lower] += 1
            worse[upper] += 1
    rank = 1 + (score[np.newaxis] > score[:, np.newaxis]).sum(axis=1)
    return [
        Ranks(int(of_one), int(1 + above), int(score.size - below))
        for of_one, above, below in zip(rank, better, worse, strict=True)
    ]
