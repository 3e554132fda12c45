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
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.compare.results import (
    ByAnnotator,
    Comparison,
    Counts,
    Equivalence,
    Interval,
    Mark,
    Ranks,
    Score,
)
from maege.analysis.metrics.families.base import (
    FloatArray,
    RequestGroup,
    StatisticsFamily,
    is_among,
)
from maege.analysis.metrics.registry import METRICS, Metric
from maege.analysis.metrics.scores.score import Pair, Statistics, SummedScore, SystemScores
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
    """Return all pairs of systems. In each pair the first system is the one given first."""
    return list(combinations(range(n_systems), 2))


@dataclass(frozen=True)
class Resampling:
    """The samples and swaps of sentences that all metrics share; 0 resamples test nothing."""

    n_sentences: int
    resamples: int
    seed: int

    @property
    def swaps(self) -> Swaps:
        """The swaps, in the same number as the samples."""
        return Swaps(self.n_sentences, self.resamples, self.seed)

    def weights(self) -> Iterable[SampleWeights]:
        """Return blocks with the number of times that each sample contains each sentence."""
        if self.n_sentences * self.resamples <= MOST_WEIGHTS:
            return self._all_weights
        return weights_in_blocks(self.n_sentences, self.resamples, self.seed, AT_ONCE)

    @cached_property
    def _all_weights(self) -> list[SampleWeights]:
        return list(weights_in_blocks(self.n_sentences, self.resamples, self.seed, AT_ONCE))


@dataclass(frozen=True)
class Resampled:
    """Scores of systems by one metric, on the data and in resamples.

    `scores` has shape (systems,), `drawn` (resamples, systems). `swapped` is b - a of all pairs
    after swaps, shape (resamples, pairs), in the order of `pairs_of`. Without tests `drawn` and
    `swapped` are empty.
    """

    metric: str
    scores: FloatArray
    counts: Sequence[Counts] | None
    drawn: FloatArray
    swapped: FloatArray


def resampled_scores(
    metric: str,
    score: str | SummedScore,
    sentence_scores: FloatArray,
    statistics: Statistics,
    resampling: Resampling,
    counts: Sequence[Counts] | None = None,
) -> Resampled:
    """Return the scores of systems by one metric, on the data and in resamples of sentences.

    Args:
        metric: name of the metric.
        score: its rule for corpus scores, or the name of a metric that has one.
        sentence_scores: shape (systems, sentences).
        statistics: sufficient statistics of the rule by family, shapes (systems, sentences,
            references, k).
        resampling: samples and swaps of sentences.
        counts: edit counts of the systems, if the metric counts edits.
    """
    n_systems, n_sentences = sentence_scores.shape
    ones: SampleWeights = np.ones((1, n_sentences), np.uint8)
    scores = system_scores(score, sentence_scores, statistics, ones, "py2").score
    limit = system_scores(score, sentence_scores, statistics, ones, "expected").score
    pairs = pairs_of(n_systems)
    drawn, swapped = np.empty((0, n_systems)), np.empty((0, len(pairs)))
    if resampling.resamples:
        # The samples use GLEU's limit for many random references. They are shifted to the score
        # over random references, as in the warehouse.
        drawn = (scores - limit) + np.concatenate(
            [
                system_scores(score, sentence_scores, statistics, weights, "expected").samples
                for weights in resampling.weights()
            ]
        )
    if resampling.resamples and pairs:
        swapped = swapped_differences(score, sentence_scores, statistics, resampling.swaps, pairs)
    return Resampled(metric, scores, counts, drawn, swapped)


# --- Text-based metrics ---


def text_metrics(language: str) -> list[str]:
    """Return the names of the metrics that read only texts and can run on this machine."""
    return sorted(name for name, metric in METRICS.items() if _reads_texts(metric, language))


def _reads_texts(metric: Metric, language: str) -> bool:
    families = metric.score.families
    return (
        metric.missing is None
        and not metric.scored_elsewhere
        and is_among(language, metric.languages)
        and bool(families)
        and all(isinstance(family, StatisticsFamily) for family in families)
    )


