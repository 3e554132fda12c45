"""Intervals of a correlation of which both sides were drawn again.

Efron (1979), "Bootstrap methods: another look at the jackknife". Human scores and metric scores of
the same sentences share their chance: a sample of sentences gives both anew, and their correlation
in each sample is one draw of its bootstrap distribution. Deutsch, Dror and Roth (2021), "A
statistical analysis of summarization evaluation metrics using resampling methods"
(arXiv 2104.00054), call this BOOT-INPUTS. It is about these systems. Where the systems are drawn
again (BOOT-SYSTEMS), or both (BOOT-BOTH: of each sample of sentences, systems with replacement),
the interval is about systems like these.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers
from maege.analysis.statistics.samples.bootstrap import percentile_intervals

# How NumPy adds the numbers of a row: in eight sums, and in halves where there are more than these.
_AT_ONCE, _BLOCK = 8, 128


class CorrelationIntervals(NamedTuple):
    """One value a metric in every field.

    `n_samples` are the samples in which the correlation exists. NaN where it never does.
    """

    low: Floats
    high: Floats
    n_samples: Integers


def pearson_of_rows(left: ArrayLike, right: ArrayLike) -> Floats:
    """Return Pearson's r of each row of `left` with the same row of `right`: shape (...).

    NaN where a row is constant, shorter than two or has a NaN.

    Args:
        left: shape (..., n).
        right: shape (..., n), or one that broadcasts to it.

    Raises:
        ValueError: the rows differ in length.

    """
    x, y = _of_one_length(left, right)
    if x.shape[-1] < 2:
        return np.full(np.broadcast_shapes(x.shape, y.shape)[:-1], np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = _scaled_deviations(x), _scaled_deviations(y)
        norms = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
        coefficients: Floats = np.clip((x * y).sum(axis=-1) / norms, -1.0, 1.0)
    return coefficients


def spearman_of_rows(left: ArrayLike, right: ArrayLike) -> Floats:
    """Return Spearman's rho of each row of `left` with the same row of `right`: shape (...).

    Tied values get their average rank. Arguments, errors and NaN as for `pearson_of_rows`.
    """
    x, y = (average_ranks(np.moveaxis(side, -1, 0)) for side in _of_one_length(left, right))
    # The rows stand in columns now: what they broadcast to goes before their own axes.
    x, y = (
        side.reshape(len(side), *(1,) * (max(x.ndim, y.ndim) - side.ndim), *side.shape[1:])
        for side in (x, y)
    )
    if len(x) < 2:
        return np.full(np.broadcast_shapes(x.shape, y.shape)[1:], np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = _scaled_deviations_of_columns(x), _scaled_deviations_of_columns(y)
        norms = np.sqrt(_pairwise_sum(x**2) * _pairwise_sum(y**2))
        coefficients: Floats = np.clip(_pairwise_sum(x * y) / norms, -1.0, 1.0)
    return coefficients


def average_ranks(values: ArrayLike) -> Floats:
    """Return ranks from 1 along the first axis; tied values get their average rank.

    NaN throughout a column with a NaN. A rank is (n + 1) / 2 and half of how many values are below
    less how many are above: for a dozen values comparing all is faster than sorting each column.

    Args:
        values: shape (n, ...).

    """
    rows = np.ascontiguousarray(values, dtype=np.float64)
    surplus = np.zeros(rows.shape, np.int32)
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
        level: the share of samples between the bounds.

    Raises:
        ValueError: the shapes do not fit, the coefficient has another name, or the level is not
            in (0, 1).

    """
    gold, values = np.asarray(human_samples, np.float64), np.asarray(score_samples, np.float64)
    if values.shape != (len(values), *gold.shape):
        raise ValueError(
            f"expected scores of the same systems in the same samples, found shapes {gold.shape} "
            f"and {values.shape}"
        )
    if coefficient not in COEFFICIENTS:
        raise ValueError(f"expected one of {', '.join(COEFFICIENTS)}, found {coefficient}")
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, found {level}")
    samples = COEFFICIENTS[coefficient](values, gold)
    low, high = percentile_intervals(samples.T, level)
    return CorrelationIntervals(
        low, high, np.count_nonzero(~np.isnan(samples), axis=1).astype(np.int64)
    )


def redrawn_systems(n_systems: int, n_samples: int, seed: int | Sequence[int]) -> Integers:
    """Return which systems each sample draws, with replacement: shape (n_samples, n_systems)."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.integers(0, n_systems, (n_samples, n_systems))


def _of_one_length(left: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    x, y = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(f"expected rows of one length, found shapes {x.shape} and {y.shape}")
    return x, y


def _scaled_deviations_of_columns(columns: Floats) -> Floats:
    """Return what `_scaled_deviations` returns, of columns: whole rows are added, not a dozen."""
    deviations = columns - _pairwise_sum(columns) / len(columns)
    constant = columns.max(axis=0) == columns.min(axis=0)
    scaled: Floats = np.where(constant, np.nan, deviations / np.abs(deviations).max(axis=0))
    return scaled


def _pairwise_sum(rows: Floats) -> Floats:
    """Return the sum of the rows, added in the order in which NumPy adds the numbers of one."""
    n = len(rows)
    if n < _AT_ONCE:
        return reduce(np.add, rows)
    if n > _BLOCK:
        half = n // 2 - n // 2 % _AT_ONCE
        return _pairwise_sum(rows[:half]) + _pairwise_sum(rows[half:])
    rest = n % _AT_ONCE
    a, b, c, d, e, f, g, h = (
        reduce(np.add, rows[first : n - rest : _AT_ONCE]) for first in range(_AT_ONCE)
    )
    return reduce(np.add, rows[n - rest :], ((a + b) + (c + d)) + ((e + f) + (g + h)))


def _scaled_deviations(rows: Floats) -> Floats:
    """Return deviations from the mean by the largest, which keeps squares from underflow."""
    deviations = rows - rows.mean(axis=-1, keepdims=True)
    # A constant such as 0.1 has deviations of rounding noise, and noise would correlate.
    constant = rows.max(axis=-1, keepdims=True) == rows.min(axis=-1, keepdims=True)
    scaled: Floats = np.where(
        constant, np.nan, deviations / np.abs(deviations).max(axis=-1, keepdims=True)
    )
    return scaled
