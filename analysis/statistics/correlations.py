"""Pearson's r, Spearman's rho and Kendall's W, with p-values and intervals."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy
from numpy.typing import ArrayLike

from maege.analysis.statistics.resampling import (
    Floats,
    Integers,
    Intervals,
    percentile_intervals,
    two_sided_quantile,
)

# --- Pearson's r and Spearman's rho, row by row, and their bootstrap intervals ---
#
# Each bootstrap sample of sentences recomputes human scores and metric scores: BOOT-INPUTS of
# Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation metrics using
# resampling methods" (arXiv 2104.00054). The interval is about these systems.

# Up to this number of values, `average_ranks` compares all pairs instead of sorting.
_FEW_VALUES = 32


class CorrelationIntervals(NamedTuple):
    """`n_samples` is the number of samples with a correlation."""

    low: Floats
    high: Floats
    n_samples: Integers


def pearson_of_rows(left: ArrayLike, right: ArrayLike) -> Floats:
    """Return Pearson's r of each row of `left`, shape (..., n), with the same row of `right`.

    Shapes broadcast. NaN if a row is constant, has fewer than two values or contains a NaN.
    """
    x, y = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if x.shape[-1] < 2:
        return np.full(np.broadcast_shapes(x.shape, y.shape)[:-1], np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = _scaled_deviations(x), _scaled_deviations(y)
        norms = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
        coefficients: Floats = np.clip((x * y).sum(axis=-1) / norms, -1.0, 1.0)
    return coefficients


def spearman_of_rows(left: ArrayLike, right: ArrayLike) -> Floats:
    """Return Spearman's rho, with average ranks for ties; otherwise like `pearson_of_rows`."""
    x, y = (
        np.ascontiguousarray(np.moveaxis(average_ranks(np.moveaxis(side, -1, 0)), 0, -1))
        for side in (np.asarray(left), np.asarray(right))
    )
    return pearson_of_rows(x, y)


def average_ranks(values: ArrayLike) -> Floats:
    """Return ranks from 1 along the first axis, averaged over ties; NaN in a column with a NaN."""
    rows = np.ascontiguousarray(values, dtype=np.float64)
    if len(rows) > _FEW_VALUES:
        return np.asarray(scipy.stats.rankdata(rows, axis=0, nan_policy="propagate"))
    # For about a dozen values, comparing all pairs is faster than sorting each column. A rank is (n
    # + 1) / 2 plus half the difference between the numbers of lower and higher values.
    surplus = np.zeros(rows.shape, np.int8)
    for first, second in combinations(range(len(rows)), 2):
        sign = np.subtract(rows[first] > rows[second], rows[first] < rows[second], dtype=np.int8)
        surplus[first] += sign
        surplus[second] -= sign
    ranks: Floats = (len(rows) + 1) / 2 + surplus / 2
    ranks[:, np.isnan(rows).any(axis=0)] = np.nan
    return ranks


COEFFICIENTS: Mapping[str, Callable[[ArrayLike, ArrayLike], Floats]] = MappingProxyType(
    {"pearson": pearson_of_rows, "spearman": spearman_of_rows}
)


def correlation_intervals(
    human_samples: ArrayLike,
    score_samples: ArrayLike,
    coefficient: str,
    level: float = 0.95,
) -> CorrelationIntervals:
    """Return the interval of each metric's correlation with human scores.

    Args:
        human_samples: the systems' human scores in each bootstrap sample, shape (n_samples, n).
        score_samples: the metrics' scores in the same samples, shape (k, n_samples, n).
        coefficient: `pearson` or `spearman`.
    """
    gold, values = np.asarray(human_samples, np.float64), np.asarray(score_samples, np.float64)
    samples = COEFFICIENTS[coefficient](values, gold)
    low, high = percentile_intervals(samples.T, level)
    return CorrelationIntervals(
        low, high, np.count_nonzero(~np.isnan(samples), axis=1).astype(np.int64)
    )


