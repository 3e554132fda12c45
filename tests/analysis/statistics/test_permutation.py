"""Permutation tests of metrics: by hand, and against loops that swap one output at a time."""

import numpy as np
import pytest
from scipy import stats

from maege.analysis.statistics.permutation import (
    judged_pair_differences,
    paired_permutation_p,
    perm_both,
    random_signs,
    soft_pairwise_accuracy,
    system_pair_differences,
)


def looped_p(
    first: np.ndarray, second: np.ndarray, human: np.ndarray, n_permutations: int
) -> tuple[float, float]:
    """One-sided and two-sided p of two metrics, with swaps of its own."""
    generator = np.random.default_rng(99)
    x, y = ((scores - scores.mean()) / scores.std() for scores in (first, second))

    def gain(left: np.ndarray, right: np.ndarray) -> float:
        return float(
            stats.pearsonr(left.mean(axis=1), human).statistic
            - stats.pearsonr(right.mean(axis=1), human).statistic
        )

    observed = gain(x, y)
    gains = np.empty(n_permutations)
    for permutation in range(n_permutations):
        swap = generator.random(x.shape) < 0.5
        gains[permutation] = gain(np.where(swap, y, x), np.where(swap, x, y))
    return float((gains >= observed).mean()), float((np.abs(gains) >= abs(observed)).mean())


@pytest.mark.slow
def test_perm_both_gives_the_p_value_of_a_plain_loop() -> None:
    generator = np.random.default_rng(4)
    human = np.linspace(-1, 1, 7)
    good = human[:, np.newaxis] + generator.normal(size=(7, 6))
    # Another scale: scores have to be standardised before they can be swapped.
    poor = 40 * (0.5 * human[:, np.newaxis] + generator.normal(size=(7, 6))) + 500
    found = perm_both(np.stack([good, poor]), human, seed=1, n_permutations=4000)
    expected = [stats.pearsonr(scores.mean(axis=1), human).statistic for scores in (good, poor)]
    assert found.correlation == pytest.approx(expected)
    one_sided, two_sided = looped_p(good, poor, human, 2000)
    # Standard errors of a share of 2,000 are at most .011.
    assert found.p_better[0, 1] == pytest.approx(one_sided, abs=0.03)
    assert found.p_two_sided[0, 1] == pytest.approx(two_sided, abs=0.03)
    assert 0.005 < found.p_better[0, 1] < 0.5
    assert found.p_better[1, 0] == pytest.approx(1 - found.p_better[0, 1], abs=0.001)
    np.testing.assert_array_equal(found.p_two_sided, found.p_two_sided.T)
    assert np.isnan(np.diag(found.p_better)).all()


def test_p_value_of_one_sentence_by_hand() -> None:
    # Three systems, one sentence: eight equally likely swaps. Standardised, the first metric is
    # (-a, 0, a) with a = sqrt(3/2), the second (a, 0, -a): swapping the middle changes nothing,
    # swapping both ends exchanges the metrics, swapping one end makes both sides (a, 0, a) and
    # (-a, 0, -a), which do not correlate with 1, 2, 3. Gains 2, 0, 0, -2: p = 1/4.
    scores = np.array([[[1.0], [2.0], [3.0]], [[3.0], [2.0], [1.0]]])
    found = perm_both(scores, [1.0, 2.0, 3.0], seed=1, n_permutations=4000)
    assert found.correlation == pytest.approx([1, -1])
    assert found.p_better[0, 1] == pytest.approx(1 / 4, abs=0.03)
    assert found.p_better[1, 0] == 1
    assert found.p_two_sided[0, 1] == pytest.approx(1 / 2, abs=0.03)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_metrics_that_differ_in_scale_alone_are_equal(coefficient: str) -> None:
    scores = np.random.default_rng(1).normal(size=(5, 20))
    human = np.arange(5.0)
    found = perm_both(np.stack([scores, 3 * scores - 8]), human, seed=1, coefficient=coefficient)
    assert found.correlation[0] == pytest.approx(found.correlation[1])
    assert found.p_two_sided[0, 1] == 1
    assert found.p_better[0, 1] == found.p_better[1, 0] == 1


def test_perfect_metric_beats_noise_and_constant_compares_with_nothing() -> None:
    generator = np.random.default_rng(2)
    human = np.arange(10.0)
    perfect = human[:, np.newaxis] + 0.01 * generator.normal(size=(10, 40))
    noise, constant = generator.normal(size=(10, 40)), np.full((10, 40), 0.1)
    found = perm_both(np.stack([perfect, noise, constant]), human, seed=3)
    assert found.p_better[0, 1] == pytest.approx(1 / 1001)
    assert np.isnan(found.correlation[2])
    assert np.isnan(found.p_better[2]).all()
    assert np.isnan(found.p_two_sided[:, 2]).all()


