"""Rows of coverage: every estimator, with and without replacement, by sentence and by corpus."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.coverage_curves import (
    Array,
    Curve,
    corpus_curve,
    good_turing_curve,
    unseen_curve,
)
from maege.analysis.statistics.least_samples import with_width
from maege.analysis.statistics.reference_coverage import (
    expected_coverage,
    expected_distinct_coverage,
)
from maege.analysis.statistics.unseen import Distribution
from maege.analysis.stored.crowd_estimates import parsed_histogram, stored_distribution

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "sentence_id": pa.int32(),
        "measure": pa.string(),
        "estimator": pa.string(),
        "with_replacement": pa.bool_(),
        "n_references": pa.int32(),
        "expected_share": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "n_answers": pa.int32(),
        "note": pa.string(),
    }
)
# References of a sentence, of a corpus, and of either without replacement.
OF_SENTENCE, OF_CORPUS, DISTINCT = 50, 1000, 20
TOO_SMALL = "No two answers agree: coverage may be anything from 0 to the bound."
LEAST_ANSWERS = 5
TOO_FEW = f"Fewer than {LEAST_ANSWERS} answers: nothing is estimated of them."

Row = tuple[Any, ...]
# The redrawn histograms, and as many solutions; the first of each is the histogram's own.
Solution = tuple[list[list[int]], list[dict[str, list[float]]]]


def crowd_rows(
    histograms: Sequence[Row], solutions: dict[str, Solution], level: float
) -> Iterator[Row]:
    """Yield the rows of all (corpus, measure, sentence_id, n_answers, histogram), sorted."""
    for (corpus, measure), group in groupby(histograms, key=itemgetter(0, 1)):
        of_estimator: dict[str, list[Curve]] = {"unseenest": [], "good_turing": []}
        distinct, total = [], 0
        for _, _, sentence_id, n_answers, text in group:
            if n_answers < LEAST_ANSWERS:
                yield from _unknown_rows((corpus, "paper", sentence_id, measure), n_answers)
                continue
            redrawn, stored = solutions[text]
            found = [stored_distribution(one["f"], one["v"]) for one in stored]
            curves = {
                "unseenest": unseen_curve(found, OF_CORPUS),
                "good_turing": good_turing_curve(redrawn[0], redrawn[1:], OF_CORPUS),
            }
            histogram = parsed_histogram(text)
            note = TOO_SMALL if len(histogram) == 1 else None
            total += n_answers
            for estimator, curve in curves.items():
                of_estimator[estimator].append(curve)
                key = (corpus, "paper", sentence_id, measure, estimator, True)
                yield from _curve_rows(key, curve, OF_SENTENCE, level, n_answers, note)
            distinct.append(_certain(expected_distinct_coverage(found[0], DISTINCT)))
            key = (corpus, "paper", sentence_id, measure, "unseenest", False)
            yield from _share_rows(key, distinct[-1].shares, n_answers, note)
        if not distinct:
            continue
        for estimator, sentences in of_estimator.items():
            key = (corpus, "paper", None, measure, estimator, True)
            yield from _curve_rows(key, corpus_curve(sentences), OF_CORPUS, level, total, None)
        key = (corpus, "paper", None, measure, "unseenest", False)
        yield from _curve_rows(key, corpus_curve(distinct), DISTINCT, level, total, None)


def released_rows(released: Sequence[Row], level: float) -> Iterator[Row]:
    """Yield the rows of released estimates (corpus, measure, name, frequencies, variants)."""
    for (corpus, measure), group in groupby(released, key=itemgetter(0, 1)):
        found = [stored_distribution(frequencies, variants) for *_, frequencies, variants in group]
        for with_replacement, sentences in (
            (True, [_with_replacement(distribution) for distribution in found]),
            (False, [_certain(expected_distinct_coverage(one, DISTINCT)) for one in found]),
        ):
            key = (corpus, "as_published", None, measure, "unseenest", with_replacement)
            curve = corpus_curve(sentences)
            yield from _curve_rows(key, curve, len(curve.shares), level, None, None)


def _with_replacement(distribution: Distribution) -> Curve:
    return _certain(expected_coverage(distribution, np.arange(1, OF_CORPUS + 1)))


def _certain(shares: Array) -> Curve:
    return Curve(shares, np.zeros_like(shares))


def _curve_rows(
    key: Row, curve: Curve, most: int, level: float, n_answers: int | None, note: str | None
) -> Iterator[Row]:
    low, high = curve.interval(level)
    shares = curve.shares
    for m in range(most):
        bounds = with_width(float(low[m]), float(high[m]))
        yield *key, m + 1, float(shares[m]), *bounds, n_answers, note


def _unknown_rows(key: Row, n_answers: int) -> Iterator[Row]:
    for estimator in ("unseenest", "good_turing"):
        yield *key, estimator, True, 1, None, None, None, n_answers, TOO_FEW


def _share_rows(key: Row, shares: Array, n_answers: int, note: str | None) -> Iterator[Row]:
    for m, share in enumerate(shares, start=1):
        yield *key, m, float(share), None, None, n_answers, note
