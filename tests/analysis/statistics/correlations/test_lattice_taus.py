"""Taus over sentences: samples, differences and their tests."""

import math

import numpy as np
import pytest

from maege.analysis.statistics.correlations.lattice_taus import (
    TauDifference,
    tau_differences,
    tau_samples,
)

LEVEL = 0.95
# Samples that draw both sentences once, the first twice, and the second twice.
BY_HAND = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]])
# Sentence 0 has 4 pairs, sentence 1 has 2. Metric a: 4 right; 2 wrong. b: 2 right, 1 wrong, 1 tied;
# 1 right, 1 wrong.
TWO_METRICS = np.array([[[4.0, 2.0], [0.0, 1.0]], [[0.0, 1.0], [2.0, 1.0]], [[0.0, 1.0], [0, 0]]])


def differences(by_outcome: np.ndarray, n_signs: int = 999) -> dict[tuple[int, int], TauDifference]:
    found = tau_differences(by_outcome, LEVEL, n_signs, seed=1)
    return {(each.a, each.b): each for each in found}


def test_coefficients_in_samples_by_hand() -> None:
    tau_a, gamma, tau_b, macro = tau_samples(TWO_METRICS, BY_HAND)
    # b: 3 right, 2 wrong, 1 tied; twice the first sentence, 4, 2 and 2; twice the second, 2 and 2.
    assert tau_a[:, 1] == pytest.approx([1 / 6, 2 / 8, 0])
    assert gamma[:, 1] == pytest.approx([1 / 5, 2 / 6, 0])
    assert tau_b[:, 1] == pytest.approx([1 / 30**0.5, 2 / 48**0.5, 0])
    # The sentences' own tau_a are (2 - 1) / 4 and 0, each counted as often as it is drawn.
    assert macro[:, 1] == pytest.approx([0.125, 0.25, 0])


def test_difference_by_hand() -> None:
    (found,) = differences(TWO_METRICS).values()
    assert (found.n_sentences, found.n_pairs) == (2, 6)
    # a (4 - 2) / 6, b (3 - 2) / 6: the sentences add 4 - 1 and -2 - 0 to the difference.
    assert (found.estimate_a, found.estimate_b) == pytest.approx((2 / 6, 1 / 6))
    assert found.difference == pytest.approx(1 / 6)
    # All four choices of signs move the sum by 1 or 5: none by less.
    assert found.p_value == 1
    # Half of the choices give both sentences one sign and reject nothing.
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_p_is_the_share_of_signs_that_differ_as_much() -> None:
    # Three sentences of 2 pairs, all right by a, all wrong by b: only +++ and --- of 8 choices of
    # signs differ as much as they do, so that p is 1/4 but for chance and for the truth itself.
    right, wrong = np.array([[2.0, 0.0]] * 3), np.array([[0.0, 2.0]] * 3)
    by_outcome = np.array([right, wrong, np.zeros((3, 2))])
    found = differences(by_outcome, n_signs=9_999)
    assert found[0, 1].p_value == pytest.approx(0.25, abs=0.02)
    # The metrics in another order differ as surely.
    turned = differences(by_outcome[:, :, ::-1], n_signs=9_999)
    assert turned[0, 1].p_value == found[0, 1].p_value


def test_metrics_are_compared_on_sentences_that_both_scored_whole() -> None:
    # b lacks a pair of sentence 0, c has scored sentence 0 alone.
    concordant = [[2.0, 1.0, 2.0], [1.0, 3.0, 0.0]]
    discordant = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    found = differences(np.array([concordant, discordant, np.zeros((2, 3))]))

    assert set(found) == {(0, 1), (0, 2)}
    assert (found[0, 1].n_sentences, found[0, 1].n_pairs) == (1, 3)
    assert found[0, 1].difference == pytest.approx(-1 / 3 - 1)
    assert found[0, 2].difference == 0


def test_metric_that_decides_nothing_loses_to_a_better_one() -> None:
    # (2 - 1) / 3 against 0: a tie is no success.
    found = differences(np.array([[[2.0, 0.0]], [[1.0, 0.0]], [[0.0, 3.0]]]))
    assert found[0, 1].difference == pytest.approx(1 / 3)


def test_clearly_better_metric_is_significantly_better() -> None:
    generator = np.random.default_rng(3)
    concordant = np.stack([generator.binomial(10, rate, 200) for rate in (0.7, 0.5)], axis=1)
    by_outcome = np.array([concordant, 10 - concordant, np.zeros_like(concordant)], dtype=float)
    found = differences(by_outcome)[0, 1]
    assert found.low > 0
    assert found.p_value == pytest.approx(1 / 1000)
