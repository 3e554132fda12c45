"""Scores and ranks of systems from judged pairs, and agreement of judges."""

import math
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.sample_weights import SampleWeights, drawn_sums
from maege.analysis.statistics.correlations import pearson_of_rows
from maege.analysis.statistics.resampling import Floats, Integers

# --- Counts of judged pairs, in total or by sentence ---


class JudgmentCounts(NamedTuple):
    """Numbers of judgments, shape (..., n, n) over pairs of systems; the diagonals are 0.

    `wins[..., i, j]` is how often i was preferred to j. `ties` is symmetric.
    """

    wins: Floats
    ties: Floats


def judgment_counts(
    first: ArrayLike, second: ArrayLike, preference: ArrayLike, n_systems: int
) -> JudgmentCounts:
    """`preference` is 1 if the first system is better, -1 if the second is, 0 for a tie."""
    pairs = np.asarray(first).size
    counts = sentence_counts(np.zeros(pairs, np.int64), first, second, preference, 1, n_systems)
    return JudgmentCounts(counts.wins[0], counts.ties[0])


def sentence_counts(
    sentence: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    preference: ArrayLike,
    n_sentences: int,
    n_systems: int,
) -> JudgmentCounts:
    """Return the counts of each sentence, shape (n_sentences, n_systems, n_systems)."""
    cluster, left, right, order = (
        np.asarray(column, dtype=np.int64) for column in (sentence, first, second, preference)
    )
    tied = order == 0
    winner = np.where(order > 0, left, right)
    loser = np.where(order > 0, right, left)
    shape = (n_sentences, n_systems, n_systems)
    ties = _tally(cluster[tied], left[tied], right[tied], shape)
    return JudgmentCounts(
        _tally(cluster[~tied], winner[~tied], loser[~tied], shape), ties + ties.swapaxes(1, 2)
    )


def resampled_counts(counts: JudgmentCounts, weights: SampleWeights) -> JudgmentCounts:
    """Return the counts of every bootstrap sample, shape (n_samples, n_systems, n_systems)."""
    # Whole numbers far below 2^53, so the product is exact in any order of summation.
    wins, ties = (
        drawn_sums(weights, part.reshape(len(part), -1)).reshape(-1, *part.shape[1:])
        for part in counts
    )
    return JudgmentCounts(wins, ties)


def redrawn_pairs(counts: JudgmentCounts, n_samples: int, seed: int) -> JudgmentCounts:
    """Return the counts of bootstrap samples of pairs of one set of counts: (n_samples, n, n).

    The rank ranges that GJG15 prints for Expected Wins are from this bootstrap. They are too
    narrow, because pairs of one screen or sentence are not independent.
    """
    shape = counts.wins.shape
    cells = np.concatenate([counts.wins.ravel(), np.triu(counts.ties).ravel()])
    n_pairs = int(cells.sum())
    generator = np.random.Generator(np.random.PCG64(seed))
    resampled = generator.multinomial(n_pairs, cells / n_pairs, size=n_samples).astype(np.float64)
    wins, ties = np.split(resampled, 2, axis=1)
    upper = ties.reshape(-1, *shape)
    return JudgmentCounts(wins.reshape(-1, *shape), upper + upper.swapaxes(1, 2))


def _tally(
    sentence: Integers, row: Integers, column: Integers, shape: tuple[int, int, int]
) -> Floats:
    cell = (sentence * shape[1] + row) * shape[2] + column
    return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)


# --- Expected Wins: how often judges prefer a system to a random other one ---
#
# Koehn (2012), "Simulating human judgment in machine translation evaluation campaigns"; Bojar,
# Buck, Callison-Burch et al. (2013), "Findings of the 2013 Workshop on Statistical Machine
# Translation"; for error correction Grundkiewicz, Junczys-Dowmunt and Gillian (2015), "Human
# evaluation of grammatical error correction systems".
#
#     EW(i) = 1 / (n - 1) * sum over j of win(i, j) / (win(i, j) + win(j, i))
#
# Ties are ignored. If no judge preferred either of two systems, the published programs add 0 for
# both but still divide by n - 1, and so does `expected_wins`.


