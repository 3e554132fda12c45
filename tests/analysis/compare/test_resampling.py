"""Sums over drawn and swapped sentences."""

import numpy as np

from maege.analysis.compare.inference.resampling import resampled_sums
from maege.analysis.statistics.randomisation import Swaps
from maege.analysis.statistics.resampling import cluster_weights


def test_a_sum_counts_a_sentence_as_often_as_it_is_drawn_and_once_where_it_is_swapped() -> None:
    values = np.array([1.0, 10.0, 100.0, 1000.0])
    sums = resampled_sums(values[:, np.newaxis], values[:, np.newaxis], 1, 5)
    # The samples are those of the warehouse.
    assert sums.drawn[0, 0] == sum(cluster_weights(4, 1, 5)[0] * values)
    assert sums.swapped[0, 0] == sum(next(iter(Swaps(4, 1, 5)))[0] * values)


def test_columns_with_few_sentences_are_summed_as_all_others() -> None:
    generator = np.random.default_rng(1)
    columns = generator.integers(0, 4, (60, 3)).astype(float)
    rare = np.zeros((60, 1))
    rare[[5, 40]] = [[2], [3]]
    sums = resampled_sums(np.hstack([columns, rare]), rare, 1_200, 2)
    weights = cluster_weights(60, 1_200, 2)
    assert (sums.drawn == weights @ np.hstack([columns, rare])).all()


def test_half_of_the_sentences_are_swapped_and_always_the_same() -> None:
    swaps = Swaps(1_000, 1_100, 1)
    first, last = swaps
    assert (first.shape, last.shape) == ((1_000, 1_000), (100, 1_000))
    assert 0.49 < first.mean() < 0.51
    assert set(np.unique(first)) == {0, 1}
    assert (np.vstack([*swaps]) == np.vstack([first, last])).all()
