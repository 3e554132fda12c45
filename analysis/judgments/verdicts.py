"""Metrics against verdicts on edits: scores should rise with approved edits and fall with others.

The difference d = score(source with the edit) - score(source) is all that is read of a metric. The
AUC is the share of pairs of a valid and an invalid edit whose d are in that order, ties half
(Hanley and McNeil 1982, "The meaning and use of the area under a receiver operating
characteristic (ROC) curve"): it is .5 for whatever always ties.
"""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.resampling import Floats, Integers, Intervals, percentile_intervals

VALID, OPTIONAL, INVALID, SPLIT = "valid", "optional", "invalid", "split"


class Shares(NamedTuple):
    """The shares of edits that raise a score, leave it, and lower it; NaN without edits."""

    up: float
    tied: float
    down: float


def shares(differences: ArrayLike) -> Shares:
    """Return the shares of differences above, at and below 0."""
    d = np.asarray(differences, np.float64)
    if not d.size:
        return Shares(*(float("nan"),) * 3)
    return Shares(*(float(np.mean(side)) for side in (d > 0, d == 0, d < 0)))


def auc(valid: ArrayLike, invalid: ArrayLike) -> float:
    """Return the area under the curve of the differences of valid and invalid edits.

    NaN where there is none of one kind.
    """
    above, below = np.asarray(valid, np.float64), np.asarray(invalid, np.float64)
    if not above.size or not below.size:
        return float("nan")
    ranks = scipy.stats.rankdata(np.concatenate([above, below]))[: above.size]
    wins = ranks.sum() - above.size * (above.size + 1) / 2
    return float(wins / (above.size * below.size))


def auc_interval(
    source: Integers,
    is_valid: NDArray[np.bool_],
    differences: Floats,
    weights: SampleWeights,
    level: float = 0.95,
) -> Intervals:
    """Return the bounds of the AUC over samples of sources, shape (1,) each.

    Args:
        source: of each edit, whole numbers from 0.
        is_valid: whether it was found valid; others were found invalid.
        differences: the metric's.
        weights: how often each sample draws each source, shape (samples, sources).
        level: the share of samples between the bounds.

    """
    _, place = np.unique(differences, return_inverse=True)
    of_edit = weights[:, source].astype(np.float64)
    n_places = int(place.max()) + 1 if place.size else 0
    by_place = np.zeros((2, len(weights), n_places))
    for kind, chosen in enumerate((is_valid, ~is_valid)):
        columns = np.zeros((int(chosen.sum()), n_places))
        columns[np.arange(len(columns)), place[chosen]] = 1
        by_place[kind] = of_edit[:, chosen] @ columns
    good, bad = by_place
    below = np.cumsum(bad, axis=1) - bad / 2
    n_pairs = good.sum(axis=1) * bad.sum(axis=1)
    has_both = n_pairs > 0
    if not has_both.any():
        return Intervals(np.array([np.nan]), np.array([np.nan]))
    areas = (good * below).sum(axis=1)[has_both] / n_pairs[has_both]
    return percentile_intervals(areas[:, np.newaxis], level)


def edit_class(values: ArrayLike) -> str:
    """Return what most verdicts on an edit say, `split` where two say it equally often.

    Args:
        values: what the verdicts are worth: above 0 valid, 0 optional, below invalid.

    """
    signs = np.sign(np.asarray(values, np.float64))
    counts = [(signs == sign).sum() for sign in (1, 0, -1)]
    most = [
        kind for kind, n in zip((VALID, OPTIONAL, INVALID), counts, strict=True) if n == max(counts)
    ]
    return most[0] if len(most) == 1 else SPLIT
