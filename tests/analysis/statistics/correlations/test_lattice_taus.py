"""Taus over sentences: samples, differences and their tests."""

import numpy as np
import pytest

from maege.analysis.statistics.correlations.lattice_taus import (
    TauDifference,
    tau_differences,
    tau_samples,
)
from maege.analysis.statistics.samples.bootstrap import cluster_weights
from maege.analysis.statistics.samples.least_samples import expanded_level

LEVEL = 0.95
# Samples that draw both sentences once, the first twice, and the second twice.
BY_HAND = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]])
# Sentence 0 has 4 pairs, sentence 1 has 2. Metric a: 4 right; 2 wrong. b: 2 right, 1 wrong, 1 tied;
# 1 right, 1 wrong.
TWO_METRICS = np.array([[[4.0, 2.0], [0.0, 1.0]], [[0.0, 1.0], [2.0, 1.0]], [[0.0, 1.0], [0, 0]]])


def differences(
    by_outcome: np.ndarray, weights: np.ndarray, n_signs: int = 999
) -> dict[tuple[int, int, str], TauDifference]:
    found = tau_differences(by_outcome, weights, LEVEL, n_signs, seed=1)
    return {(each.a, each.b, each.measure): each for each in found}


def test_coefficients_in_samples_by_hand() -> None:
    maege, gamma, tau_b, macro = tau_samples(TWO_METRICS, BY_HAND)
    # b: 3 right, 2 wrong, 1 tied; twice the first sentence, 4, 2 and 2; twice the second, 2 and 2.
    assert maege[:, 1] == pytest.approx([1 - 4 / 6, 1 - 4 / 8, 0])
    assert gamma[:, 1] == pytest.approx([1 / 5, 2 / 6, 0])
    assert tau_b[:, 1] == pytest.approx([1 / 30**0.5, 2 / 48**0.5, 0])
    # The sentences' own taus are 1 - 2/4 and 0, each counted as often as it is drawn.
    assert macro[:, 1] == pytest.approx([0.25, 0.5, 0])


def test_difference_and_its_samples_by_hand() -> None:
    found = differences(TWO_METRICS, BY_HAND)

    of_tau = found[0, 1, "kendall_tau_maege"]
    assert (of_tau.n_sentences, of_tau.n_pairs) == (2, 6)
    # a (4 - 2) / 6, b (4 - 2) / 6; samples 0, 1 - 1/2, -1 - 0.
    assert of_tau.difference == pytest.approx(0)
    # Of two sentences of 4 and 2 pairs, as sure as 36 / 20 equal ones: hardly anything is left out.
    left_out = (1 - expanded_level(LEVEL, 36 / 20)) / 2
    assert of_tau.low == pytest.approx(np.quantile([0, 0.5, -1], left_out))
    assert of_tau.high == pytest.approx(np.quantile([0, 0.5, -1], 1 - left_out))
    # No difference is as large as any.
    assert of_tau.p_value == 1
    assert found[0, 1, "goodman_kruskal_gamma"].difference == pytest.approx(2 / 6 - 1 / 5)


def test_p_is_the_share_of_signs_that_differ_as_much() -> None:
    # Three sentences of 2 pairs, all right by a, all wrong by b: only +++ and --- of 8 choices of
    # signs differ as much as they do, so that p is 1/4 but for chance and for the truth itself.
    right, wrong = np.array([[2.0, 0.0]] * 3), np.array([[0.0, 2.0]] * 3)
    by_outcome = np.array([right, wrong, np.zeros((3, 2))])
    found = differences(by_outcome, np.ones((1, 3)), n_signs=9_999)
    assert found[0, 1, "kendall_tau_maege"].p_value == pytest.approx(0.25, abs=0.02)
    # The metrics in another order differ as surely.
    turned = differences(by_outcome[:, :, ::-1], np.ones((1, 3)), n_signs=9_999)
    assert turned[0, 1, "kendall_tau_maege"].p_value == found[0, 1, "kendall_tau_maege"].p_value


def test_metrics_are_compared_on_sentences_that_both_scored_whole() -> None:
    # b lacks a pair of sentence 0, c has scored sentence 0 alone.
    concordant = [[2.0, 1.0, 2.0], [1.0, 3.0, 0.0]]
    discordant = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    found = differences(np.array([concordant, discordant, np.zeros((2, 3))]), BY_HAND)

    assert {key[:2] for key in found} == {(0, 1), (0, 2)}
    one = found[0, 1, "kendall_tau_maege"]
    assert (one.n_sentences, one.n_pairs) == (1, 3)
    assert one.difference == pytest.approx(-1 / 3 - 1)
    assert found[0, 2, "kendall_tau_maege"].difference == 0


def test_metric_that_decides_nothing_has_no_difference_of_gammas() -> None:
    found = differences(np.array([[[2.0, 0.0]], [[1.0, 0.0]], [[0.0, 3.0]]]), np.ones((5, 1)))
    gamma = found[0, 1, "goodman_kruskal_gamma"]
    assert np.isnan([gamma.difference, gamma.low, gamma.high, gamma.p_value]).all()
    assert found[0, 1, "kendall_tau_maege"].difference == pytest.approx(1 / 3 - 1)


def test_clearly_better_metric_is_significantly_better() -> None:
    generator = np.random.default_rng(3)
    concordant = np.stack([generator.binomial(10, rate, 200) for rate in (0.7, 0.5)], axis=1)
    by_outcome = np.array([concordant, 10 - concordant, np.zeros_like(concordant)], dtype=float)
    found = differences(by_outcome, cluster_weights(200, 1000, 1))[0, 1, "kendall_tau_maege"]
    assert found.low > 0
    assert found.p_value == pytest.approx(1 / 1000)
