"""Further draws of sampled corpora."""

import numpy as np
import pytest

from maege.analysis.statistics.correlations.correlation_bootstrap import spearman_of_rows
from maege.analysis.statistics.samples.redrawn_corpora import (
    expected_rhos,
    further_draws,
    redrawn_means,
)

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


def test_the_expected_rho_of_two_corpora_is_the_chance_that_they_are_in_order() -> None:
    # The second is above the first by 1 and 3, and by -1 and 1: 2 expected, with variance 2 + 2.
    scores = np.array([[[0.0, 1.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 1.0]]])
    weights = np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]])
    found = expected_rhos(scores, np.array([0.0, 5.0]), weights)
    # 2 P - 1: of Phi(1) = .841345; of no difference; of Phi(4 / 2) = .977250.
    assert found == pytest.approx([2 * 0.841345 - 1, 0.0, 2 * 0.977250 - 1], abs=1e-6)


def test_what_never_varies_is_in_order_or_tied() -> None:
    scores = np.array([[[0.0, 1.0, 1.0]] * 2] * 3)
    # Ranks 1, 2.5, 2.5 less 2 against -1, 0, 1: 1.5, of norms that are the untied orders', 2.
    found = expected_rhos(scores, np.array([1.0, 2.0, 3.0]), np.ones((1, 3)))
    assert found.tolist() == pytest.approx([0.75])


def test_many_draws_have_the_mean_rho_that_is_expected() -> None:
    generator = np.random.Generator(np.random.PCG64(4))
    n_sentences, n_scored, gold = 200, 5, np.arange(6.0)
    # Draws of a corpus share their sources, so that corpora vary together.
    scores = gold / 30 + generator.normal(size=(n_sentences, n_scored, 1))
    scores = scores + generator.normal(size=(n_sentences, n_scored, len(gold)))
    drawn = further_draws(n_sentences, n_scored, 4000 + n_scored, 1)
    # Drawn from five they vary by four fifths of what fresh ones do: so do these.
    centre = scores.mean(axis=1, keepdims=True)
    wider = centre + (scores - centre) * np.sqrt(n_scored / (n_scored - 1))
    rhos = spearman_of_rows(redrawn_means(wider, drawn), gold)
    expected = expected_rhos(scores, gold, np.ones((1, n_sentences)))[0]
    assert 0.3 < expected < 0.9
    assert rhos.mean() == pytest.approx(expected, abs=4 * rhos.std() / np.sqrt(len(rhos)))
