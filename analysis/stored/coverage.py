"""Rows of coverage: estimates from a crowd, scores corrected for coverage, and stability."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.code import code_behind_module
from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.scores import ChosenScore, FamilyScore
from maege.analysis.statistics.coverage import (
    Curve,
    Distribution,
    corpus_curve,
    expected_distinct_coverage,
    good_turing_curve,
    rare_unseen_estimate,
    redrawn_estimates,
    unseen_curve,
    unseen_estimate,
)
from maege.analysis.statistics.references import (
    Array,
    Choice,
    Growth,
    adjusted_scores,
    crowd_growth,
    jackknife_growth,
    no_growth,
    stability,
)
from maege.analysis.statistics.resampling import cluster_weights, too_few, with_width
from maege.analysis.stored.rows import rows_to_table, table_schema
from maege.analysis.texts import content_key

# Resample 0 is the histogram itself.
SCHEMA = table_schema(
    "histogram varchar, signature varchar, redraw integer, redrawn integer[], "
    "frequencies double[], variants double[]"
)
HISTOGRAMS_PER_CHUNK = 4
ESTIMATORS = {"unseenest": unseen_estimate, "unseenest_rare": rare_unseen_estimate}
# The paper's programme has no interval: resampled answers contain the true coverage in as few as 25
# of 100 simulated cases (tests/simulations/coverage_estimators.py).
WITHOUT_INTERVAL = ("unseenest",)


@dataclass(frozen=True)
class HistogramChunk:
    """Histograms as text, the numbers separated by commas."""

    histograms: list[str]
    estimator: str
    redraws: int
    seed: int

    @property
    def description(self) -> str:
        return f"the histograms {' and '.join(self.histograms)} by {self.estimator}"


def estimates_signature(estimator: str, redraws: int, seed: int) -> str:
    """Return the key of a solution besides its histogram: the settings and the solver's code."""
    code = code_behind_module("maege.analysis.statistics.coverage")
    return f"{estimator}|redraws:{redraws}|seed:{seed}|{code}"


def redraws_of(estimator: str, redraws: int) -> int:
    return 0 if estimator in WITHOUT_INTERVAL else redraws


def plan_histograms(
    histograms: list[str], estimator: str, redraws: int, seed: int
) -> Iterator[HistogramChunk]:
    for start in range(0, len(histograms), HISTOGRAMS_PER_CHUNK):
        part = histograms[start : start + HISTOGRAMS_PER_CHUNK]
        yield HistogramChunk(part, estimator, redraws, seed)