def expected_wins(wins: ArrayLike) -> Floats:
    """Return Expected Wins, (..., n); wins[..., i, j] is how often i was preferred to j."""
    won = np.asarray(wins, dtype=np.float64)
    n_decided = won + won.swapaxes(-1, -2)
    share = np.divide(won, n_decided, out=np.zeros_like(won), where=n_decided > 0)
    scores: Floats = share.sum(axis=-1) / (won.shape[-1] - 1)
    return scores


def expected_wins_of_samples(wins: ArrayLike) -> Floats:
    """Return `expected_wins`, NaN for a system without decided judgments in a sample."""
    won = np.asarray(wins, dtype=np.float64)
    decided = undecided_opponents(won) < won.shape[-1] - 1
    return np.where(decided, expected_wins(won), np.nan)


def undecided_opponents(wins: ArrayLike) -> Integers:
    """Return the number of opponents without a decided judgment, from wins: (..., n)."""
    won = np.asarray(wins, dtype=np.float64)
    empty = won + won.swapaxes(-1, -2) == 0
    # The diagonal is always empty.
    n_undecided: Integers = empty.sum(axis=-1).astype(np.int64) - 1
    return n_undecided


# --- Ranks of systems with ranges, and clusters of systems ---
#
# Bojar, Buck, Callison-Burch et al. (2013), "Findings of the 2013 Workshop on Statistical Machine
# Translation": rank the systems in every run or bootstrap sample, drop the best and the worst 2.5 %
# of each system's ranks, and separate the systems wherever no range on one side reaches a range on
# the other.
#
# Ranges over runs do not cover the uncertainty from sampling judgments. Ranges over bootstrap
# samples do not hold for all systems together: in a fifth of all cases equal systems get ranges
# that do not overlap. `simultaneous_ranking` compares with the distribution of the largest
# studentised difference (Westfall and Young 1993; for ranks Mogstad, Romano, Shaikh and Wilhelm
# 2024, "Inference for ranks"), so that all ranges hold at the same time.


class Ranking(NamedTuple):
    """One value per system. Equal scores share the better rank; the best cluster is 1."""

    score: Floats
    rank: Integers
    rank_low: Integers
    rank_high: Integers
    cluster: Integers


def ranking(samples: ArrayLike, scores: ArrayLike | None = None, level: float = 0.95) -> Ranking:
    """Return the systems' ranks, ranges and clusters.

    Args:
        samples: scores of shape (n_samples, n_systems), one row per run or bootstrap sample. NaN
            ranks last.
        scores: the systems' scores; by default the mean of the samples, as for TrueSkill.
        level: the share of samples that a range covers. The published programs drop ceil((n - n *
            level) / 2) of the n samples with a score of the system on each side. A system without
            remaining samples may have any rank.
    """
    runs = np.asarray(samples, dtype=np.float64)
    score = runs.mean(axis=0) if scores is None else np.asarray(scores, dtype=np.float64)
    return _ranking(score, *_ranges(runs, level))


def simultaneous_ranking(samples: ArrayLike, scores: ArrayLike, level: float = 0.95) -> Ranking:
    """Return the systems' ranks, clusters, and ranges with simultaneous confidence.

    A system's best rank comes after all systems that are significantly better, its worst rank
    before all that are significantly worse.
    """
    runs, score = np.asarray(samples, np.float64), np.asarray(scores, np.float64)
    first, second = np.array(list(combinations(range(score.size), 2)), np.int64).reshape(-1, 2).T
    sampled_differences = runs[:, first] - runs[:, second]
    n_drawn = (~np.isnan(sampled_differences)).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        moved = sampled_differences - np.nansum(sampled_differences, axis=0) / n_drawn
        spread = np.sqrt(np.nansum(moved**2, axis=0) / n_drawn)
        largest = np.nan_to_num(np.abs(moved) / spread, posinf=0.0).max(axis=1, initial=0.0)
        distance = (score[first] - score[second]) / spread
    is_significant = np.abs(distance) > np.quantile(largest, level, method="hazen")
    low, high = np.ones(score.size, np.int64), np.full(score.size, score.size, np.int64)
    for better, worse, is_ordered in ((first, second, distance > 0), (second, first, distance < 0)):
        np.add.at(low, worse[is_significant & is_ordered], 1)
        np.subtract.at(high, better[is_significant & is_ordered], 1)
    return _ranking(score, low, high)


