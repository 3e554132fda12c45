"""Scores of systems by one metric, with confidence intervals, tests of every pair and ranks.

The bootstrap (Efron 1979; for two systems with the same samples, Koehn 2004) samples sentences with
replacement. Approximate randomisation (Noreen 1989) swaps random sentences between two systems. All
metrics share samples and swaps, and each metric uses its own rule for corpus scores
(`maege.analysis.system_scores`).

The p-value of approximate randomisation is (swaps with a difference at least as large + 1) / (swaps
+ 1), so no p-value is 0. Holm (1979) corrects the comparisons by one metric, Benjamini and Hochberg
(1995) those of the error types of a pair. Two systems are called equivalent if the 90 % interval of
their difference lies within a margin (two one-sided tests at 5 %; Schuirmann 1987).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.compare.results import (
    Comparison,
    Counts,
    Equivalence,
    Interval,
    Ranks,
    Score,
)
from maege.analysis.metrics.families import (
    FloatArray,
    Request,
    StatisticsFamily,
    family_statistics,
    is_among,
)
from maege.analysis.metrics.m2 import M2Score
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import Pair, Statistics, SummedScore, SystemScores
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.randomisation import AT_ONCE, Swaps, randomisation_p
from maege.analysis.statistics.resampling import (
    EQUIVALENCE_LEVEL,
    LEVEL,
    paired_p_values,
    percentile_intervals,
    too_few,
    weights_in_blocks,
    with_width,
)
from maege.analysis.statistics.significance import holm, q_values
from maege.analysis.system_scores import swapped_differences, system_scores

# Up to this number of weights (40 MB), all metrics share the same drawn weights.
MOST_WEIGHTS = 20_000_000


def pairs_of(n_systems: int) -> list[Pair]:
    return list(combinations(range(n_systems), 2))


@dataclass(frozen=True)
class Resampling:
    """The samples and swaps of sentences that all metrics share; 0 resamples test nothing."""

    n_sentences: int
    resamples: int
    seed: int

    @property
    def swaps(self) -> Swaps:
        return Swaps(self.n_sentences, self.resamples, self.seed)

    def weights(self) -> Iterable[SampleWeights]:
        if self.n_sentences * self.resamples <= MOST_WEIGHTS:
            return self._all_weights
        return weights_in_blocks(self.n_sentences, self.resamples, self.seed, AT_ONCE)

    @cached_property
    def _all_weights(self) -> list[SampleWeights]:
        return list(weights_in_blocks(self.n_sentences, self.resamples, self.seed, AT_ONCE))


@dataclass(frozen=True)
class Tested:
    """Scores of systems by one metric, on the data and in resamples, and tests of pairs.

    `scores` has shape (systems,), `samples` (resamples, systems), and the p-values of approximate
    randomisation (pairs,). Without tests, `samples` is empty and the p-values are None.
    """

    scores: FloatArray
    samples: FloatArray
    pairs: Sequence[Pair]
    p_values: FloatArray | None


def score_systems(
    score: str | SummedScore,
    sentence_scores: FloatArray,
    statistics: Statistics,
    resampling: Resampling,
    pairs: Sequence[Pair] | None = None,
) -> Tested:
    """Return the scores of systems by one metric, on the data and in resamples of sentences.

    `score` is its rule for corpus scores, or the name of a metric that has one. `sentence_scores`
    has shape (systems, sentences); `statistics` by family (systems, sentences, references, k).
    """
    n_systems, n_sentences = sentence_scores.shape
    pairs = pairs_of(n_systems) if pairs is None else pairs
    ones: SampleWeights = np.ones((1, n_sentences), np.uint8)
    scores = system_scores(score, sentence_scores, statistics, ones, "py2").score
    if not resampling.resamples:
        return Tested(scores, np.empty((0, n_systems)), pairs, None)
    # The samples use GLEU's limit for many random references. They are shifted to the score over
    # random references, as in the warehouse.
    limit = system_scores(score, sentence_scores, statistics, ones, "expected").score
    samples = (scores - limit) + np.concatenate(
        [
            system_scores(score, sentence_scores, statistics, weights, "expected").samples
            for weights in resampling.weights()
        ]
    )
    if not pairs:
        return Tested(scores, samples, pairs, None)
    swapped = swapped_differences(score, sentence_scores, statistics, resampling.swaps, pairs)
    a, b = np.array(pairs).T
    return Tested(scores, samples, pairs, randomisation_p(scores[b] - scores[a], swapped))


def score_counts(
    sums: FloatArray, beta: float, resampling: Resampling, pairs: Sequence[Pair] | None = None
) -> Tested:
    """Return F of systems from tp, proposed and gold, shape (systems, sentences, 3)."""
    statistics = {M2Score.family.name: sums[:, :, np.newaxis]}
    return score_systems(M2Score(beta), sums[..., 0], statistics, resampling, pairs)


# --- Text-based metrics ---


def text_metrics(language: str) -> list[str]:
    return sorted(
        name
        for name, metric in METRICS.items()
        if metric.missing is None
        and not metric.scored_elsewhere
        and is_among(language, metric.languages)
        and metric.score.families
        and all(isinstance(family, StatisticsFamily) for family in metric.score.families)
    )


def score_metric(
    name: str,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    resampling: Resampling,
) -> Tested:
    score, shape = METRICS[name].score, (len(outputs), len(sources))
    requests = [
        Request(*request)
        for texts in outputs
        for request in zip(references, sources, texts, strict=True)
    ]
    statistics = {family.name: family_statistics(family, requests) for family in score.families}
    # Corpus scores that are computed from sums do not need sentence scores.
    sentence_scores = np.zeros(shape)
    if not isinstance(score, SummedScore):
        sentence_scores = score.sentence_scores(statistics).reshape(shape)
    by_system = {
        family: values.reshape(*shape, *values.shape[1:]) for family, values in statistics.items()
    }
    return score_systems(name, sentence_scores, by_system, resampling)


# --- Tests of pairs ---


class PairTest(NamedTuple):
    """The first system's score minus the second's, with its test; NaN if it was not tested."""

    first: int
    second: int
    difference: float
    ci_low: float
    ci_high: float
    p_value: float
    q_value: float
    p_holm: float


def pair_tests(
    metric: str,
    sentence_scores: FloatArray,
    statistics: Statistics,
    scores: SystemScores,
    swaps: Swaps,
) -> Iterator[PairTest]:
    """Yield the test of every pair of systems, as rows of the mart of systems.

    Intervals are percentiles of bootstrap samples. P-values come from approximate randomisation and
    are corrected for all pairs. With too few sentences, rows have only the difference.
    `sentence_scores` has shape (systems, sentences).
    """
    n_systems, n_sentences = sentence_scores.shape
    listed = pairs_of(n_systems)
    if not listed:
        return
    first, second = np.array(listed).T
    differences = scores.score[first] - scores.score[second]
    tests: Sequence[FloatArray] = [*np.full((5, len(listed)), np.nan)]
    if not too_few(sentences=n_sentences):
        swapped = swapped_differences(metric, sentence_scores, statistics, swaps, listed)
        p = randomisation_p(scores.score[second] - scores.score[first], swapped)
        samples = scores.samples[:, first] - scores.samples[:, second]
        tests = [*percentile_intervals(samples, LEVEL), p, q_values(p), holm(p)]
    for (a, b), difference, low, high, *p_values in zip(listed, differences, *tests, strict=True):
        yield PairTest(a, b, float(difference), *with_width(low, high), *map(float, p_values))


def equivalence(samples: FloatArray, margin: float) -> Equivalence:
    """Return whether two systems are equivalent, from their differences in samples, shape (n,)."""
    low, high = percentile_intervals(samples[:, np.newaxis], EQUIVALENCE_LEVEL)
    ci = Interval(float(low[0]), float(high[0]))
    return Equivalence(margin, ci, -margin < ci.low and ci.high < margin)


def possible_ranks(
    scores: ArrayLike, pairs: ArrayLike, p_values: ArrayLike, alpha: float
) -> list[Ranks]:
    """Return the rank of each system, and the range of ranks that the tests of all pairs allow.

    `scores` has shape (systems,); equal scores share the better rank. `pairs` are positions of
    systems, shape (pairs, 2), and `p_values` are corrected.
    """
    score = np.asarray(scores, dtype=np.float64)
    better: NDArray[np.int64] = np.zeros(score.size, dtype=np.int64)
    worse = np.zeros_like(better)
    for (a, b), p in zip(np.asarray(pairs).reshape(-1, 2), np.asarray(p_values), strict=True):
        if p < alpha:
            upper, lower = (a, b) if score[a] > score[b] else (b, a)
            better[lower] += 1
            worse[upper] += 1
    ranks = 1 + (score[np.newaxis] > score[:, np.newaxis]).sum(axis=1)
    return [
        Ranks(int(rank), int(1 + above), int(score.size - below))
        for rank, above, below in zip(ranks, better, worse, strict=True)
    ]


def scores(tested: Tested, counts: Sequence[Counts | None], alpha: float) -> list[Score]:
    places = range(len(tested.scores))
    best = int(np.argmax(tested.scores))
    intervals: Sequence[Interval | None] = [None for _ in places]
    ranks: Sequence[Ranks | None] = [None for _ in places]
    is_like_best: dict[int, bool] = {}
    if len(tested.samples):
        bounds = percentile_intervals(tested.samples, LEVEL)
        intervals = [Interval(*pair) for pair in np.transpose(bounds).tolist()]
    if tested.p_values is not None:
        ranks = possible_ranks(tested.scores, tested.pairs, holm(tested.p_values), alpha)
        others = [sum(pair) - best for pair in tested.pairs if best in pair]
        with_best = [best in pair for pair in tested.pairs]
        corrected = holm(tested.p_values[with_best]) >= alpha
        is_like_best = {best: True, **dict(zip(others, corrected.tolist(), strict=True))}
    return [
        Score(
            float(tested.scores[place]),
            intervals[place],
            counts[place],
            ranks[place],
            bool(tested.scores[place] == tested.scores[best]),
            is_like_best.get(place),
        )
        for place in places
    ]


def comparisons(
    metric: str,
    tested: Tested,
    names: Sequence[str],
    pairs: Sequence[Pair],
    alpha: float,
    margin: float | None,
) -> list[Comparison]:
    if not pairs:
        return []
    a, b = np.array(pairs).T
    differences = (tested.scores[b] - tested.scores[a]).tolist()
    rows = [
        Comparison(names[first], names[second], metric, difference)
        for (first, second), difference in zip(pairs, differences, strict=True)
    ]
    if tested.p_values is None:
        return rows
    samples = tested.samples[:, b] - tested.samples[:, a]
    p_values = tested.p_values[[tested.pairs.index(pair) for pair in pairs]]
    columns = zip(
        rows,
        np.transpose(percentile_intervals(samples, LEVEL)).tolist(),
        samples.std(axis=0).tolist(),
        p_values.tolist(),
        paired_p_values(samples).tolist(),
        holm(p_values).tolist(),
        samples.T,
        strict=True,
    )
    return [
        replace(
            row,
            ci=Interval(*bounds),
            se=se,
            p_randomisation=p,
            p_bootstrap=p_bootstrap,
            p_holm=p_holm,
            mark="equal" if p_holm >= alpha else "better" if row.difference > 0 else "worse",
            equivalence=None if margin is None else equivalence(sampled_differences, margin),
        )
        for row, bounds, se, p, p_bootstrap, p_holm, sampled_differences in columns
    ]
