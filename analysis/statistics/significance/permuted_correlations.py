"""Correlations of scores with those of judges whose systems change places: chance, exactly.

Pitman (1937), "Significance tests which may be applied to samples from any populations II": where
a metric knows nothing of the systems, every order of them is as likely as the one that judges gave.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.correlations.correlation_bootstrap import average_ranks
from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers
from maege.analysis.statistics.significance.random_metrics import Chance, chance, random_orders_of

# Equal correlations computed in another order differ in the last bits.
_DIGITS = 12


def permuted_chance(
    scores: ArrayLike, human: ArrayLike, coefficient: str, seed: int, level: float = 0.95
) -> Chance:
    """Return what chance gets of a correlation, and how rare each metric's is; NaN without one.

    Args:
        scores: of the systems by each metric, shape (k, n).
        human: the systems' human scores, shape (n,).
        coefficient: `pearson` or `spearman`.
        seed: of the orders, where there are too many for all.
        level: the share of orders between low and high.

    """
    values, gold = np.asarray(scores, np.float64).T, np.asarray(human, np.float64)[:, np.newaxis]
    if coefficient == "spearman":
        values, gold = average_ranks(values), average_ranks(gold)
    values, gold = _unit(values), _unit(gold)
    known = ~np.isnan(values).any(axis=0) & ~np.isnan(gold).any()
    found = Chance(*np.full((4, values.shape[1]), np.nan))
    if known.any():
        orders = _orders(len(gold), seed)
        permuted = np.round(gold[orders, 0] @ values[:, known], _DIGITS)
        observed = np.round(gold[:, 0] @ values[:, known], _DIGITS)
        for column, numbers in zip(found, chance(permuted, observed, level), strict=True):
            column[known] = numbers
    return found


@cache
def _orders(n_systems: int, seed: int) -> Integers:
    return random_orders_of(n_systems, seed)


def _unit(columns: Floats) -> Floats:
    """Return columns with mean 0 and length 1, NaN where all values are equal."""
    centred = columns - columns.mean(axis=0)
    varies = columns.max(axis=0) > columns.min(axis=0)
    unit: Floats = centred / np.where(varies, np.sqrt((centred**2).sum(axis=0)), np.nan)
    return unit
