"""Rows of coverage: every estimator, with and without replacement, by sentence and by corpus."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from maege.analysis.statistics.coverage import (
    Curve,
    Distribution,
    corpus_curve,
    expected_distinct_coverage,
    good_turing_curve,
    unseen_curve,
)
from maege.analysis.statistics.resampling import too_few, with_width
from maege.analysis.stored.coverage.crowd_estimates import (
    ESTIMATORS,
    parsed_histogram,
    stored_distribution,
)

# Numbers of references for a sentence, for a corpus, and for either without replacement.
OF_SENTENCE, OF_CORPUS, DISTINCT = 50, 1000, 20
# The estimator of the distributions that a paper released.
RELEASED = "released"
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
    """Yield the rows of all (corpus, measure, sentence_id, n_answers, histogram), sorted.

    Solutions are by estimator and histogram.
    """
    for (corpus, measure), group in groupby(histograms, key=itemgetter(0, 1)):
        of_estimator: dict[tuple[str, bool], list[Curve]] = {}
        total = n_sentences = 0
        for _, _, sentence_id, n_answers, text in group:
            if n_answers < LEAST_ANSWERS:
                yield from _unknown_rows((corpus, sentence_id, measure), n_answers)
                continue
            note = TOO_SMALL if len(parsed_histogram(text)) == 1 else None
            total, n_sentences = total + n_answers, n_sentences + 1
            for (estimator, with_replacement), curve in _curves(text, solutions).items():
                of_estimator.setdefault((estimator, with_replacement), []).append(curve)
                key = (corpus, sentence_id, measure, estimator, with_replacement)
                most = OF_SENTENCE if with_replacement else DISTINCT
                sure = curve.sure_to(_surest(estimator, n_answers))
                yield from _curve_rows(key, sure, most, level, n_answers, note)
        for (estimator, with_replacement), sentences in of_estimator.items():
            key = (corpus, None, measure, estimator, with_replacement)
            most = OF_CORPUS if with_replacement else DISTINCT
            sure = corpus_curve(sentences).sure_to(
                0 if too_few(sentences=n_sentences) else _surest(estimator, total // n_sentences)
            )
            yield from _curve_rows(key, sure, most, level, total, None)


def released_rows(released: Sequence[Row], level: float) -> Iterator[Row]:
    """Yield the rows of released estimates (corpus, measure, name, frequencies, variants)."""
    for (corpus, measure), group in groupby(released, key=itemgetter(0, 1)):
        found = [stored_distribution(frequencies, variants) for *_, frequencies, variants in group]
        for with_replacement, sentences in (
            (True, [unseen_curve([distribution], OF_CORPUS) for distribution in found]),
            (False, [_of_distinct(distribution) for distribution in found]),
        ):
            key = (corpus, None, measure, RELEASED, with_replacement)
            curve = corpus_curve(sentences)
            yield from _curve_rows(key, curve, len(curve.shares), level, None, None)


def _curves(
    histogram: str, solutions: dict[tuple[str, str], Solution]
) -> dict[tuple[str, bool], Curve]:
    """Return the curves of a sentence by estimator, and whether references may be the same."""
    curves: dict[tuple[str, bool], Curve] = {}
    for estimator in ESTIMATORS:
        redrawn, stored = solutions[estimator, histogram]
        found = [stored_distribution(one["f"], one["v"]) for one in stored]
        curves[estimator, True] = unseen_curve(found, OF_CORPUS)
        curves[estimator, False] = _of_distinct(found[0])
    # Resamples belong to the last estimator, which has the best distribution.
    curves["good_turing", True] = good_turing_curve(redrawn[0], redrawn[1:], OF_CORPUS)
    return curves


def _surest(estimator: str, n_answers: int) -> int:
    """Return the largest number of references with a valid interval, for so many answers."""
    if n_answers < LEAST_FOR_INTERVAL:
        return 0
    return n_answers - 1 if estimator == "good_turing" else OF_CORPUS


def _of_distinct(distribution: Distribution) -> Curve:
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


def _unknown_rows(key: Row, n_answers: int) -> Iterator[Row]:
    for estimator in (*ESTIMATORS, "good_turing"):
        yield *key, estimator, True, 1, None, None, None, n_answers, TOO_FEW