def parsed_histogram(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def estimate_chunk(chunk: HistogramChunk) -> pa.Table:
    # Resamples of one histogram, and of similar ones, are often equal.
    name, solve = chunk.estimator, cache(ESTIMATORS[chunk.estimator])
    signature = estimates_signature(name, chunk.redraws, chunk.seed)
    redraws = redraws_of(name, chunk.redraws)
    rows = []
    for text in chunk.histograms:
        estimates = redrawn_estimates(parsed_histogram(text), solve, redraws, chunk.seed)
        for redraw, (redrawn, estimate) in enumerate(estimates):
            distribution = estimate.frequencies, estimate.variants
            rows.append((text, signature, redraw, redrawn, *distribution))
    return rows_to_table(rows, SCHEMA)


# --- Rows of coverage: every estimator, with and without replacement, by sentence and by corpus ---

# Numbers of references for a sentence, for a corpus, and for either without replacement.
OF_SENTENCE, OF_CORPUS, DISTINCT = 50, 1000, 20
TOO_SMALL = "No two answers agree, so coverage may be any value from 0 to the upper bound."
LEAST_ANSWERS = 5
# From this number on, simulated intervals contain the truth in 0.9 or nearly, with twenty in 0.86,
# with eight in 0.76 (tests/simulations/coverage_estimators.py); Good and Turing's only for fewer
# references than answers.
LEAST_FOR_INTERVAL = 30
TOO_FEW = f"Fewer than {LEAST_ANSWERS} answers: too few for an estimate."

Row = tuple[Any, ...]
# The resampled histograms and their distributions; the first of each is the original one.
Solution = tuple[list[list[int]], list[dict[str, list[float]]]]


def crowd_rows(
    histograms: Sequence[Row], solutions: dict[tuple[str, str], Solution], level: float
) -> Iterator[Row]:
    """Yield the rows of sorted (corpus, measure, sentence_id, n_answers, histogram).

    Solutions are by estimator and histogram.
    """
    for (corpus, measure), group in groupby(histograms, key=itemgetter(0, 1)):
        curves_by_estimator: dict[tuple[str, bool], list[Curve]] = defaultdict(list)
        total = n_sentences = 0
        for _, _, sentence_id, n_answers, text in group:
            if n_answers < LEAST_ANSWERS:
                for estimator in (*ESTIMATORS, "good_turing"):
                    unknown = (estimator, True, 1, None, None, None)
                    yield corpus, sentence_id, measure, *unknown, n_answers, TOO_FEW
                continue
            note = TOO_SMALL if len(parsed_histogram(text)) == 1 else None
            total, n_sentences = total + n_answers, n_sentences + 1
            for (estimator, with_replacement), curve in _curves(text, solutions).items():
                curves_by_estimator[estimator, with_replacement].append(curve)
                key = (corpus, sentence_id, measure, estimator, with_replacement)
                most = OF_SENTENCE if with_replacement else DISTINCT
                reliable_curve = curve.sure_to(_surest(estimator, n_answers))
                yield from _curve_rows(key, reliable_curve, most, level, n_answers, note)
        for (estimator, with_replacement), sentences in curves_by_estimator.items():
            key = (corpus, None, measure, estimator, with_replacement)
            most = OF_CORPUS if with_replacement else DISTINCT
            reliable_curve = corpus_curve(sentences).sure_to(
                0 if too_few(sentences=n_sentences) else _surest(estimator, total // n_sentences)
            )
            yield from _curve_rows(key, reliable_curve, most, level, total, None)


def released_rows(released: Sequence[Row], level: float) -> Iterator[Row]:
    """Yield the rows of sorted (corpus, measure, name, frequencies, variants)."""
    for (corpus, measure), group in groupby(released, key=itemgetter(0, 1)):
        estimates = [Distribution(*map(np.asarray, row[-2:])) for row in group]
        curves = {
            True: [unseen_curve([estimate], OF_CORPUS) for estimate in estimates],
            False: [_distinct_reference_curve(estimate) for estimate in estimates],
        }
        for with_replacement, sentences in curves.items():
            key = (corpus, None, measure, "released", with_replacement)
            curve = corpus_curve(sentences)
            yield from _curve_rows(key, curve, len(curve.shares), level, None, None)


def _curves(
    histogram: str, solutions: dict[tuple[str, str], Solution]
) -> dict[tuple[str, bool], Curve]:
    curves: dict[tuple[str, bool], Curve] = {}
    for estimator in ESTIMATORS:
        redrawn, stored = solutions[estimator, histogram]
        estimates = [Distribution(np.asarray(row["f"]), np.asarray(row["v"])) for row in stored]
        curves[estimator, True] = unseen_curve(estimates, OF_CORPUS)
        curves[estimator, False] = _distinct_reference_curve(estimates[0])
    # Resamples belong to the last estimator, which has the best distribution.
    curves["good_turing", True] = good_turing_curve(redrawn[0], redrawn[1:], OF_CORPUS)
    return curves


def _surest(estimator: str, n_answers: int) -> int:
    """Return the largest number of references with a valid interval."""
    if n_answers < LEAST_FOR_INTERVAL:
        return 0
    return n_answers - 1 if estimator == "good_turing" else OF_CORPUS


def _distinct_reference_curve(distribution: Distribution) -> Curve:
    shares = expected_distinct_coverage(distribution, DISTINCT)
    return Curve(shares, np.full_like(shares, np.nan))


def _curve_rows(
    key: Row, curve: Curve, most: int, level: float, n_answers: int | None, note: str | None
) -> Iterator[Row]:
    low, high = curve.interval(level)
    shares = curve.shares
    for m in range(most):
        bounds = with_width(float(low[m]), float(high[m]))
        yield *key, m + 1, float(shares[m]), *bounds, n_answers, note


# --- Rows of scores corrected for coverage: predictions to be checked, and complete coverage ---

DRAWS = 200
PAIRS = 15
# The estimators whose intervals contain the score with all annotators about as often as they should
# (mart adjusted_scores: 0.93 to 0.94). Those of crowd_exact contain it in 0.82, the jackknife's in
# 0.14 to 0.25.
WITH_INTERVAL = ("crowd_index",)


@dataclass(frozen=True)
class AdjustableScores:
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


def adjustment_rows(scores: AdjustableScores, level: float, seed: int) -> Iterator[Row]:
    n_annotators = len(scores.annotators)
    if n_annotators < 2:
        return
    counts = counts_of(scores.score, scores.statistics)
    counts_with = cache(lambda subset: counts([subset])[0])
    weights = cluster_weights(scores.statistics.shape[1], DRAWS, seed)

    def rows(subset: Sequence[int], target: float, actual: Array | None) -> Iterator[Row]:
        names = [scores.annotators[position] for position in subset]
        label = "all" if len(subset) == n_annotators else ",".join(names)
        adjusted = adjusted_scores(
            lambda positions: counts_with(tuple(positions)),
            scores.score.of_sums,
            subset,
            _growths(scores, len(subset), target, seed),
            weights,
            level,
            seed,
        )
        set_key = (scores.corpus, scores.reference_set, scores.metric)
        subset_key = (label, len(subset), None if np.isinf(target) else int(target))
        for estimator, estimate in adjusted.items():
            crowd = scores.crowd if estimator in scores.curves else None
            for place, system in enumerate(scores.systems):
                score, adjusted_score, low, high = (float(column[place]) for column in estimate)
                bounds = _interval(estimator, low, high)
                truth = None if actual is None else float(actual[place])
                contains_truth = (
                    None if truth is None or bounds[0] is None else low <= truth <= high
                )
                key = (*set_key, system, estimator, crowd, *subset_key)
                yield *key, score, adjusted_score, *bounds, truth, contains_truth

    complete = list(rows(range(n_annotators), np.inf, None))
    # Without an adjustment only the predictions of pairs are of interest.
    yield from (row for row in complete if row[4] != "naive")
    if n_annotators > 2:
        actual = np.array([row[9] for row in complete[: len(scores.systems)]])

        def hash_key(pair: tuple[int, int]) -> int:
            names = (scores.annotators[position] for position in pair)
            return content_key("/".join((str(seed), scores.corpus, scores.reference_set, *names)))

        for pair in sorted(combinations(range(n_annotators), 2), key=hash_key)[:PAIRS]:
            yield from rows(pair, n_annotators, actual)


def _interval(
    estimator: str, low: float, high: float
) -> tuple[float | None, float | None, str | None]:
    if estimator not in WITH_INTERVAL:
        return None, None, "estimator"
    if not low < high:
        # Scores are cut off at 0 and 1: if all resamples are beyond, they are all equal.
        return None, None, "no_growth" if np.isnan(low) else "at_limit"
    return low, high, None


def _growths(
    scores: AdjustableScores, n_references: int, target: float, seed: int
) -> dict[str, Growth]:
    growths = {
        "naive": no_growth(DRAWS),
        "jackknife": jackknife_growth(n_references, target, DRAWS),
    }
    for estimator, curves in scores.curves.items():
        # A crowd with few answers gives no curve for more references than it has answers.
        if max(n_references, 1 if np.isinf(target) else target) <= curves.shape[1]:
            weights = cluster_weights(len(curves), DRAWS, seed)
            growths[estimator] = crowd_growth(curves, n_references, target, weights)
    return growths


def counts_of(
    score: ChosenScore, statistics: Array
) -> Callable[[Sequence[tuple[int, ...]]], Array]:
    """Return a function that counts with some annotators, as the metric chooses among them.

    It takes sets of positions of annotators, all of the same size, and returns counts of shape
    (sets, systems, sentences, 3). If none of a set has a line for a sentence, the sentence has no
    gold edits, so every proposed edit is wrong.
    """
    has_no_line = np.isnan(statistics[..., 0])
    proposed = np.nanmin(score.counts(statistics)[..., 1], axis=2)
    nothing = np.zeros_like(proposed)
    noop = np.stack([nothing, proposed, nothing], axis=-1)

    def count(subsets: Sequence[tuple[int, ...]]) -> Array:
        selected = np.stack([np.take(statistics, subset, axis=2) for subset in subsets])
        absent = np.stack([np.take(has_no_line, subset, axis=2).all(axis=2) for subset in subsets])
        selected[absent, 0] = 0
        counts = score.chosen_counts(selected, score.choose(selected))
        return np.where(absent[..., np.newaxis], noop, counts)

    return count


# --- Rows of how stable the order of systems is, by number of references ---

CHOICES = 20
CHOICES_AT_ONCE = 8
# The fewest references that allow two disjoint samples of more than one size.
FEWEST = 4


def stability_rows(
    key: Row, score: FamilyScore, statistics: Array, level: float, seed: int
) -> Iterator[Row]:
    """`statistics` has shape (systems, sentences, references, k)."""
    n_systems, _, n_references, _ = statistics.shape
    if n_systems < 2 or n_references < FEWEST:
        return
    # A sample with a reference that lacks a sentence has no score.
    if not isinstance(score, ChosenScore) and np.isnan(statistics).any():
        return
    scores = _scores(score, statistics)
    for result in stability(scores, n_references, CHOICES, level, seed):
        n, counts = result.n_references, (n_systems, result.n_choices)
        yield *key, "pairs", n, result.pairs, result.pairs_low, result.pairs_high, *counts
        yield *key, "orders", n, result.orders, None, None, *counts


def _scores(score: FamilyScore, statistics: Array) -> Callable[[Sequence[Choice]], Array]:
    if isinstance(score, ChosenScore):
        counts = counts_of(score, statistics)

        def chosen_scores(choices: Sequence[Choice]) -> Array:
            # In parts, because the statistics of all choices may not fit into memory.
            starts = range(0, len(choices), CHOICES_AT_ONCE)
            parts = [counts(choices[start : start + CHOICES_AT_ONCE]) for start in starts]
            return np.concatenate([score.of_sums(part.sum(axis=2)) for part in parts])

        return chosen_scores
    if isinstance(score, GleuScore):
        # Integers, whose sums over sentences and references are exact in any order.
        terms = score.terms(statistics).sum(axis=1)
        return lambda choices: np.stack(
            [score.of_sums(terms[:, list(choice)].sum(axis=1)) for choice in choices]
        )
    reference_scores = score.reference_scores(statistics)
    return lambda choices: np.stack(
        [score.over(reference_scores[:, :, list(choice)]).mean(axis=1) for choice in choices]
    )
