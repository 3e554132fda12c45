"""Bootstrap resamples and intervals, estimates with bounds, and minimum sample sizes."""

import math

import numpy as np
import pytest

from maege.analysis import sample_weights
from maege.analysis.sample_weights import drawn_sums
from maege.analysis.statistics.resampling import (
    Interval,
    RatioSums,
    cluster_weights,
    estimated_mean,
    estimated_ratio,
    estimated_share,
    margin_shown,
    paired_p_values,
    power_of,
    ratio_intervals,
    standard_error,
    units_to_equal,
    units_to_tell,
)

# --- Bootstrap intervals: by hand with known samples, and equal with any number of threads ---

# Three clusters; the samples contain only the first, only the second, only the third, or each once.
WEIGHTS = np.array([[3, 0, 0], [0, 3, 0], [0, 0, 3], [1, 1, 1]], dtype=float)


def test_every_sample_contains_the_number_of_clusters() -> None:
    weights = cluster_weights(50, 200, 1)
    assert weights.shape == (200, 50)
    assert (weights.sum(axis=1) == 50).all()
    # The mean weight of a cluster is 1; its standard error over 200 samples is .07.
    np.testing.assert_allclose(weights.mean(axis=0), 1, atol=0.35)


def test_weights_depend_on_the_seed_alone() -> None:
    np.testing.assert_array_equal(cluster_weights(9, 5, 3), cluster_weights(9, 5, 3))
    assert (cluster_weights(9, 5, 3) != cluster_weights(9, 5, 4)).any()
    # PCG64 with seed 1 draws 4 clusters: 1, 2, 3, 3.
    generator = np.random.Generator(np.random.PCG64(1))
    assert generator.integers(0, 4, size=4).tolist() == [1, 2, 3, 3]
    assert cluster_weights(4, 1, 1).tolist() == [[0, 1, 1, 2]]


@pytest.mark.parametrize(("n_clusters", "kind"), [(1, "u1"), (255, "u1"), (256, "u2")])
def test_weights_take_few_bytes_and_hold_even_one_cluster_drawn_always(
    n_clusters: int, kind: str
) -> None:
    weights = cluster_weights(n_clusters, 3, 1)
    assert weights.dtype == kind
    assert np.iinfo(kind).max >= n_clusters


def test_interval_of_a_mean_by_hand() -> None:
    # Means of the four samples: 4/2, 0/1, 3/1 and 7/4. Half of the samples lie between the 25 % and
    # 75 % quantiles of 0, 1.75, 2, 3, at positions 4 * .25 + .5 = 1.5 and 3.5 by Hazen's rule.
    low, high = ratio_intervals([4, 0, 3], [2, 1, 1], WEIGHTS, level=0.5)
    assert low == pytest.approx([1.75 / 2])
    assert high == pytest.approx([2.5])


def test_columns_are_independent_and_an_undefined_sample_is_left_out() -> None:
    numerators = np.array([[4, 1, 0], [0, 0, 0], [3, 0, 0]])
    denominators = np.array([[2, 1, 0], [1, 0, 0], [1, 0, 0]])
    low, high = ratio_intervals(numerators, denominators, WEIGHTS, level=0.5)
    # The second column exists only in samples 1 and 4, both with ratio 1; the third in no sample.
    assert low.tolist()[:2] == pytest.approx([1.75 / 2, 1.0])
    assert high.tolist()[:2] == pytest.approx([2.5, 1.0])
    assert np.isnan([low[2], high[2]]).all()


def test_order_of_the_clusters_does_not_change_a_bit() -> None:
    generator = np.random.Generator(np.random.PCG64(4))
    values, weights = generator.normal(size=(300, 5)), cluster_weights(300, 100, 1)
    order = generator.permutation(300)
    ones = np.ones_like(values)
    np.testing.assert_array_equal(
        ratio_intervals(values, ones, weights),
        ratio_intervals(values[order], ones, weights[:, order]),
    )


def test_huge_and_tiny_columns_keep_their_digits() -> None:
    values = np.array([1.0, 2.0, 4.0])
    for scale in (1e-300, 1e-9, 1.0, 1e9, 1e300):
        low, _ = ratio_intervals(values * scale, np.ones(3), WEIGHTS)
        assert low == pytest.approx(
            ratio_intervals(values, np.ones(3), WEIGHTS).low * scale, rel=1e-12
        )


def test_p_value_counts_samples_on_the_rarer_side_of_zero() -> None:
    # 9 samples, of which 1, 2 and 9 are at or below zero: 2 * (1 + 1) / 10, 2 * (2 + 1) / 10, at
    # most 1.
    clear = [3, 2, 1, 1, 1, 1, 1, 1, -1]
    tied = [1, 1, 1, 1, 1, 1, 1, 0, -1]
    equal = [0] * 9
    differences = np.array([clear, tied, equal], dtype=float).T
    assert paired_p_values(differences) == pytest.approx([0.4, 0.6, 1.0])
    assert paired_p_values(-differences) == pytest.approx([0.4, 0.6, 1.0])


