"""Scores of systems over judged sentences, in resamples that may contain none of them."""

import numpy as np

from maege.analysis.rankings.judged import ScoredSet
from maege.analysis.rankings.scores import CorpusScores

SCORES = np.array([[0.0, 0.5, np.nan], [1.0, 1.0, np.nan]])
SCORED = ScoredSet("none", "own", ["a", "b"], SCORES)
WEIGHTS = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 3.0], [3.0, 0.0, 0.0]])
SCORES_OF = CorpusScores("c", {}, WEIGHTS, "expected")


def test_a_sample_without_any_of_the_sentences_has_no_score() -> None:
    found = SCORES_OF.of(SCORED, np.array([True, True, True]))
    assert found.score.tolist() == [0.25, 1.0]
    np.testing.assert_array_equal(found.samples, [[0.25, 1], [np.nan, np.nan], [0, 1]])


def test_without_a_scored_sentence_there_is_no_score_at_all() -> None:
    found = SCORES_OF.of(SCORED, np.array([False, False, True]))
    assert np.isnan(found.score).all()
    assert np.isnan(found.samples).all()
    assert found.samples.shape == (3, 2)
