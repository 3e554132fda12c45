"""Rows of scores corrected for coverage: predictions to be checked, and complete coverage."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.keys import content_key
from maege.analysis.metrics.scores.score import ChosenScore
from maege.analysis.statistics.references import (
    Growth,
    adjusted_scores,
    crowd_growth,
    jackknife_growth,
    no_growth,
)
from maege.analysis.statistics.resampling import cluster_weights

Array = NDArray[np.float64]

DRAWS = 200
PAIRS = 15
# The estimators whose intervals contain the score with all annotators about as often as they should
# (mart adjusted_scores: 0.93 to 0.94). Those of crowd_exact contain it in 0.82, the jackknife's in
# 0.14 to 0.25.
WITH_INTERVAL = ("crowd_index",)
ALL = "all"
Row = tuple[Any, ...]


@dataclass(frozen=True)
class ScoredSet:
    """A reference set with the edits of systems, counted for each annotator.

    `statistics` has shape (systems, sentences, annotators, counts), in the order of `systems` and
    `annotators`; NaN if an annotator has no line. `curves` are a crowd's coverage by estimator, one
    sentence per row, and `crowd` is the name of the crowd's corpus.
    """

    corpus: str
    reference_set: str
    metric: str
    score: ChosenScore
    systems: list[str]
    annotators: list[str]
    statistics: Array
    curves: dict[str, Array]
    crowd: str | None


def adjustment_rows(of_set: ScoredSet, level: float, seed: int) -> Iterator[Row]:
    """Yield the rows of complete coverage, and of pairs that predict all annotators' score."""
    n_annotators = len(of_set.annotators)
    if n_annotators < 2:
        return
    everyone = tuple(range(n_annotators))
    counts_with = cache(counts_of(of_set.score, of_set.statistics))
    weights = cluster_weights(of_set.statistics.shape[1], DRAWS, seed)

    def rows(subset: Sequence[int], target: float, actual: Array | None) -> Iterator[Row]:
        label = (
            ALL
            if len(subset) == n_annotators
            else ",".join(of_set.annotators[position] for position in subset)
        )
        found = adjusted_scores(
            lambda chosen: counts_with(tuple(chosen)),
            of_set.score.of_sums,
            subset,
            _growths(of_set, len(subset), target, seed),
            weights,
            level,
            seed,
        )
        for estimator, one in found.items():
            crowd = of_set.crowd if estimator in of_set.curves else None
            for place, system in enumerate(of_set.systems):
                low, high, why = _interval(estimator, float(one.low[place]), float(one.high[place]))
                known = None if actual is None else float(actual[place])
                yield (
                    of_set.corpus,
                    of_set.reference_set,
                    of_set.metric,
                    system,
                    estimator,
                    crowd,
                    label,
                    len(subset),
                    None if np.isinf(target) else int(target),
                    float(one.score[place]),
                    float(one.adjusted[place]),
                    low,
                    high,
                    why,
                    known,
                    None if known is None or low is None or high is None else low <= known <= high,
                )

    complete = list(rows(everyone, np.inf, None))
    # Without an adjustment only the predictions of pairs are of interest.
    yield from (row for row in complete if row[4] != "naive")
    if n_annotators > 2:
        actual = np.array([row[9] for row in complete[: len(of_set.systems)]])
        for pair in _pairs(of_set, seed):
            yield from rows(pair, n_annotators, actual)


def _interval(
    estimator: str, low: float, high: float
) -> tuple[float | None, float | None, str | None]:
    """Return the bounds, or None and the reason why there is no interval."""
    if estimator not in WITH_INTERVAL:
        return None, None, "estimator"
    if not low < high:
        # Scores are cut off at 0 and 1: if all resamples are beyond, they are all equal.
        return None, None, "no_growth" if np.isnan(low) else "at_limit"
    return low, high, None


def _pairs(of_set: ScoredSet, seed: int) -> list[tuple[int, int]]:
    """Return some pairs of annotators, sampled by the hash of the seed and their names."""

    def drawn(pair: tuple[int, int]) -> int:
        names = (of_set.annotators[position] for position in pair)
        return content_key("/".join((str(seed), of_set.corpus, of_set.reference_set, *names)))

    return sorted(combinations(range(len(of_set.annotators)), 2), key=drawn)[:PAIRS]


def _growths(of_set: ScoredSet, n_references: int, target: float, seed: int) -> dict[str, Growth]:
    growths = {
        "naive": no_growth(DRAWS),
        "jackknife": jackknife_growth(n_references, target, DRAWS),
    }
    for estimator, curves in of_set.curves.items():
        # A crowd with few answers gives no curve for more references than it has answers.
        if max(n_references, 1 if np.isinf(target) else target) <= curves.shape[1]:
            weights = cluster_weights(len(curves), DRAWS, seed)
            growths[estimator] = crowd_growth(curves, n_references, target, weights)
    return growths


def counts_of(score: ChosenScore, statistics: Array) -> Callable[[tuple[int, ...]], Array]:
    """Return a function that counts with some annotators, as the metric chooses among them.

    If none of them has a line for a sentence, it counts as correct: every edit is wrong.
    """
    has_no_line = np.isnan(statistics[..., 0])
    proposed = np.nanmin(score.counts(statistics)[..., 1], axis=2)
    nothing = np.zeros_like(proposed)
    noop = np.stack([nothing, proposed, nothing], axis=-1)

    def count(subset: tuple[int, ...]) -> Array:
        chosen = np.take(statistics, subset, axis=2)
        absent = np.take(has_no_line, subset, axis=2).all(axis=2)
        chosen[absent, 0] = 0
        counts = score.chosen_counts(chosen, score.choose(chosen))
        counts[absent] = noop[absent]
        return counts

    return count