def competition_ranks(scores: ArrayLike) -> Integers:
    """Return 1 + the number of better scores in the row, shape (rows, n); NaN is worst."""
    rows = np.nan_to_num(np.asarray(scores, dtype=np.float64), nan=-np.inf)
    better: NDArray[np.bool_] = rows[:, np.newaxis, :] > rows[:, :, np.newaxis]
    ranks: Integers = 1 + better.sum(axis=2).astype(np.int64)
    return ranks


def _ranges(runs: Floats, level: float) -> tuple[Integers, Integers]:
    n_systems = runs.shape[1]
    low, high = np.ones(n_systems, np.int64), np.full(n_systems, n_systems, np.int64)
    ranks = competition_ranks(runs)
    for system, scores in enumerate(runs.T):
        ranked = np.sort(ranks[~np.isnan(scores), system])
        # 200 * .95 is 190 in floating point, but (1 - .95) / 2 * 200 is slightly above 5.
        dropped = math.ceil((ranked.size - ranked.size * level) / 2)
        if 2 * dropped < ranked.size:
            low[system], high[system] = ranked[dropped], ranked[ranked.size - 1 - dropped]
    return low, high


def _ranking(score: Floats, low: Integers, high: Integers) -> Ranking:
    rank = competition_ranks(score[np.newaxis])[0]
    order = np.argsort(rank, kind="stable")
    worst_above = np.maximum.accumulate(high[order])[:-1]
    best_below = np.minimum.accumulate(low[order][::-1])[::-1][1:]
    clusters = np.empty_like(rank)
    clusters[order] = 1 + np.concatenate([[0], np.cumsum(worst_above < best_below)])
    return Ranking(score, rank, low, high, clusters)


# --- Kappa between judges (inter) and within a judge (intra) ---
#
# Cohen (1960), "A coefficient of agreement for nominal scales", in the form of the Workshops on
# Machine Translation (Callison-Burch, Fordyce, Koehn et al. 2007) and of Grundkiewicz,
# Junczys-Dowmunt and Gillian (2015), who print .29 and .46:
#
#     kappa = (P(A) - P(E)) / (1 - P(E))
#
# P(A) is the share of equal judgments among all pairs of judgments of the same two outputs of the
# same sentence. P(E) is the sum of the squared shares of <, = and > among the compared judgments.
# The overall kappa is the mean over pairs of judges with at least 50 compared judgments, weighted
# by their number.
#
# Systems with the same output shared one cell of the screen, and only pairs of cells give the
# published numbers.

PUBLISHED_MINIMUM = 50


class Agreement(NamedTuple):
    first_judge: Integers
    second_judge: Integers
    n_compared: Integers
    observed: Floats
    expected: Floats
    kappa: Floats


def judge_agreement(judge: ArrayLike, unit: ArrayLike, preference: ArrayLike) -> Agreement:
    """Return the agreement of every pair of judges, including each judge with themselves.

    Args:
        judge: judge number of each judged pair, from 0.
        unit: whole numbers from 0 that are equal for judgments of the same two outputs of the same
            sentence.
        preference: 1, 0 or -1; the order of the two outputs is the same throughout a unit.
    """
    judges, units, order = (
        np.asarray(column, dtype=np.int64) for column in (judge, unit, preference)
    )
    n_judges = int(judges.max(initial=-1)) + 1
    n_units = int(units.max(initial=-1)) + 1
    cells = ((order + 1) * n_units + units) * n_judges + judges
    counts = np.bincount(cells, minlength=3 * n_units * n_judges)
    by_outcome = counts.reshape(3, n_units, n_judges).astype(np.float64)
    total = by_outcome.sum(axis=0)
    is_same_judge = np.eye(n_judges, dtype=bool)

    compared = np.where(is_same_judge, _choose_two(total), total.T @ total)
    equal = sum(np.where(is_same_judge, _choose_two(part), part.T @ part) for part in by_outcome)
    shared = (total > 0).astype(np.float64)
    repeated = total > 1
    # Shares of <, = and > among the compared judgments, each judgment counted once.
    outcome_counts = np.array(
        [
            np.where(
                is_same_judge,
                np.diag((part * repeated).sum(axis=0)),
                part.T @ shared + (part.T @ shared).T,
            )
            for part in by_outcome
        ]
    )
    first, second = np.nonzero(np.triu(compared > 0))
    observed = (equal / np.where(compared > 0, compared, 1))[first, second]
    shares = outcome_counts[:, first, second] / outcome_counts[:, first, second].sum(axis=0)
    expected = (shares**2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)
    return Agreement(
        first.astype(np.int64),
        second.astype(np.int64),
        compared[first, second].astype(np.int64),
        observed,
        expected,
        kappa,
    )