def redrawn_systems(n_systems: int, n_samples: int, seed: int | Sequence[int]) -> Integers:
    """Return the systems in each sample, drawn with replacement, shape (n_samples, n_systems)."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.integers(0, n_systems, (n_samples, n_systems))


def _scaled_deviations(rows: Floats) -> Floats:
    mean = rows.mean(axis=-1, keepdims=True)
    highest, lowest = rows.max(axis=-1, keepdims=True), rows.min(axis=-1, keepdims=True)
    largest = np.maximum(highest - mean, mean - lowest)
    # A constant such as 0.1 has rounding noise as deviations, which would correlate.
    largest[highest == lowest] = np.nan
    scaled: Floats = (rows - mean) / largest
    return scaled


# --- p-values, and Fisher's intervals ---
#
# Pearson (1895), "Notes on regression and inheritance in the case of two parents"; Spearman (1904),
# "The proof and measurement of association between two things". The p-values are two-sided, by
# Student's t with n - 2 degrees of freedom: exact for r under normality, an approximation for rho.
# SciPy and the MAEGE paper print the same. Intervals are Fisher's (1921), "On the 'probable error'
# of a coefficient of correlation": atanh(r) is about normal with variance 1 / (n - 3).


def correlation_p_values(coefficient: ArrayLike, n: ArrayLike) -> Floats:
    r, degrees = np.asarray(coefficient, np.float64), np.asarray(n, np.float64) - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(r) * np.sqrt(degrees / ((1 + r) * (1 - r)))
    p: Floats = 2 * scipy.special.stdtr(degrees, -t)
    return p


def fisher_interval(coefficient: ArrayLike, n: int, level: float = 0.95) -> Intervals:
    """Return the interval of correlations of n pairs; NaN for n < 4 or a correlation of 1 or -1."""
    r = np.asarray(coefficient, np.float64)
    if n < 4:
        return Intervals(np.full_like(r, np.nan), np.full_like(r, np.nan))
    z = np.arctanh(np.where(np.abs(r) < 1, r, np.nan))
    width = two_sided_quantile(level) / np.sqrt(n - 3)
    return Intervals(np.tanh(z - width), np.tanh(z + width))


# --- Windows of systems of similar quality ---
#
# Kobayashi, Mita and Komachi (2024), "Revisiting meta-evaluation for grammatical error correction"
# (SEEDA), with windows of four systems among twelve.

SEEDA_WINDOW = 4


def system_windows(human: ArrayLike, size: int = SEEDA_WINDOW) -> Integers:
    """Return the positions of the systems in each window, best first: (n - size + 1, size).

    Among equal human scores, shape (n,), the later system comes first, as in SEEDA's scripts.
    """
    gold = np.asarray(human, dtype=np.float64)
    best_first = np.argsort(gold, kind="stable")[::-1]
    starts = np.arange(max(gold.size - size + 1, 0))
    windows: Integers = best_first[starts[:, np.newaxis] + np.arange(size)]
    return windows


# --- Kendall's W: agreement of several orders of the same items ---


class Concordance(NamedTuple):
    w: float
    mean_rho: float


def concordance(scores: npt.ArrayLike) -> Concordance | None:
    """Return Kendall's W of the rows' orders of the columns (Kendall and Babington Smith 1939).

    With m rows, k columns, R_j the sum of the ranks of column j, and t the sizes of ties within
    rows,

        W = 12 sum_j (R_j - mean R)^2 / (m^2 (k^3 - k) - m sum (t^3 - t)).

    The mean rho is (m W - 1) / (m - 1), which is exact without ties. None for fewer than two rows
    or columns, and if rows have only ties.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or min(values.shape) < 2:
        return None
    m, k = values.shape
    ranks = scipy.stats.rankdata(values, axis=1)
    spread = ((ranks.sum(axis=0) - m * (k + 1) / 2) ** 2).sum()
    sizes = [np.unique(row, return_counts=True)[1] for row in ranks]
    ties = sum(int((size**3 - size).sum()) for size in sizes)
    most = m**2 * (k**3 - k) - m * ties
    if most <= 0:
        return None
    w = 12 * float(spread) / most
    return Concordance(w, (m * w - 1) / (m - 1))
