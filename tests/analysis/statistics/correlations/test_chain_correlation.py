"""Correlations over chains: pooled, within sentences, given the number of edits."""

import numpy as np
import pytest

from maege.analysis.statistics.correlations.chain_correlation import (
    correlation_intervals,
    correlations,
    sentence_sums,
)

# Two sentences of three versions, and one of two.
SENTENCE = np.array([4, 4, 4, 6, 6, 6, 9, 9])
EDITS = np.array([0, 1, 2, 0, 1, 2, 0, 1])
GOLD = np.array([0.7, 0.85, 1.0, 0.5, 0.75, 1.0, 0.9, 1.0])
SCORES = np.array([0.2, 0.5, 0.3, 0.1, 0.0, 0.9, 0.4, 0.6])


def test_each_correlation_is_what_its_definition_says() -> None:
    pooled, within, partial = correlations(sentence_sums(SCORES, GOLD, EDITS, SENTENCE).sum(axis=0))
    assert pooled == pytest.approx(np.corrcoef(SCORES, GOLD)[0, 1])

    def centred(values: np.ndarray) -> np.ndarray:
        return np.concatenate([part - part.mean() for part in np.split(values, [3, 6])])

    assert within == pytest.approx(np.corrcoef(centred(SCORES), centred(GOLD))[0, 1])

    def residuals(values: np.ndarray) -> np.ndarray:
        return values - np.polyval(np.polyfit(EDITS, values, 1), EDITS)

    assert partial == pytest.approx(np.corrcoef(residuals(SCORES), residuals(GOLD))[0, 1])


def test_scores_that_differ_between_sentences_alone_say_nothing_within() -> None:
    sums = sentence_sums(SENTENCE.astype(float), GOLD, EDITS, SENTENCE).sum(axis=0)
    pooled, within, _ = correlations(sums)
    assert not np.isnan(pooled)
    assert np.isnan(within)


def test_one_score_for_everything_has_no_correlation() -> None:
    sums = sentence_sums(np.full(8, 0.1), GOLD, EDITS, SENTENCE).sum(axis=0)
    assert np.isnan(correlations(sums)).all()


def test_scores_far_from_zero_keep_their_digits() -> None:
    near, far = (
        correlations(sentence_sums(values, GOLD, EDITS, SENTENCE).sum(axis=0))
        for values in (SCORES, SCORES + 1e6)
    )
    assert far == pytest.approx(near, abs=1e-7)


def test_bounds_redraw_sentences() -> None:
    # Samples of sentence 4 alone and of sentences 4 and 6.
    weights = np.array([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    low, high = correlation_intervals(
        sentence_sums(SCORES, GOLD, EDITS, SENTENCE), weights, level=1 - 1e-12
    )
    drawn = sorted(np.corrcoef(SCORES[:n], GOLD[:n])[0, 1] for n in (3, 6))
    assert (low[0], high[0]) == pytest.approx(tuple(drawn))
