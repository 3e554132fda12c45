"""Tests of what items say together: outputs, or edits, of one item hang together.

Each statistic is a sum over items, whose variance is estimated by the sum of the items' squares
(Liang and Zeger 1986, "Longitudinal data analysis using generalized linear models"; of an area
under the curve Obuchowski 1997, "Nonparametric analysis of clustered ROC curve data") and divided
as Student's t with one degree of freedom less than there are items. Two-sided.
"""

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.resampling import Floats, Integers


def clustered_p_value(distance: float, added: ArrayLike) -> float:
    """Return the p-value of an estimate so far from what it would be by chance.

    NaN where no item adds anything, or one alone does.

    Args:
        distance: the estimate minus its value by chance.
        added: what each item adds to it, whose squares sum to its variance.

    """
    of_items = np.asarray(added, np.float64)
    counted = np.count_nonzero(of_items)
    if counted < 2:
        return math.nan
    t = abs(distance) / math.sqrt(float(of_items @ of_items))
    return float(2 * scipy.special.stdtr(counted - 1, -t))


def covariance_p_value(item: Integers, scores: Floats, values: Floats) -> float:
    """Return the p-value of a covariance of 0, and so of Pearson's r of 0.

    Args:
        item: of each output, whole numbers from 0.
        scores: the metric's.
        values: the judges'.

    """
    products = (scores - scores.mean()) * (values - values.mean())
    if scores.min() == scores.max() or values.min() == values.max():
        return math.nan
    of_items = np.bincount(item, products)
    return clustered_p_value(float(of_items.sum()), of_items)


def order_p_value(item: Integers, outcome: Integers) -> float:
    """Return the p-value of as many pairs in order as against it.

    Args:
        item: of each pair, whole numbers from 0.
        outcome: 1 where a metric orders it rightly, -1 wrongly, 0 where it ties.

    """
    of_items = np.bincount(item, outcome)
    return clustered_p_value(float(of_items.sum()), of_items)


def area_p_value(source: Integers, is_valid: NDArray[np.bool_], differences: Floats) -> float:
    """Return the p-value of an area of one half under the curve of valid and invalid edits.

    Args:
        source: of each edit, whole numbers from 0.
        is_valid: whether it was found valid; others were found invalid.
        differences: the metric's.

    """
    n_valid, n_invalid = int(is_valid.sum()), int((~is_valid).sum())
    if not n_valid or not n_invalid:
        return math.nan
    ranks = scipy.stats.rankdata(differences)
    within = np.empty(len(differences))
    for side in (is_valid, ~is_valid):
        within[side] = scipy.stats.rankdata(differences[side])
    # Of a valid edit the share of invalid ones below it, of an invalid one that of valid above.
    placed = (ranks - within) / np.where(is_valid, n_invalid, n_valid)
    placed[~is_valid] = 1 - placed[~is_valid]
    area = float(placed[is_valid].mean())
    added = (placed - area) / np.where(is_valid, n_valid, n_invalid)
    return clustered_p_value(area - 0.5, np.bincount(source, added))
