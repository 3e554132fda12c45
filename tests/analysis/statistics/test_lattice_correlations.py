"""Correlations over chains, pairs and sampled corpora."""

import math

import numpy as np
import pytest

from maege.analysis.statistics.correlations import spearman_of_rows
from maege.analysis.statistics.lattice_correlations import (
    TauDifference,
    chain_correlation_intervals,
    chain_correlations,
    expected_rhos,
    further_draws,
    redrawn_means,
    sentence_sums,
    tau_differences,
    tau_samples,
)

# --- Correlations over chains: pooled, within sentences, and given the number of edits ---

# Two sentences with three versions, and one with two.
SENTENCE = np.array([4, 4, 4, 6, 6, 6, 9, 9])
EDITS = np.array([0, 1, 2, 0, 1, 2, 0, 1])
GOLD = np.array([0.7, 0.85, 1.0, 0.5, 0.75, 1.0, 0.9, 1.0])
SCORES = np.array([0.2, 0.5, 0.3, 0.1, 0.0, 0.9, 0.4, 0.6])


def test_each_correlation_is_what_its_definition_says() -> None:
    pooled, within_sentence, partial = chain_correlations(
        sentence_sums(SCORES, GOLD, EDITS, SENTENCE).sum(axis=0)
    )
    assert pooled == pytest.approx(np.corrcoef(SCORES, GOLD)[0, 1])

    def centred(values: np.ndarray) -> np.ndarray:
        return np.concatenate([part - part.mean() for part in np.split(values, [3, 6])])

    assert within_sentence == pytest.approx(np.corrcoef(centred(SCORES), centred(GOLD))[0, 1])

    def residuals(values: np.ndarray) -> np.ndarray:
        return values - np.polyval(np.polyfit(EDITS, values, 1), EDITS)

    assert partial == pytest.approx(np.corrcoef(residuals(SCORES), residuals(GOLD))[0, 1])


def test_correlations_within_sentences_by_hand() -> None:
    sums = sentence_sums(SENTENCE.astype(float), GOLD, EDITS, SENTENCE).sum(axis=0)
    pooled, within_sentence, _ = chain_correlations(sums)
    assert not np.isnan(pooled)
    assert np.isnan(within_sentence)

    sums = sentence_sums(np.full(8, 0.1), GOLD, EDITS, SENTENCE).sum(axis=0)
    assert np.isnan(chain_correlations(sums)).all()

    near, far = (
        chain_correlations(sentence_sums(values, GOLD, EDITS, SENTENCE).sum(axis=0))
        for values in (SCORES, SCORES + 1e6)
    )
    assert far == pytest.approx(near, abs=1e-7)


def test_bounds_redraw_sentences() -> None:
    # Samples with sentence 4 alone, and with sentences 4 and 6.
    weights = np.array([[3.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    low, high = chain_correlation_intervals(
        sentence_sums(SCORES, GOLD, EDITS, SENTENCE), weights, level=1 - 1e-12
    )
    sampled = sorted(np.corrcoef(SCORES[:n], GOLD[:n])[0, 1] for n in (3, 6))
    assert (low[0], high[0]) == pytest.approx(tuple(sampled))


# --- Taus over sentences: samples, differences and their tests ---

LEVEL = 0.95
# Samples: both sentences once, the first one twice, and the second one twice.
BY_HAND = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]])
# Sentence 0 has 4 pairs, sentence 1 has 2. Metric a: 4 correct; 2 wrong. Metric b: 2 correct, 1
# wrong, 1 tied; 1 correct, 1 wrong.
TWO_METRICS = np.array([[[4.0, 2.0], [0.0, 1.0]], [[0.0, 1.0], [2.0, 1.0]], [[0.0, 1.0], [0, 0]]])


def differences(by_outcome: np.ndarray, n_signs: int = 999) -> dict[tuple[int, int], TauDifference]:
    tests = tau_differences(by_outcome, LEVEL, n_signs, seed=1)
    return {(test.a, test.b): test for test in tests}


def test_coefficients_in_samples_by_hand() -> None:
    tau_a, gamma, tau_b, macro = tau_samples(TWO_METRICS, BY_HAND)
    # b: 3 correct, 2 wrong, 1 tied; with the first sentence twice 4, 2 and 2; with the second twice
    # 2 and 2.
    assert tau_a[:, 1] == pytest.approx([1 / 6, 2 / 8, 0])
    assert gamma[:, 1] == pytest.approx([1 / 5, 2 / 6, 0])
    assert tau_b[:, 1] == pytest.approx([1 / 30**0.5, 2 / 48**0.5, 0])
    # tau_a of the sentences is (2 - 1) / 4 and 0, each weighted by its number in the sample.
    assert macro[:, 1] == pytest.approx([0.125, 0.25, 0])


def test_difference_by_hand() -> None:
    (test,) = differences(TWO_METRICS).values()
    assert (test.n_sentences, test.n_pairs) == (2, 6)
    # a: (4 - 2) / 6. b: (3 - 2) / 6. The sentences contribute 4 - 1 and -2 - 0 to the difference.
    assert (test.estimate_a, test.estimate_b) == pytest.approx((2 / 6, 1 / 6))
    assert test.difference == pytest.approx(1 / 6)
    # All four choices of signs change the sum by 1 or 5, never by less.
    assert test.p_value == 1
    # Half of the choices give both sentences the same sign and cannot reject anything.
    assert (test.low, test.high) == (-math.inf, math.inf)


