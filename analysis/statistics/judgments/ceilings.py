"""How far judges agree with each other, in the terms in which metrics agree with them.

No metric can be asked to follow judges more closely than other judges do. Of scores of systems: the
correlation of those by one half of the judges with those by the other, stepped up to all of them
(Spearman 1910; Brown 1910), averaged over ways to halve them. Of pairs: how often a judge is of one
mind with the others.
"""

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.correlations.correlation_bootstrap import pearson_of_rows
from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers

SPLITS = 20


def halves_of_judges(n_judges: int, seed: int, n_splits: int = SPLITS) -> NDArray[np.bool_]:
    """Return who is in the first half, by split: shape (splits, n_judges), none below two judges.

    Every split where there are no more than asked for, else random ones. Of an odd number of judges
    the second half has one more.
    """
    size = n_judges // 2
    if size == 0:
        return np.zeros((0, n_judges), np.bool_)
    if comb(n_judges, size) <= n_splits:
        chosen = np.array(list(combinations(range(n_judges), size)))
    else:
        generator = np.random.Generator(np.random.PCG64(seed))
        of_rows = np.tile(np.arange(n_judges), (n_splits, 1))
        chosen = generator.permuted(of_rows, axis=1)[:, :size]
    halves = np.zeros((len(chosen), n_judges), np.bool_)
    np.put_along_axis(halves, chosen, values=True, axis=1)
    return halves


def split_half_ceiling(first: ArrayLike, second: ArrayLike) -> float:
    """Return Pearson's r of the halves' scores, stepped up: 2 r / (1 + r) of the mean r.

    NaN where no split gives every system a score, or the halves do not agree at all.

    Args:
        first: scores of the systems by the first half, shape (splits, n).
        second: by the second half.

    """
    r = pearson_of_rows(first, second)
    if np.isnan(r).all():
        return float("nan")
    mean = float(np.nanmean(r))
    return 2 * mean / (1 + mean) if mean > 0 else float("nan")


def opinion_of_others(judge: ArrayLike, unit: ArrayLike, preference: ArrayLike) -> Floats:
    """Return the mean preference of the other judges of the same outputs; NaN without any.

    Args:
        judge: whole numbers from 0, one a judgment.
        unit: whole numbers from 0 that are equal where the same two outputs were judged.
        preference: 1, 0 or -1, the same output being the first throughout a unit.

    """
    judges, units = np.asarray(judge, np.int64), np.asarray(unit, np.int64)
    order = np.asarray(preference, np.float64)
    _, own = np.unique(np.stack([units, judges]), axis=1, return_inverse=True)
    own = own.ravel()

    def rest(values: Floats) -> Floats:
        of_all, of_own = np.bincount(units, values), np.bincount(own, values)
        return np.asarray(of_all[units] - of_own[own], np.float64)

    with np.errstate(invalid="ignore"):
        opinion: Floats = rest(order) / rest(np.ones_like(order))
    return opinion


def units_of(*columns: Integers) -> Integers:
    """Return whole numbers from 0 that are equal where all columns are."""
    if not columns[0].size:
        return np.zeros(0, np.int64)
    _, unit = np.unique(np.stack(columns), axis=1, return_inverse=True)
    return unit.ravel().astype(np.int64)