# --- Intervals of shares, means and ratios, by hand ---

# The level with a normal quantile of 2.
TWO = math.erf(math.sqrt(2))


def test_intervals_by_hand() -> None:
    # 2 of 4 at z = 2: (2 + 2) / 8 plus and minus 2 / 8 sqrt(1 + 1).
    interval = estimated_share(2, 4, TWO)
    assert interval == pytest.approx((0.5, 0.5 - math.sqrt(2) / 4, 0.5 + math.sqrt(2) / 4))

    # 0 of 4 at z = 2: between 0 and 2 / 8 + 2 / 8.
    assert estimated_share(0, 4, TWO) == pytest.approx((0, 0, 0.5))
    assert estimated_share(4, 4, TWO) == pytest.approx((1, 0.5, 1))

    # 1, 3, 5 have variance 4: 3 plus and minus 2 sqrt(4 / 3).
    reach = 2 * math.sqrt(4 / 3)
    assert estimated_mean([1, 3, 5], TWO) == pytest.approx((3, 3 - reach, 3 + reach))
    assert estimated_mean([1], TWO) == Interval(1, None, None)

    # x = 2, 0 and y = 2, 2: r = 1/2, with residuals 1 and -1 of the sentences; sqrt(2) / 2.
    interval = estimated_ratio(RatioSums(x=2, y=4, xx=4, xy=4, yy=8), TWO)
    reach = math.exp(2 * math.sqrt(2) / 2)
    assert interval == pytest.approx((0.5, 0.5 / reach, 0.5 * reach))


def test_too_little_data_have_no_bounds() -> None:
    interval = Interval(0.5, 0.4, 0.6)
    assert interval.with_enough_sentences(20) == interval
    assert interval.with_enough_sentences(19) == Interval(0.5, None, None)
    assert Interval(0.5, 0.5, 0.5).with_enough_sentences(20) == Interval(0.5, None, None)

    assert estimated_ratio(RatioSums(0, 4, 0, 0, 8), TWO) == Interval(0, None, None)


# --- Sample sizes for a significant result, by hand ---


def test_units_to_tell_follow_from_the_standard_error() -> None:
    # (1.95996 + .84162)^2 = 7.8489; with a difference of two standard errors 100 * 7.8489 / 4.
    assert units_to_tell(100, -0.08, 0.04) == pytest.approx(196.22, abs=0.01)
    # Half the difference needs four times the sample size.
    assert units_to_tell(100, 0.04, 0.04) == pytest.approx(784.89, abs=0.01)
    assert units_to_tell(100, 0, 0.04) == math.inf


def test_power_of_what_was_planned_is_what_was_asked_for() -> None:
    n = units_to_tell(100, 0.08, 0.04)
    assert power_of(0.08, 0.04 * math.sqrt(100 / n)) == pytest.approx(0.8, abs=1e-4)
    assert power_of(0, 0.04) == pytest.approx(0.05)


def test_equal_things_take_both_one_sided_tests() -> None:
    # (1.64485 + 1.28155)^2 = 8.5638, from a power of .9 each; margin of two standard errors.
    assert units_to_equal(100, 0, 0.04, 0.08) == pytest.approx(214.10, abs=0.01)
    # (1.64485 + .84162)^2 = 6.1826, divided by the rest of the margin: .08 - .04, one standard
    # error.
    assert units_to_equal(100, 0.04, 0.04, 0.08) == pytest.approx(618.26, abs=0.01)
    assert units_to_equal(100, -0.08, 0.04, 0.08) == math.inf


def test_margin_is_the_far_end_of_the_90_percent_interval() -> None:
    assert margin_shown(-0.02, 0.04) == pytest.approx(0.02 + 1.64485 * 0.04, abs=1e-6)
    assert standard_error(-0.0784, 0.0784) == pytest.approx(0.04, abs=1e-5)


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_drawn_sums_by_hand(kind: str) -> None:
    weights = np.array([[1, 1, 1], [0, 3, 0], [2, 0, 1]], np.uint8)
    columns = np.array([[1.0, 10], [2, 20], [4, 300]]).astype(kind)
    sums = drawn_sums(weights, columns)
    assert sums.dtype == np.float64
    assert sums.tolist() == [[7, 330], [6, 60], [6, 320]]


@pytest.mark.parametrize("at_once", [1, 4, 7, 1000])
def test_samples_are_summed_in_blocks_of_any_size(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_weights, "WIDE_AT_ONCE", at_once)
    generator = np.random.Generator(np.random.PCG64(3))
    weights = generator.integers(0, 300, size=(5, 3)).astype(np.uint16)
    columns = generator.integers(-9, 9, size=(3, 4)).astype(np.float64)
    np.testing.assert_array_equal(drawn_sums(weights, columns), weights.astype(int) @ columns)