def resampled_metric(
    name: str,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    resampling: Resampling,
) -> Resampled:
    """Return the scores of systems by a text-based metric, on the data and in resamples.

    Args:
        name: one of `text_metrics`.
        sources: one text per sentence.
        references: references of each sentence, the same number for all sentences.
        outputs: the texts of each system.
        resampling: samples and swaps of sentences.
    """
    metric = METRICS[name]
    statistics = {
        family.name: _text_statistics(family, sources, references, outputs)
        for family in metric.score.families
        if isinstance(family, StatisticsFamily)
    }
    return resampled_scores(
        name, name, _sentence_scores(metric, statistics), statistics, resampling
    )


def _sentence_scores(metric: Metric, statistics: Statistics) -> FloatArray:
    n_systems, n_sentences = next(iter(statistics.values())).shape[:2]
    # Corpus scores that are computed from sums do not need sentence scores.
    if isinstance(metric.score, SummedScore):
        return np.zeros((n_systems, n_sentences))
    flat = {name: values.reshape(-1, *values.shape[2:]) for name, values in statistics.items()}
    return metric.score.sentence_scores(flat).reshape(n_systems, n_sentences)


def _text_statistics(
    family: StatisticsFamily,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
) -> FloatArray:
    groups = []
    for source, listed, texts in zip(sources, references, zip(*outputs, strict=True), strict=True):
        distinct = list(dict.fromkeys(texts))
        groups.append(
            RequestGroup(
                listed if family.reads_references else (),
                (source,) if family.reads_source else (),
                tuple(distinct),
                np.zeros(len(texts) if family.reads_source else 0, np.intp),
                np.array([distinct.index(text) for text in texts], np.intp),
            )
        )
    return np.stack(family.compute_batch(groups), axis=1)


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

    Args:
        metric: name of the metric.
        sentence_scores: shape (systems, sentences).
        statistics: sufficient statistics of the sentences, by family.
        scores: the corpus scores, on the data and in bootstrap samples.
        swaps: swaps of sentences.
    """
    n_systems, n_sentences = sentence_scores.shape
    listed = pairs_of(n_systems)
    if not listed:
        return
    if too_few(sentences=n_sentences):
        for first, second in listed:
            difference = float(scores.score[first] - scores.score[second])
            yield PairTest(first, second, difference, *[np.nan] * 5)
        return
    swapped = swapped_differences(metric, sentence_scores, statistics, swaps, listed)
    first, second = np.array(listed).T
    p = randomisation_p(scores.score[second] - scores.score[first], swapped)
    low, high = percentile_intervals(scores.samples[:, first] - scores.samples[:, second], LEVEL)
    columns = zip(
        listed, scores.score[first] - scores.score[second], low, high, p, q_values(p), holm(p),
        strict=True,
    )  # fmt: skip
    for (a, b), difference, lower, upper, *p_values in columns:
        yield PairTest(a, b, float(difference), *with_width(lower, upper), *map(float, p_values))


class Differences(NamedTuple):
    """The differences b - a of some pairs; `samples` has shape (resamples, pairs)."""

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    se: FloatArray
    p_randomisation: FloatArray
    p_bootstrap: FloatArray
    samples: FloatArray


@dataclass(frozen=True)
class Tested:
    """Scores by one metric, with the differences of all pairs of systems in `pairs_of`'s order."""

    resampled: Resampled
    differences: Differences | None
    alpha: float

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.resampled.scores)

    def place(self, a: int, b: int) -> int:
        """Return the position of a pair in the list of all pairs."""
        return pairs_of(self.n_systems).index((min(a, b), max(a, b)))


def tested_pairs(resampled: Resampled, alpha: float) -> Tested:
    """Return the differences of all pairs; none without resamples."""
    pairs = pairs_of(len(resampled.scores))
    if not len(resampled.drawn) or not pairs:
        return Tested(resampled, None, alpha)
    a, b = np.array(pairs, np.intp).T
    difference = resampled.scores[b] - resampled.scores[a]
    samples = resampled.drawn[:, b] - resampled.drawn[:, a]
    low, high = percentile_intervals(samples, LEVEL)
    differences = Differences(
        difference,
        low,
        high,
        samples.std(axis=0),
        randomisation_p(difference, resampled.swapped),
        paired_p_values(samples),
        samples,
    )
    return Tested(resampled, differences, alpha)


