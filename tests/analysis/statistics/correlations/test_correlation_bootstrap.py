"""Intervals of correlations whose both sides are drawn again: by hand, and SciPy for each row."""

import numpy as np
import pytest
from scipy import stats

from maege.analysis.statistics.correlations.correlation_bootstrap import (
    average_ranks,
    correlation_intervals,
    pearson_of_rows,
    spearman_of_rows,
)
from maege.analysis.statistics.samples.bootstrap import (
    cluster_weights,
    resampled_sums,
)


def test_rows_are_correlated_with_the_same_rows() -> None:
    generator = np.random.default_rng(5)
    left, right = generator.integers(0, 6, size=(2, 3, 40, 7)).astype(float)
    for ours, theirs in ((pearson_of_rows, stats.pearsonr), (spearman_of_rows, stats.spearmanr)):
        expected = [
            [theirs(a, b).statistic for a, b in zip(*rows, strict=True)]
            for rows in zip(left, right, strict=True)
        ]
        np.testing.assert_allclose(ours(left, right), expected, atol=1e-12)
        # One row of human scores for all metrics broadcasts.
        single = [[theirs(a, right[0, 0]).statistic for a in rows] for rows in left]
        np.testing.assert_allclose(ours(left, right[0, 0]), single, atol=1e-12)


def test_constant_short_or_missing_rows_are_undefined() -> None:
    rows = [[0.1, 0.1, 0.1], [1.0, np.nan, 2.0], [1.0, 2.0, 3.0]]
    for correlate in (pearson_of_rows, spearman_of_rows):
        np.testing.assert_array_equal(correlate(rows, [1.0, 2.0, 4.0])[:2], [np.nan, np.nan])
        assert correlate(rows, [1.0, 2.0, 4.0])[2] > 0.9
        assert np.isnan(correlate([[1.0]], [2.0])).all()


def test_interval_by_hand() -> None:
    # Four samples of three systems in which rho is 1, 1/2, -1 and undefined.
    human_samples = [[3, 2, 1], [3, 2, 1], [1, 2, 3], [3, 2, 1]]
    score_samples = [[[9, 5, 1], [5, 9, 1], [9, 5, 1], [7, 7, 7]]]
    found = correlation_intervals(human_samples, score_samples, "spearman", level=0.5)
    # The quartiles of -1, 1/2, 1 are at places 3 * .25 + .5 = 1.25 and 2.75 by Hazen's rule.
    assert found.low == pytest.approx([-1 + 0.25 * 1.5])
    assert found.high == pytest.approx([0.5 + 0.75 * 0.5])
    assert found.n_samples.tolist() == [3]


def test_constant_metric_has_no_interval_beside_one_that_has() -> None:
    generator = np.random.default_rng(2)
    human_samples = generator.normal(size=(50, 6))
    samples = np.stack([np.ones((50, 6)), human_samples])
    found = correlation_intervals(human_samples, samples, "pearson")
    assert np.isnan([found.low[0], found.high[0]]).all()
    assert found.n_samples.tolist() == [0, 50]
    assert [found.low[1], found.high[1]] == pytest.approx([1, 1])


def test_noise_shared_by_both_sides_is_redrawn_together() -> None:
    # Human and metric scores of a sentence share its noise: drawn together they stay close.
    generator = np.random.default_rng(3)
    quality = np.linspace(0, 1, 8)
    shared_noise = generator.normal(size=(200, 8))
    human = quality + shared_noise
    metric = quality + shared_noise + 0.1 * generator.normal(size=(200, 8))
    weights = cluster_weights(200, 300, seed=1)
    together, apart = (
        correlation_intervals(
            resampled_sums(human, weights), resampled_sums(metric, other)[np.newaxis], "pearson"
        )
        for other in (weights, cluster_weights(200, 300, seed=2))
    )
    assert together.high[0] - together.low[0] < 0.5 * (apart.high[0] - apart.low[0])


def test_bad_input_is_named() -> None:
    samples = np.ones((4, 3))
    with pytest.raises(ValueError, match="same systems in the same samples"):
        correlation_intervals(samples, np.ones((1, 5, 3)), "pearson")
    with pytest.raises(ValueError, match="one of pearson, spearman, found kendall"):
        correlation_intervals(samples, samples[np.newaxis], "kendall")
    with pytest.raises(ValueError, match="found 95"):
        correlation_intervals(samples, samples[np.newaxis], "pearson", 95)
    with pytest.raises(ValueError, match="rows of one length"):
        pearson_of_rows([[1, 2]], [1, 2, 3])


def test_average_ranks_share_ties_and_are_those_of_scipy() -> None:
    columns = [[3.0, 1.0, np.nan], [1.0, 1.0, 2.0], [3.0, 1.0, 3.0], [2.0, 0.0, 4.0]]
    ranks = average_ranks(columns)
    np.testing.assert_array_equal(ranks[:, :2].T, [[3.5, 1, 3.5, 2], [3, 3, 3, 1]])
    assert np.isnan(ranks[:, 2]).all()
    drawn = np.random.default_rng().integers(0, 5, size=(7, 50)).astype(np.float64)
    np.testing.assert_array_equal(average_ranks(drawn), stats.rankdata(drawn, axis=0))