def mean_kappa(
    agreement: Agreement, *, is_same_judge: bool, minimum: int = PUBLISHED_MINIMUM
) -> tuple[float, int]:
    """Return the mean kappa within or between judges, NaN without one, and its comparisons."""
    is_counted = (agreement.n_compared >= minimum) & ~np.isnan(agreement.kappa)
    rows = is_counted & ((agreement.first_judge == agreement.second_judge) == is_same_judge)
    weights = agreement.n_compared[rows]
    if not weights.size:
        return float("nan"), 0
    return float((agreement.kappa[rows] * weights).sum() / weights.sum()), int(weights.sum())


def _choose_two(counts: Floats) -> Floats:
    return np.diag((counts * (counts - 1) / 2).sum(axis=0))


# --- Upper bounds for metrics: agreement of judges with each other ---
#
# For scores of systems, the bound is the correlation between scores by two halves of the judges,
# stepped up to all judges (Spearman 1910; Brown 1910) and averaged over splits. For pairs, it is
# the agreement of a judge with the others.

SPLITS = 20


def halves_of_judges(n_judges: int, seed: int) -> NDArray[np.bool_]:
    """Return the judges in the first half of each split, shape (splits, n_judges).

    All splits if there are at most SPLITS, else random ones; none with fewer than two judges.
    """
    size = n_judges // 2
    if size == 0:
        return np.zeros((0, n_judges), np.bool_)
    if comb(n_judges, size) <= SPLITS:
        first_half = np.array(list(combinations(range(n_judges), size)))
    else:
        generator = np.random.Generator(np.random.PCG64(seed))
        orders = np.tile(np.arange(n_judges), (SPLITS, 1))
        first_half = generator.permuted(orders, axis=1)[:, :size]
    halves = np.zeros((len(first_half), n_judges), np.bool_)
    np.put_along_axis(halves, first_half, values=True, axis=1)
    return halves


def split_half_ceiling(first: ArrayLike, second: ArrayLike) -> float:
    """Return 2 r / (1 + r) of the mean r between the halves' scores, shape (splits, n).

    NaN if no split gives every system a score, or the mean r is not positive.
    """
    r = pearson_of_rows(first, second)
    if np.isnan(r).all():
        return float("nan")
    mean = float(np.nanmean(r))
    return 2 * mean / (1 + mean) if mean > 0 else float("nan")


def opinion_of_others(judge: ArrayLike, unit: ArrayLike, preference: ArrayLike) -> Floats:
    """Return the mean preference of the other judges of the same outputs; NaN without any.

    Arguments are those of `judge_agreement`.
    """
    judges, units = np.asarray(judge, np.int64), np.asarray(unit, np.int64)
    order = np.asarray(preference, np.float64)
    _, judge_unit = np.unique(np.stack([units, judges]), axis=1, return_inverse=True)
    judge_unit = judge_unit.ravel()

    def sum_of_others(values: Floats) -> Floats:
        unit_sums, own_sums = np.bincount(units, values), np.bincount(judge_unit, values)
        return np.asarray(unit_sums[units] - own_sums[judge_unit], np.float64)

    with np.errstate(invalid="ignore"):
        opinion: Floats = sum_of_others(order) / sum_of_others(np.ones_like(order))
    return opinion


def units_of(*columns: Integers) -> Integers:
    """Return whole numbers from 0 that are equal for rows with equal columns."""
    if not columns[0].size:
        return np.zeros(0, np.int64)
    _, unit = np.unique(np.stack(columns), axis=1, return_inverse=True)
    return unit.ravel().astype(np.int64)