def equivalence(samples: FloatArray, margin: float) -> Equivalence:
    """Return whether two systems are equivalent, from their differences in samples, shape (n,)."""
    low, high = percentile_intervals(samples[:, np.newaxis], EQUIVALENCE_LEVEL)
    ci = Interval(float(low[0]), float(high[0]))
    return Equivalence(margin, ci, -margin < ci.low and ci.high < margin)


def possible_ranks(
    scores: ArrayLike, pairs: ArrayLike, p_values: ArrayLike, alpha: float
) -> list[Ranks]:
    """Return the rank of each system, and the range of ranks that the tests of all pairs allow.

    Args:
        scores: shape (systems,). The highest score ranks first; equal scores share the better rank.
        pairs: positions of all pairs, shape (pairs, 2).
        p_values: corrected p-values of the pairs, shape (pairs,).
        alpha: significance level.
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


def scores(tested: Tested) -> list[Score]:
    """Return the score of every system, with the range of ranks that the tests allow."""
    resampled, differences = tested.resampled, tested.differences
    intervals: list[Interval | None] = [None] * tested.n_systems
    if len(resampled.drawn):
        low, high = percentile_intervals(resampled.drawn, LEVEL)
        intervals = [Interval(*bounds) for bounds in zip(low.tolist(), high.tolist(), strict=True)]
    ranks: list[Ranks | None] = [None] * tested.n_systems
    is_like_best: list[bool | None] = [None] * tested.n_systems
    best = int(np.argmax(resampled.scores))
    if differences is not None:
        p_values = holm(differences.p_randomisation)
        ranks = [
            *possible_ranks(resampled.scores, pairs_of(tested.n_systems), p_values, tested.alpha)
        ]
        others = [system for system in range(tested.n_systems) if system != best]
        places = [tested.place(best, other) for other in others]
        is_like_best[best] = True
        for other, p in zip(others, holm(differences.p_randomisation[places]), strict=True):
            is_like_best[other] = bool(p >= tested.alpha)
    return [
        Score(
            resampled.metric,
            float(value),
            intervals[system],
            None if resampled.counts is None else resampled.counts[system],
            ranks[system],
            bool(value == resampled.scores[best]),
            is_like_best[system],
        )
        for system, value in enumerate(resampled.scores.tolist())
    ]


def comparisons(
    tested: Tested,
    names: Sequence[str],
    pairs: Sequence[Pair],
    same: frozenset[Pair],
    by_annotator: dict[Pair, tuple[ByAnnotator, ...]],
    margin: float | None,
) -> list[Comparison]:
    """Return the comparisons of pairs of systems, with p-values corrected for all of them.

    Args:
        tested: all pairs by one metric.
        names: names of the systems.
        pairs: pairs to compare.
        same: pairs with equal outputs.
        by_annotator: the difference of each pair with each annotator alone.
        margin: equivalence margin; None tests no equivalence.
    """
    values, differences = tested.resampled.scores, tested.differences
    metric = tested.resampled.metric
    if differences is None:
        return [
            Comparison(
                names[a],
                names[b],
                metric,
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
    places = [tested.place(a, b) for a, b in pairs]
    corrected = holm(differences.p_randomisation[places]).tolist()
    result = []
    for (a, b), place, p_holm in zip(pairs, places, corrected, strict=True):
        difference = float(differences.difference[place])
        result.append(
            Comparison(
                names[a],
                names[b],
                metric,
                difference,
                Interval(float(differences.low[place]), float(differences.high[place])),
                float(differences.se[place]),
                float(differences.p_randomisation[place]),
                float(differences.p_bootstrap[place]),
                p_holm,
                "same_outputs" if (a, b) in same else _mark(difference, p_holm, tested.alpha),
                by_annotator.get((a, b), ()),
                None if margin is None else equivalence(differences.samples[:, place], margin),
            )
        )
    return result


def _mark(difference: float, p_value: float, alpha: float) -> Mark:
    if p_value >= alpha:
        return "equal"
    return "better" if difference > 0 else "worse"
