"""Correlations over systems: an interval and a test of no correlation that never contradict.

The test is Pitman's (1937), "Significance tests which may be applied to samples from any
populations II": if a metric knows nothing of the systems, every order of them is equally likely.
The interval is Fisher's (1921) on the scale of z = atanh(r), whose standard error is
1 / sqrt(n - 3), for Spearman's rho times sqrt(1 + rho^2 / 2) (Bonett and Wright 2000). Its
half-width is the normal quantile times the standard error, or the critical value of the permutation
test if that is larger. The p-value is the larger one of both methods: it is at most 1 - level if
and only if 0 lies outside of the interval.

The systems are the sample. Each score already carries the noise of its sentences and judgments, so
the scatter over systems contains it. Bootstrap percentiles of systems and sentences have 7 to 9 %
false positives with 8 to 24 systems (`benchmarks/inference_validity.py`).
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
import scipy  # loads its parts when they are used: a build with nothing to do uses none
from numpy.typing import ArrayLike

from maege.analysis.statistics.correlations.correlation_bootstrap import average_ranks
from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers
from maege.analysis.statistics.significance.random_orders import (
    DIGITS,
    added_orders,
    random_orders_of,
    two_sided_p,
)


class SystemCorrelations(NamedTuple):
    """One value per metric: interval, two-sided p-value, and the correlations expected by chance.

    Pearson's r lies outside of `chance_low` to `chance_high` if and only if its p-value is at most
    1 - level. NaN without a correlation; no interval for correlations of 1 or -1.
    """

    low: Floats
    high: Floats
    p_value: Floats
    chance_median: Floats
    chance_low: Floats
    chance_high: Floats


def system_correlations(
    scores: ArrayLike, human: ArrayLike, coefficient: str, seed: int, level: float = 0.95
) -> SystemCorrelations:
    """Return the inference about each metric's correlation with human scores, systems resampled.

    Args:
        scores: of the systems by each metric, shape (k, n).
        human: the systems' human scores, shape (n,), of at least four systems.
        coefficient: `pearson` or `spearman`.
        seed: of the orders, if there are too many for all.
        level: of confidence.

    """
    values, gold = np.asarray(scores, np.float64).T, np.asarray(human, np.float64)[:, np.newaxis]
    of_ranks = coefficient == "spearman"
    if of_ranks:
        values, gold = average_ranks(values), average_ranks(gold)
    values, gold = _unit(values), _unit(gold)
    known = ~np.isnan(values).any(axis=0) & ~np.isnan(gold).any()
    result = SystemCorrelations(*np.full((6, values.shape[1]), np.nan))
    if known.any():
        orders = _orders(len(gold), seed)
        permuted = np.round(gold[orders, 0] @ values[:, known], DIGITS)
        observed = np.round(gold[:, 0] @ values[:, known], DIGITS)
        inferred = _inferred(permuted, observed, len(gold), level, of_ranks=of_ranks)
        for column, numbers in zip(result, inferred, strict=True):
            column[known] = numbers
    return result


def _inferred(
    permuted: Floats, observed: Floats, n_systems: int, level: float, *, of_ranks: bool
) -> SystemCorrelations:
    """Return what follows from the correlations in all orders, shape (orders, k)."""
    sizes = np.abs(permuted)
    added = added_orders(n_systems)
    n_orders = len(sizes) + added
    p_permuted = two_sided_p(sizes, np.abs(observed), n_systems)
    # As many orders may reach a correlation that the test rejects; the next size is critical.
    n_rejected = max(0, math.floor(n_orders * (1 - level) + 1e-9) - added)
    critical = np.partition(sizes, -n_rejected - 1, axis=0)[-n_rejected - 1]
    quantile = scipy.special.ndtri((1 + level) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = _standard_error(observed, n_systems, of_ranks=of_ranks)
        z = np.arctanh(observed)
        by_orders = np.arctanh(critical) / _standard_error(critical, n_systems, of_ranks=of_ranks)
        errors = np.maximum(quantile, by_orders)
        # Rounded, because a correlation of exactly the critical size has a bound of 0.
        low, high = (np.round(np.tanh(z + sign * errors * error), DIGITS) for sign in (-1, 1))
        p_fisher = 2 * scipy.special.ndtr(-np.abs(z) / error)
    # Wider by the rounding, so that a correlation of exactly the critical size is inside.
    limit = np.tanh(errors * _standard_error(np.zeros(1), n_systems))
    chance_high = np.minimum(1, limit + 10.0**-DIGITS)
    return SystemCorrelations(
        low,
        high,
        np.maximum(p_permuted, p_fisher),
        np.median(permuted, axis=0),
        -chance_high,
        chance_high,
    )


def _standard_error(coefficient: Floats, n_systems: int, *, of_ranks: bool = False) -> Floats:
    """Return the standard error of atanh of a correlation."""
    variance = 1 + coefficient**2 / 2 if of_ranks else np.ones_like(coefficient)
    error: Floats = np.sqrt(variance / (n_systems - 3))
    return error


@cache
def _orders(n_systems: int, seed: int) -> Integers:
    return random_orders_of(n_systems, seed)


def _unit(columns: Floats) -> Floats:
    """Return columns with mean 0 and length 1, NaN where all values are equal."""
    centred = columns - columns.mean(axis=0)
    varies = columns.max(axis=0) > columns.min(axis=0)
    unit: Floats = centred / np.where(varies, np.sqrt((centred**2).sum(axis=0)), np.nan)
    return unit
