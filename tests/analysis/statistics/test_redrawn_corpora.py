"""Further draws of sampled corpora."""

import numpy as np
import pytest

from maege.analysis.statistics.redrawn_corpora import redrawn_means

# Two sentences, two scored draws, two corpora.
SCORES = np.array([[[0.0, 1.0], [0.25, 0.5]], [[0.5, 0.75], [1.0, 0.0]]])


def test_each_sentence_is_that_of_the_draw_it_is_taken_from() -> None:
    means = redrawn_means(SCORES, np.array([[0, 1], [1, 1]]))
    assert means.tolist() == [[(0 + 1) / 2, (1 + 0) / 2], [(0.25 + 1) / 2, (0.5 + 0) / 2]]


def test_a_sentence_that_lacks_a_score_counts_in_no_draw() -> None:
    lacking = SCORES.copy()
    lacking[0, 1, 0] = np.nan
    assert redrawn_means(lacking, np.array([[0, 1]])).tolist() == [[1.0, 0.0]]
    with pytest.raises(ValueError, match="found none"):
        redrawn_means(np.full((1, 2, 2), np.nan), np.array([[0]]))