def test_p_is_the_share_of_signs_that_differ_as_much() -> None:
    # Three sentences of 2 pairs, all correct by a and wrong by b. Only +++ and --- of the 8 choices
    # of signs have as large a difference, so p is 1/4, except for simulation error and the added
    # observed choice.
    all_right, all_wrong = np.array([[2.0, 0.0]] * 3), np.array([[0.0, 2.0]] * 3)
    by_outcome = np.array([all_right, all_wrong, np.zeros((3, 2))])
    tests = differences(by_outcome, n_signs=9_999)
    assert tests[0, 1].p_value == pytest.approx(0.25, abs=0.02)
    # The order of the metrics does not change the p-value.
    turned = differences(by_outcome[:, :, ::-1], n_signs=9_999)
    assert turned[0, 1].p_value == tests[0, 1].p_value


def test_metrics_are_compared_on_sentences_that_both_scored_whole() -> None:
    # b lacks a pair of sentence 0, and c has scored only sentence 0.
    concordant = [[2.0, 1.0, 2.0], [1.0, 3.0, 0.0]]
    discordant = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    tests = differences(np.array([concordant, discordant, np.zeros((2, 3))]))

    assert set(tests) == {(0, 1), (0, 2)}
    assert (tests[0, 1].n_sentences, tests[0, 1].n_pairs) == (1, 3)
    assert tests[0, 1].difference == pytest.approx(-1 / 3 - 1)
    assert tests[0, 2].difference == 0


def test_metric_that_decides_nothing_loses_to_a_better_one() -> None:
    # (2 - 1) / 3 compared with 0: a tie counts as half.
    tests = differences(np.array([[[2.0, 0.0]], [[1.0, 0.0]], [[0.0, 3.0]]]))
    assert tests[0, 1].difference == pytest.approx(1 / 3)


# --- Further draws of sampled corpora ---

# Two sentences, two scored draws, two corpora.
DRAWN_SCORES = np.array([[[0.0, 1.0], [0.25, 0.5]], [[0.5, 0.75], [1.0, 0.0]]])


def test_draws_of_sentences_by_hand() -> None:
    means = redrawn_means(DRAWN_SCORES, np.array([[0, 1], [1, 1]]))
    assert means.tolist() == [[(0 + 1) / 2, (1 + 0) / 2], [(0.25 + 1) / 2, (0.5 + 0) / 2]]

    lacking = DRAWN_SCORES.copy()
    lacking[0, 1, 0] = np.nan
    assert redrawn_means(lacking, np.array([[0, 1]])).tolist() == [[1.0, 0.0]]


def test_the_expected_rho_of_two_corpora_is_the_chance_that_they_are_in_order() -> None:
    # The second corpus is higher by 1 and 3, and by -1 and 1: expected 2, with variance 2 + 2.
    scores = np.array([[[0.0, 1.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 1.0]]])
    weights = np.array([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]])
    rhos = expected_rhos(scores, np.array([0.0, 5.0]), weights)
    # 2 P - 1 with P = Phi(1) = .841345; for no difference; with P = Phi(4 / 2) = .977250.
    assert rhos == pytest.approx([2 * 0.841345 - 1, 0.0, 2 * 0.977250 - 1], abs=1e-6)


def test_what_never_varies_is_in_order_or_tied() -> None:
    scores = np.array([[[0.0, 1.0, 1.0]] * 2] * 3)
    # Ranks 1, 2.5, 2.5 minus 2, against -1, 0, 1: 1.5, divided by 2, the norms of orders without
    # ties.
    rhos = expected_rhos(scores, np.array([1.0, 2.0, 3.0]), np.ones((1, 3)))
    assert rhos.tolist() == pytest.approx([0.75])


def test_many_draws_have_the_mean_rho_that_is_expected() -> None:
    generator = np.random.Generator(np.random.PCG64(4))
    n_sentences, n_scored, gold = 200, 5, np.arange(6.0)
    # The corpora of a draw share their sources, so their scores are correlated.
    scores = gold / 30 + generator.normal(size=(n_sentences, n_scored, 1))
    scores = scores + generator.normal(size=(n_sentences, n_scored, len(gold)))
    draws = further_draws(n_sentences, n_scored, 4000 + n_scored, 1)
    # Draws recombined from five have four fifths of the variance of new draws, and these do.
    centre = scores.mean(axis=1, keepdims=True)
    wider = centre + (scores - centre) * np.sqrt(n_scored / (n_scored - 1))
    rhos = spearman_of_rows(redrawn_means(wider, draws), gold)
    expected = expected_rhos(scores, gold, np.ones((1, n_sentences)))[0]
    assert 0.3 < expected < 0.9
    assert rhos.mean() == pytest.approx(expected, abs=4 * rhos.std() / np.sqrt(len(rhos)))
