"""Scores of all systems by one metric, their intervals, and tests of every two."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.compare.edits.counts import CountedSystems, counts_of
from maege.analysis.compare.inference.resampling import Sums
from maege.analysis.compare.inference.significance import (
    LEVEL,
    Differences,
    differences,
    equivalence,
    holm,
    possible_ranks,
)
from maege.analysis.compare.results import (
    ByAnnotator,
    Comparison,
    Counts,
    Interval,
    Mark,
    Ranks,
    Score,
)
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.f_score import f_of_sums
from maege.analysis.metrics.scores.score import Pair, scores_of_swaps
from maege.analysis.statistics.resampling import percentile_intervals


@dataclass(frozen=True)
class Resampled:
    """Scores by one metric, of systems and in resamples.

    `scores` has shape (systems,), `drawn` (resamples, systems); `swapped` is b - a of all pairs
    after swaps, shape (resamples, pairs), in the order of `pairs_of`. Without tests both are empty.
    """

    metric: str
    scores: FloatArray
    counts: Sequence[Counts] | None
    drawn: FloatArray
    swapped: FloatArray


def pairs_of(n_systems: int) -> list[Pair]:
    """Return all pairs of systems, the earlier one first."""
    return list(combinations(range(n_systems), 2))


def columns_of(counted: CountedSystems) -> FloatArray:
    """Return what is resampled of counts: shape (sentences, 3 x systems)."""
    n_sentences = counted.sums.shape[1]
    return counted.sums.transpose(1, 0, 2).reshape(n_sentences, -1)


def resampled_counts(metric: str, counted: CountedSystems, sums: Sums, beta: float) -> Resampled:
    """Return F of counts, and in resamples of `columns_of` them."""
    totals = counted.sums.sum(axis=1)
    n_resamples, n_systems = len(sums.drawn), len(totals)
    drawn = sums.drawn.reshape(n_resamples, n_systems, 3).astype(np.float64)
    return Resampled(
        metric,
        f_of_sums(totals, beta),
        [counts_of(total, beta) for total in totals],
        f_of_sums(drawn, beta),
        swapped_differences(
            totals, sums.swapped.reshape(n_resamples, n_systems, 3), pairs_of(n_systems), beta
        ),
    )


def swapped_differences(
    totals: FloatArray, swapped: NDArray[Any], pairs: Sequence[Pair], beta: float
) -> FloatArray:
    """Return b - a of F after swaps: shape (resamples, pairs).

    Args:
        totals: tp, proposed and gold of systems: shape (systems, 3).
        swapped: of the sentences that are swapped: shape (resamples, systems, 3).
        pairs: positions of a and b.
        beta: the weight of recall.

    """
    found = np.empty((len(swapped), len(pairs)))
    scores_after = scores_of_swaps(totals, swapped, pairs, lambda sums: f_of_sums(sums, beta))
    for column, (first, second) in enumerate(scores_after):
        found[:, column] = second - first
    return found


@dataclass(frozen=True)
class Tested:
    """All pairs of systems by one metric, and which of them count: positions in `pairs_of`."""

    resampled: Resampled
    differences: Differences | None
    alpha: float

    @property
    def n_systems(self) -> int:
        """How many systems."""
        return len(self.resampled.scores)

    def place(self, a: int, b: int) -> int:
        """Return the position of a pair among all."""
        return pairs_of(self.n_systems).index((min(a, b), max(a, b)))


def tested(resampled: Resampled, alpha: float) -> Tested:
    """Return the differences of all pairs; none without resamples."""
    pairs = pairs_of(len(resampled.scores))
    found = None
    if len(resampled.drawn) and pairs:
        found = differences(resampled.scores, resampled.drawn, resampled.swapped, pairs)
    return Tested(resampled, found, alpha)


def scores(of: Tested) -> list[Score]:
    """Return the score of every system, with ranks that the tests of all pairs leave possible."""
    resampled = of.resampled
    intervals: list[Interval | None] = [None] * of.n_systems
    if len(resampled.drawn):
        low, high = percentile_intervals(resampled.drawn, LEVEL)
        intervals = [Interval(*bounds) for bounds in zip(low.tolist(), high.tolist(), strict=True)]
    ranks: list[Ranks | None] = [None] * of.n_systems
    alike: list[bool | None] = [None] * of.n_systems
    best = int(np.argmax(resampled.scores))
    if of.differences is not None:
        pairs = pairs_of(of.n_systems)
        p_values = holm(of.differences.p_randomisation)
        ranks = [*possible_ranks(resampled.scores, pairs, p_values, of.alpha)]
        others = [system for system in range(of.n_systems) if system != best]
        beside_best = holm(
            [of.differences.p_randomisation[of.place(best, other)] for other in others]
        )
        alike[best] = True
        for other, p in zip(others, beside_best.tolist(), strict=True):
            alike[other] = p >= of.alpha
    return [
        Score(
            resampled.metric,
            float(value),
            intervals[system],
            None if resampled.counts is None else resampled.counts[system],
            ranks[system],
            bool(value == resampled.scores[best]),
            alike[system],
        )
        for system, value in enumerate(resampled.scores.tolist())
    ]


def comparisons(
    of: Tested,
    names: Sequence[str],
    pairs: Sequence[Pair],
    same: frozenset[Pair],
    by_annotator: dict[Pair, tuple[ByAnnotator, ...]],
    margin: float | None,
) -> list[Comparison]:
    """Return the comparisons of pairs of systems, corrected for each other.

    Args:
        of: what was tested.
        names: of the systems.
        pairs: that are compared.
        same: those whose outputs are the same.
        by_annotator: what annotators alone say of a pair.
        margin: below which two systems are called equivalent; None asks nothing.

    """
    found = of.differences
    values = of.resampled.scores
    if found is None:
        return [
            Comparison(
                names[a],
                names[b],
                of.resampled.metric,
                float(values[b] - values[a]),
                ci=None,
                se=None,
                p_randomisation=None,
                p_bootstrap=None,
                p_holm=None,
                mark="same_outputs" if (a, b) in same else "untested",
                by_annotator=by_annotator.get((a, b), ()),
                equivalence=None,
            )
            for a, b in pairs
        ]
    places = [of.place(a, b) for a, b in pairs]
    corrected = holm(found.p_randomisation[places]).tolist()
    result = []
    for (a, b), place, p_holm in zip(pairs, places, corrected, strict=True):
        difference = float(found.difference[place])
        result.append(
            Comparison(
                names[a],
                names[b],
                of.resampled.metric,
                difference,
                Interval(float(found.low[place]), float(found.high[place])),
                float(found.se[place]),
                float(found.p_randomisation[place]),
                float(found.p_bootstrap[place]),
                p_holm,
                "same_outputs" if (a, b) in same else _mark(difference, p_holm, of.alpha),
                by_annotator.get((a, b), ()),
                None if margin is None else equivalence(found.samples[:, place], margin),
            )
        )
    return result


def _mark(difference: float, p_value: float, alpha: float) -> Mark:
    if p_value >= alpha:
        return "equal"
    return "better" if difference > 0 else "worse"
