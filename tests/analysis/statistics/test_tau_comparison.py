"""Differences of tau between metrics."""

import numpy as np
import pytest

from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.tau_comparison import compare_taus

LEVEL = 0.95
# Samples that draw both sentences once, the first twice, and the second twice.
BY_HAND = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]])


def test_difference_and_its_samples_by_hand() -> None:
    # Sentence 0 has 4 pairs, sentence 1 has 2. Metric a: 4 right; 2 wrong. b: 2 right, 1 wrong, 1
    # tied; 1 right, 1 wrong.
    concordant = [[4.0, 2.0], [0.0, 1.0]]
    discordant = [[0.0, 1.0], [2.0, 1.0]]
    tied = [[0.0, 1.0], [0.0, 0.0]]

    (compared,) = compare_taus(np.array([concordant, discordant, tied]), BY_HAND, LEVEL)

    assert (compared.a, compared.b, compared.n_sentences, compared.n_pairs) == (0, 1, 2, 6)
    # tau with ties right: a (4 - 2) / 6, b (4 - 2) / 6; samples 0, 1 - 1/2, -1 - 0.
    assert compared.with_ties.difference == pytest.approx(0)
    assert compared.with_ties.low == pytest.approx(np.quantile([0, 0.5, -1], 0.025))
    assert compared.with_ties.high == pytest.approx(np.quantile([0, 0.5, -1], 0.975))
    # Two of three samples on either side of 0 (0 is on both), one added to each: 2 * 3 / 4 > 1.
    assert compared.with_ties.p == 1
    # Decisive: a 2/6, b (3 - 2) / 5.
    assert compared.decisive.difference == pytest.approx(2 / 6 - 1 / 5)


def test_metrics_are_compared_on_sentences_that_both_scored_whole() -> None:
    # b lacks a pair of sentence 0, c has scored sentence 0 alone.
    concordant = [[2.0, 1.0, 2.0], [1.0, 3.0, 0.0]]
    discordant = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    by_outcome = np.array([concordant, discordant, np.zeros((2, 3))])

    compared = {(each.a, each.b): each for each in compare_taus(by_outcome, BY_HAND, LEVEL)}

    assert set(compared) == {(0, 1), (0, 2)}
    assert (compared[0, 1].n_sentences, compared[0, 1].n_pairs) == (1, 3)
    assert compared[0, 1].with_ties.difference == pytest.approx(-1 / 3 - 1)
    assert compared[0, 2].with_ties.difference == 0


def test_metric_that_decides_nothing_has_no_decisive_difference() -> None:
    by_outcome = np.array([[[2.0, 0.0]], [[1.0, 0.0]], [[0.0, 3.0]]])

    (compared,) = compare_taus(by_outcome, np.ones((5, 1)), LEVEL)

    assert np.isnan(compared.decisive).all()
    assert compared.with_ties.difference == pytest.approx(1 / 3 - 1)


def test_clearly_better_metric_is_significantly_better() -> None:
    generator = np.random.default_rng(3)
    concordant = np.stack([generator.binomial(10, rate, 200) for rate in (0.7, 0.5)], axis=1)
    by_outcome = np.array([concordant, 10 - concordant, np.zeros_like(concordant)], dtype=float)

    (compared,) = compare_taus(by_outcome, cluster_weights(200, 1000, 1), LEVEL)

    assert compared.with_ties.low > 0
    assert compared.with_ties.p == pytest.approx(2 / 1001)
    assert compared.with_ties == compared.decisive
