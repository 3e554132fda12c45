"""Numbers of a metric on a corpus, computed by hand."""

import numpy as np
import pytest

from maege.analysis.lattices import metric_on_corpus, sums_by_sentence
from maege.analysis.statistics.resampling import cluster_weights


def step_counts(*by_lattice: list[list[int]]) -> np.ndarray:
    """Return counts of shape (3, strata, lattices), from a row per stratum for each lattice."""
    return np.array(by_lattice, np.float64).transpose(2, 1, 0)


def test_numbers_of_three_lattices_of_two_sentences() -> None:
    chains = np.array([[3.0, 0, 1], [0, 1, 0], [0, 0, 1]])
    steps = step_counts(
        [[2, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    )
    nothing = [0, 0, 0]
    corrupted = step_counts(
        [[1, 0, 1], nothing, nothing, nothing],
        [nothing, [0, 1, 0], nothing, nothing],
        # Edits have no stratum if references are only texts.
        [nothing, nothing, nothing, [1, 0, 0]],
    )
    sums = sums_by_sentence(np.array([0, 0, 1]), 2, chains, steps, corrupted)
    assert sums.chains.T.tolist() == [[3, 1, 0], [1, 0, 1]]
    numbers = metric_on_corpus(sums, cluster_weights(2, 100, 1), 0.95)
    # (4 - 1) / 6.
    assert numbers.tau.value == pytest.approx(0.5)
    # Each sentence alone has the same value, (3 - 1) / 4 or (1 - 0) / 2, so there is no interval.
    assert np.isnan(numbers.tau.low)
    assert numbers.tau_steps.tolist() == [1, 0, 0]
    assert numbers.n_steps.tolist() == [2, 2, 1]
    assert numbers.over_corrupted[:2].tolist() == [0.75, 0]
    # Of four pairs, 1 is correct and 1 tied, none, and 1.
    assert numbers.over_corrupted_all.value == pytest.approx(2.5 / 4)
    # Five steps are fewer than the 200 that each stratum needs.
    assert np.isnan(numbers.standardised_tau.value)


def test_standardised_tau_is_the_mean_of_strata_with_its_interval() -> None:
    # Each sentence has one step per stratum: the endorsed one is correct, the touched one correct
    # in half of the sentences, the untouched one wrong.
    n = 400
    steps = np.zeros((3, 3, n))
    steps[0, 0] = steps[1, 2] = 1
    steps[0, 1, ::2] = steps[1, 1, 1::2] = 1
    chains = steps.sum(axis=1)
    sums = sums_by_sentence(np.arange(n), n, chains, steps, np.zeros((3, 4, n)))
    numbers = metric_on_corpus(sums, cluster_weights(n, 500, 1), 0.95)
    assert numbers.standardised_tau.value == pytest.approx(0)
    # A third of the interval of a mean of 400 signs: 1.96 / 20 / 3.
    assert numbers.standardised_tau.high == pytest.approx(0.0327, abs=0.007)
    assert numbers.standardised_tau.low == pytest.approx(-0.0327, abs=0.007)
    assert np.isnan(numbers.over_corrupted_all.value)
