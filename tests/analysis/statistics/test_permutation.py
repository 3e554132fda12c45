"""Permutation tests and soft pairwise accuracy."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from maege.analysis.statistics.randomisation import (
    judged_pair_differences,
    paired_permutation_p,
    perm_both,
    soft_pairwise_accuracy,
    system_pair_differences,
)

# --- Permutation tests of metrics: by hand, and by loops that swap one output at a time ---


def looped_p(scores: np.ndarray, human: np.ndarray) -> float:
    x, y = ((row - row.mean()) / row.std() for row in scores)

    def gain(left: np.ndarray, right: np.ndarray) -> float:
        return abs(
            float(stats.pearsonr(left, human).statistic - stats.pearsonr(right, human).statistic)
        )

    swaps = np.array(list(product([False, True], repeat=human.size)))
    gains = [gain(np.where(swap, y, x), np.where(swap, x, y)) for swap in swaps]
    return float(np.mean(np.array(gains) >= gain(x, y) - 1e-9))


def as_they_are(values: np.ndarray, n_samples: int) -> np.ndarray:
    return np.repeat(values[..., np.newaxis, :], n_samples, axis=-2)


def perm_both_of_systems(
    scores: np.ndarray, human: np.ndarray, n_resamples: int = 20_000
) -> np.ndarray:
    samples, human_samples = as_they_are(scores, 200), as_they_are(human, 200)
    return perm_both(scores, samples, human, human_samples, seed=1, n_resamples=n_resamples)


def test_without_other_sentences_whole_systems_are_swapped() -> None:
    generator = np.random.default_rng(4)
    human = np.linspace(-1, 1, 7)
    # On another scale, so scores must be standardised before they are swapped.
    scores = np.stack([human + 0.4 * generator.normal(size=7), 40 * generator.normal(size=7) + 500])
    expected = looped_p(scores, human)
    assert 0.01 < expected < 0.5
    # The standard error of a share of 20,000 is at most .0035.
    assert perm_both_of_systems(scores, human) == pytest.approx([expected], abs=0.012)


def test_p_value_of_three_systems_by_hand() -> None:
    # Standardised, the first metric is (-a, 0, a) with a = sqrt(3/2), the second (a, 0, -a). Of the
    # eight swaps, those of both ends or of neither, with any choice for the middle, give a
    # difference of 2 in absolute value. Those of one end give (a, 0, a) and (-a, 0, -a), which do
    # not correlate with 1, 2, 3: p = 1/2.
    p_values = perm_both_of_systems(np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), np.arange(3.0))
    assert p_values == pytest.approx([1 / 2], abs=0.012)


def test_perfect_metric_beats_noise_and_constant_compares_with_nothing() -> None:
    generator = np.random.default_rng(2)
    human = np.arange(12.0)
    noise = generator.normal(size=12)
    scores = np.stack([human, noise - human * (noise @ human) / (human @ human), np.ones(12)])
    p_values = perm_both_of_systems(scores, human)
    assert p_values[0] < 0.02
    assert np.isnan(p_values[1:]).all()


def test_noise_of_sentences_makes_less_sure() -> None:
    generator = np.random.default_rng(3)
    human = np.arange(12.0)
    scores = np.stack([human + 2 * generator.normal(size=12), generator.normal(size=12)])
    noisy = scores[:, np.newaxis] + 3 * generator.normal(size=(2, 200, 12))
    redrawn = perm_both(scores, noisy, human, as_they_are(human, 200), seed=1, n_resamples=20_000)
    assert redrawn[0] > perm_both_of_systems(scores, human)[0]


def test_paired_permutation_by_hand() -> None:
    # Two systems whose scores differ by .6 in each of five sentences, and ten draws of signs. The
    # permuted sums are .6 times the sums of the signs. One draw of all ones equals the observed 3,
    # and no other reaches it: half of 1 in 10.
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


def test_pairs_and_soft_accuracy_by_hand() -> None:
    assert system_pair_differences([[5, 1], [3, 1], [2, 0]]).tolist() == [[2, 3, 1], [0, 1, 1]]
    wins = np.array([[[0, 2, 1], [0, 0, 0], [4, 1, 0]]])
    assert judged_pair_differences(wins).tolist() == [[2, -3, -1]]

    # |.1 - .2| = .1, |.5 - .9| = .4, |1 - 0| = 1: one minus their mean; then a perfect metric.
    human = [0.1, 0.5, 1.0]
    assert soft_pairwise_accuracy(human, [[0.2, 0.9, 0.0], human]) == pytest.approx([0.5, 1])