def test_seed_alone_decides_and_other_metrics_change_nothing() -> None:
    generator = np.random.default_rng(6)
    human = np.arange(6.0)
    scores = human[:, np.newaxis] + 4 * generator.normal(size=(3, 6, 25))
    all_three = perm_both(scores, human, seed=1, coefficient="spearman")
    two = perm_both(scores[:2], human, seed=1, coefficient="spearman")
    np.testing.assert_array_equal(all_three.p_better[:2, :2], two.p_better)
    other = perm_both(scores, human, seed=2, coefficient="spearman")
    assert (other.p_better[0, 1:] != all_three.p_better[0, 1:]).any()


def test_paired_permutation_by_hand() -> None:
    # Two systems whose scores differ by .6 in each of five sentences, and ten draws of signs. The
    # permuted sums are .6 times the sums of signs; one draw of all ones equals the observed 3, no
    # other reaches it: half of 1 in 10.
    signs = np.array(
        [
            [1, 1, -1, -1, -1],
            [1, -1, 1, -1, 1],
            [1, -1, 1, 1, -1],
            [-1, 1, -1, -1, 1],
            [1, 1, 1, -1, 1],
            [-1, 1, -1, 1, -1],
            [1, 1, 1, 1, 1],
            [-1, 1, -1, 1, 1],
            [1, -1, -1, 1, -1],
            [-1, 1, -1, -1, -1],
        ],
        dtype=float,
    )
    scores = [[0.8, 0.9, 0.7, 1.0, 0.6], [0.2, 0.3, 0.1, 0.4, 0.0]]
    assert paired_permutation_p(system_pair_differences(scores), signs) == pytest.approx([0.05])
    assert paired_permutation_p(-system_pair_differences(scores), signs) == pytest.approx([0.95])


def test_equal_systems_have_p_one_half() -> None:
    signs = random_signs(500, 12, seed=1)
    assert paired_permutation_p(np.zeros((12, 2)), signs).tolist() == [0.5, 0.5]


def test_signs_are_fair_and_depend_on_the_seed() -> None:
    signs = random_signs(1000, 50, seed=1)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    # 50,000 signs: a standard error of .0045.
    assert signs.mean() == pytest.approx(0, abs=0.02)
    np.testing.assert_array_equal(signs, random_signs(1000, 50, seed=1))
    assert (signs != random_signs(1000, 50, seed=2)).any()


def test_pairs_are_in_the_order_of_the_upper_triangle() -> None:
    assert system_pair_differences([[5, 1], [3, 1], [2, 0]]).tolist() == [[2, 3, 1], [0, 1, 1]]
    wins = np.array([[[0, 2, 1], [0, 0, 0], [4, 1, 0]]])
    assert judged_pair_differences(wins).tolist() == [[2, -3, -1]]


def test_soft_pairwise_accuracy_by_hand() -> None:
    # |.1 - .2| = .1, |.5 - .9| = .4, |1 - 0| = 1: one minus their mean; then a perfect metric.
    human = [0.1, 0.5, 1.0]
    assert soft_pairwise_accuracy(human, [[0.2, 0.9, 0.0], human]) == pytest.approx([0.5, 1])


def test_soft_pairwise_accuracy_does_not_depend_on_the_order_of_systems() -> None:
    generator = np.random.default_rng(8)
    human = generator.integers(-2, 3, size=(6, 30)) + np.linspace(0, 0.6, 6)[:, np.newaxis]
    metric = np.round(generator.normal(size=(6, 30)), 1)
    signs = random_signs(400, 30, seed=1)
    order = generator.permutation(6)
    accuracies = [
        soft_pairwise_accuracy(
            paired_permutation_p(system_pair_differences(human[systems]), signs),
            paired_permutation_p(system_pair_differences(metric[systems]), signs),
        )
        for systems in (np.arange(6), order)
    ]
    assert accuracies[0] == pytest.approx(accuracies[1])


def test_bad_input_is_named() -> None:
    scores = np.ones((2, 3, 4))
    with pytest.raises(ValueError, match=r"found 3 systems and human scores of shape \(2,\)"):
        perm_both(scores, [1, 2], seed=1)
    with pytest.raises(ValueError, match="finite score"):
        perm_both(scores * np.nan, [1, 2, 3], seed=1)
    with pytest.raises(ValueError, match="found kendall"):
        perm_both(scores, [1, 2, 3], seed=1, coefficient="kendall")
    with pytest.raises(ValueError, match=r"shape \(4, pairs\), found shape \(3, 2\)"):
        paired_permutation_p(np.ones((3, 2)), random_signs(10, 4, seed=1))
