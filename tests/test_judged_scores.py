"""Scores of systems over judged sentences, in samples that may draw none of them."""

import numpy as np

from analysis.stored.metric_scores import score_systems
from analysis.stored.rankings import ScoredSet

SCORES = np.array([[0.0, 0.5, np.nan], [1.0, 1.0, np.nan]])
SCORED = ScoredSet("none", "own", ["a", "b"], SCORES)
WEIGHTS = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 3.0], [3.0, 0.0, 0.0]])


def test_a_sample_without_any_of_the_sentences_has_no_score() -> None:
    found = score_systems(SCORED, "c", {}, np.array([True, True, True]), WEIGHTS, "expected")
    assert found.score.tolist() == [0.25, 1.0]
    np.testing.assert_array_equal(found.samples, [[0.25, 1], [np.nan, np.nan], [0, 1]])


def test_without_a_scored_sentence_there_is_no_score_at_all() -> None:
    found = score_systems(SCORED, "c", {}, np.array([False, False, True]), WEIGHTS, "expected")
    assert np.isnan(found.score).all()
    assert np.isnan(found.samples).all()
    assert found.samples.shape == (3, 2)
