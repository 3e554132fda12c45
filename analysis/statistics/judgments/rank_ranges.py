"""Ranks of systems with ranges, and clusters of systems whose ranges do not overlap.

Bojar, Buck, Callison-Burch et al. (2013), "Findings of the 2013 Workshop on Statistical Machine
Translation": rank the systems in every run or bootstrap sample, drop the best and the
worst 2.5 % of each system's ranks, and separate the systems wherever no range on one side reaches a
range on the other. A run in which a system has no score says nothing about its rank and is left out
of its range.

That is the published procedure. Ranges of runs say nothing of other judgments, and those of samples
of each system alone say too much of all systems together: equal systems get ranges that do not
overlap in a fifth of all cases. `simultaneous_ranking` takes the largest of all studentised
differences for its yardstick (Westfall and Young 1993; for ranks Mogstad, Romano, Shaikh and
Wilhelm 2024, "Inference for ranks"), so that all ranges hold at once.
"""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers


class Ranking(NamedTuple):
    """One value a system in every field, in the order of the systems.

    `score` is the score that `rank` goes by (1 is best, equal scores share the better rank),
    `rank_low` to `rank_high` the range of ranks over runs, `cluster` counts from 1 at the top.
    """

    score: Floats
    rank: Integers
    rank_low: Integers
    rank_high: Integers
    cluster: Integers


def ranking(samples: ArrayLike, scores: ArrayLike | None = None, level: float = 0.95) -> Ranking:
    """Return the systems' ranks, ranges and clusters.

    Args:
        samples: scores of shape (n_samples, n_systems), one row a run or bootstrap sample. NaN
            ranks last.
        scores: the systems' scores themselves; by default the mean of the samples, as for
            TrueSkill.
        level: the share of samples that a range covers. The published programs drop
            ceil((n - n * level) / 2) on each side, n being the samples in which the system has a
            score. A system of which none is left may have any rank.

    Raises:
        ValueError: the shapes do not fit, there are no samples, or the level is no share.

    """
    runs = np.asarray(samples, dtype=np.float64)
    if runs.ndim != 2:
        raise ValueError(f"expected samples of shape (samples, systems), found {runs.shape}")
    if not (len(runs) and 0 < level <= 1):
        raise ValueError(f"expected samples and a level up to 1, found {len(runs)} and {level}")
    score = runs.mean(axis=0) if scores is None else np.asarray(scores, dtype=np.float64)
    if score.shape != runs.shape[1:]:
        raise ValueError(f"expected {runs.shape[1]} scores, found shape {score.shape}")
    low, high = _ranges(runs, level)
    rank = competition_ranks(score[np.newaxis])[0]
    return Ranking(score, rank, low, high, _clusters(rank, low, high))


def simultaneous_ranking(samples: ArrayLike, scores: ArrayLike, level: float = 0.95) -> Ranking:
    """Return the systems' ranks, ranges that all hold at once with so much confidence, clusters.

    A system's best rank comes after all that are told from it for the better, its worst before all
    that are told from it for the worse.

    Args:
        samples: scores in bootstrap samples, shape (n_samples, n_systems); NaN is left out.
        scores: the systems' scores, shape (n_systems,).
        level: of confidence.

    """
    runs, score = np.asarray(samples, np.float64), np.asarray(scores, np.float64)
    first, second = np.array(list(combinations(range(score.size), 2)), np.int64).reshape(-1, 2).T
    drawn = runs[:, first] - runs[:, second]
    n_drawn = (~np.isnan(drawn)).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        moved = drawn - np.nansum(drawn, axis=0) / n_drawn
        spread = np.sqrt(np.nansum(moved**2, axis=0) / n_drawn)
        largest = np.nan_to_num(np.abs(moved) / spread, posinf=0.0).max(axis=1, initial=0.0)
        distance = (score[first] - score[second]) / spread
    told_apart = np.abs(distance) > np.quantile(largest, level, method="hazen")
    low, high = np.ones(score.size, np.int64), np.full(score.size, score.size, np.int64)
    for better, worse, is_told in ((first, second, distance > 0), (second, first, distance < 0)):
        np.add.at(low, worse[told_apart & is_told], 1)
        np.subtract.at(high, better[told_apart & is_told], 1)
    rank = competition_ranks(score[np.newaxis])[0]
    return Ranking(score, rank, low, high, _clusters(rank, low, high))


def competition_ranks(scores: ArrayLike) -> Integers:
    """Return 1 + the number of strictly better scores in the row; NaN is worse than any score.

    Args:
        scores: shape (rows, n).

    """
    rows = np.nan_to_num(np.asarray(scores, dtype=np.float64), nan=-np.inf)
    better: NDArray[np.bool_] = rows[:, np.newaxis, :] > rows[:, :, np.newaxis]
    ranks: Integers = 1 + better.sum(axis=2).astype(np.int64)
    return ranks


def _dropped(n_samples: int, level: float) -> int:
    # 200 * .95 is 190 in doubles, whereas (1 - .95) / 2 * 200 comes out above 5.
    return math.ceil((n_samples - n_samples * level) / 2)


def _ranges(runs: Floats, level: float) -> tuple[Integers, Integers]:
    """Return each system's best and worst rank over the runs in which it has a score."""
    n_systems = runs.shape[1]
    low, high = np.ones(n_systems, np.int64), np.full(n_systems, n_systems, np.int64)
    ranks = competition_ranks(runs)
    for system, scores in enumerate(runs.T):
        ranked = np.sort(ranks[~np.isnan(scores), system])
        dropped = _dropped(ranked.size, level)
        if 2 * dropped < ranked.size:
            low[system], high[system] = ranked[dropped], ranked[ranked.size - 1 - dropped]
    return low, high


def _clusters(rank: Integers, low: Integers, high: Integers) -> Integers:
    """Return clusters: a new one begins where every range above ends before every range below."""
    order = np.argsort(rank, kind="stable")
    worst_above = np.maximum.accumulate(high[order])[:-1]
    best_below = np.minimum.accumulate(low[order][::-1])[::-1][1:]
    clusters = np.empty_like(rank)
    clusters[order] = 1 + np.concatenate([[0], np.cumsum(worst_above < best_below)])
    return clusters
