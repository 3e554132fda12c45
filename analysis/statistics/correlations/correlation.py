"""Pearson's r and Spearman's rho, with the p-values that SciPy prints.

Pearson (1895), "Notes on regression and inheritance in the case of two parents"; Spearman (1904),
"The proof and measurement of association between two things". The p-values are two-sided: for r
the exact distribution under normality (a symmetric beta), for rho the t-approximation with n - 2
degrees of freedom, which is what the MAEGE paper prints. Intervals are Fisher's (1921), "On the
'probable error' of a coefficient of correlation": atanh(r) is about normal with variance
1 / (n - 3).
"""

from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are used: a build with nothing to do uses none
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.samples.bootstrap import Intervals

Floats = NDArray[np.float64]


class Correlation(NamedTuple):
    """A coefficient in [-1, 1] and its two-sided p-value; both NaN where neither is defined."""

    coefficient: float
    p: float


class Correlations(NamedTuple):
    """Coefficients and p-values, one of each for every row of a matrix of scores."""

    coefficient: Floats
    p: Floats


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Pearson's r of two vectors and its p-value.

    Both are NaN for fewer than two values, a constant vector or a vector with a NaN.

    Raises:
        ValueError: the vectors differ in length or are not one-dimensional.

    """
    return _only_row(pearson_rows(_as_row(x), y))


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Spearman's rho of two vectors (ties get their average rank) and its p-value.

    Both are NaN for fewer than two values, a constant vector or a vector with a NaN.

    Raises:
        ValueError: the vectors differ in length or are not one-dimensional.

    """
    return _only_row(spearman_rows(_as_row(x), y))


def pearson_rows(scores: ArrayLike, gold: ArrayLike) -> Correlations:
    """Return Pearson's r of every row of `scores` with `gold`, and the p-values.

    Args:
        scores: matrix, one row a score vector (such as one draw of one metric).
        gold: vector as long as a row.

    Raises:
        ValueError: the shapes do not fit.

    """
    rows, vector = _checked(scores, gold)
    coefficients = _row_coefficients(rows, vector)
    n = vector.size
    if n == 2:
        return Correlations(coefficients, np.where(np.isnan(coefficients), np.nan, 1.0))
    half = n / 2 - 1
    # (1 + r) / 2 is Beta(n/2 - 1, n/2 - 1) where the vectors are unrelated (Student 1908).
    tail = scipy.special.betainc(half, half, (1 - np.abs(coefficients)) / 2)
    return Correlations(coefficients, 2 * tail)


def spearman_rows(scores: ArrayLike, gold: ArrayLike) -> Correlations:
    """Return Spearman's rho of every row of `scores` with `gold`, and the p-values.

    Args:
        scores: matrix, one row a score vector (such as one draw of one metric).
        gold: vector as long as a row.

    Raises:
        ValueError: the shapes do not fit.

    """
    rows, vector = _checked(scores, gold)
    coefficients = _row_coefficients(
        scipy.stats.rankdata(rows, axis=1, nan_policy="propagate"),
        scipy.stats.rankdata(vector, nan_policy="propagate"),
    )
    degrees = vector.size - 2
    if degrees <= 0:
        return Correlations(coefficients, np.full_like(coefficients, np.nan))
    with np.errstate(divide="ignore"):
        t = coefficients * np.sqrt(degrees / ((1 + coefficients) * (1 - coefficients)))
    return Correlations(coefficients, 2 * scipy.special.stdtr(degrees, -np.abs(t)))


def fisher_interval(coefficient: ArrayLike, n: int, level: float = 0.95) -> Intervals:
    """Return the bounds of a correlation of n pairs; NaN below four pairs, or where it is 1 or -1.

    Args:
        coefficient: of any shape.
        n: how many pairs of values.
        level: of confidence.

    """
    found = np.asarray(coefficient, np.float64)
    if n < 4:
        return Intervals(np.full_like(found, np.nan), np.full_like(found, np.nan))
    found = np.where(np.abs(found) < 1, found, np.nan)
    width = scipy.special.ndtri((1 + level) / 2) / np.sqrt(n - 3)
    return Intervals(np.tanh(np.arctanh(found) - width), np.tanh(np.arctanh(found) + width))


def _as_row(x: ArrayLike) -> Floats:
    vector = np.asarray(x, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"expected a vector, found an array of shape {vector.shape}")
    return vector[np.newaxis, :]


def _only_row(result: Correlations) -> Correlation:
    return Correlation(float(result.coefficient[0]), float(result.p[0]))


def _checked(scores: ArrayLike, gold: ArrayLike) -> tuple[Floats, Floats]:
    rows = np.asarray(scores, dtype=np.float64)
    vector = np.asarray(gold, dtype=np.float64)
    if rows.ndim != 2 or vector.ndim != 1 or rows.shape[1] != vector.size:
        raise ValueError(
            f"expected a matrix whose rows are as long as the gold vector, found shapes "
            f"{rows.shape} and {vector.shape}"
        )
    return rows, vector


def _row_coefficients(rows: Floats, vector: Floats) -> Floats:
    """Return Pearson's r of every row, by sums: BLAS threads would change a product's last bit."""
    undefined = np.full(rows.shape[0], np.nan)
    if vector.size < 2 or _constant(vector[np.newaxis, :])[0]:
        return undefined
    # Scaling by the largest deviation keeps tiny and huge scores from underflow and overflow.
    left = rows - rows.mean(axis=1, keepdims=True)
    right = vector - vector.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        left = left / np.abs(left).max(axis=1, keepdims=True)
        right = right / np.abs(right).max()
        norms = np.sqrt((left**2).sum(axis=1) * (right**2).sum())
        coefficients = np.clip((left * right).sum(axis=1) / norms, -1.0, 1.0)
    # A constant such as 0.1 has deviations of rounding noise, and noise would correlate.
    return np.where(_constant(rows), undefined, coefficients)


def _constant(rows: Floats) -> NDArray[np.bool_]:
    constant: NDArray[np.bool_] = rows.max(axis=1) == rows.min(axis=1)
    return constant
