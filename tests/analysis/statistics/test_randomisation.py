"""Random signs, swaps and orders."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.statistics.randomisation import (
    Swaps,
    permutation_test,
    random_orders_of,
    sign_tests,
    sums_tested,
    system_correlations,
)

# --- Random signs of sentences: the test and its interval ---


def test_bounds_are_ratios_of_halves() -> None:
    # Two sentences: 3 of 4 pairs and -1 of 2. Signs (+, -) give halves with ratios 3/4 and -1/2.
    # The sums are 2 of 6 as observed, then 4 (sizes 2), -4 (sizes -2) and 4 again.
    gains = np.array([[2.0], [4.0], [-4.0], [4.0]])
    sizes = np.array([[6.0], [2.0], [-2.0], [2.0]])
    tests = sums_tested(gains, sizes, level=0.75)
    # |4| is at least |2| in each case: (3 + 1) of 4. One choice of signs of four may reject.
    assert tests.p_value == pytest.approx([1])
    assert (tests.low[0], tests.high[0]) == (-0.5, 0.75)


def test_too_few_signs_give_no_interval() -> None:
    ones = np.ones((30, 1))
    tests = sign_tests(ones, ones, 0.95, n_signs=18, seed=1)
    assert math.isnan(tests.low[0])
    assert tests.p_value == pytest.approx([1 / 19])


@given(
    sentences=st.lists(st.tuples(st.integers(1, 9), st.integers(-9, 9)), min_size=20, max_size=40),
    shift=st.integers(0, 3),
)
def test_interval_holds_0_where_p_is_above_5_percent(
    sentences: list[tuple[int, int]], shift: int
) -> None:
    sizes = np.array([[float(size)] for size, _ in sentences])
    gains = np.clip(np.array([[float(gain + shift)] for _, gain in sentences]), -sizes, sizes)
    (low,), (high,), (p_value,) = sign_tests(gains, sizes, 0.95, n_signs=199, seed=1)
    assert (low <= 0 <= high) == (p_value > 0.05)


# --- Swapped sums, by hand, and shared by metrics with equal addends ---

ADDENDS = np.array([[[1.0, 2.0], [10.0, 20.0]], [[3.0, 0.0], [30.0, 0.0]]])


def test_a_swap_moves_the_sums_of_its_sentences() -> None:
    swaps = Swaps(2, 5, 3)
    ((first, second), *_) = next(iter(swaps)).tolist()
    moved = swaps.moved(ADDENDS)
    assert moved.shape == (5, 2, 2)
    assert moved[0].tolist() == [
        [first + 10 * second, 2 * first + 20 * second],
        [3 * first + 30 * second, 0],
    ]


# --- Random orders of systems, and the test of a correlation against them ---


def test_all_orders_of_few_systems() -> None:
    assert sorted(random_orders_of(3, seed=1).tolist()) == [
        [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]
    ]  # fmt: skip
    orders = random_orders_of(11, seed=1)
    assert orders.shape == (10_000, 11)
    assert (np.sort(orders, axis=1) == np.arange(11)).all()


def test_p_value_counts_both_tails() -> None:
    # Spearman's rho of the six orders of three systems. Hazen's quantile at share s is the value at
    # position 6 s + 1/2 of the sorted values: position 2 for .25, position 5 for .75.
    rho = np.array([1.0, 0.5, 0.5, -0.5, -0.5, -1.0])
    test = permutation_test(rho, 0.5, n_systems=3, level=0.5)
    assert (test.median, test.low, test.high) == (0, -0.5, 0.5)
    assert test.p_value == 1
    assert permutation_test(rho, -1.0, n_systems=3, level=0.5).p_value == pytest.approx(2 / 6)


def test_observed_order_is_added_to_some_orders() -> None:
    # 9 systems have 362,880 orders. Neither of the two sampled ones reaches .9, but the observed
    # one does.
    assert permutation_test(np.array([0.1, -0.2]), 0.9, 9, 0.95).p_value == pytest.approx(1 / 3)


# --- Correlations over systems: interval and test by hand, and without contradiction ---


def test_permuted_systems_and_fisher_by_hand() -> None:
    """Two of the 4! orders of 1, 2, 3, 4 have |r| = 1: p = 2 / 24. No interval excludes 0.

    r = .8 has z = 1.0986 and a standard error of 1: Fisher's p is .2719. 8 of the 24 orders have
    |r| >= .8: four sums of products with 1, 2, 3, 4 are 30 (r = 1) or 29 (r = .8), and four give
    -r.
    """
    result = system_correlations(
        [[1.0, 2, 3, 4], [1.0, 2, 4, 3], [5.0, 5, 5, 5]], [1.0, 2, 3, 4], "pearson", seed=1
    )
    assert result.p_value[0] == pytest.approx(2 / 24)
    assert result.p_value[1] == pytest.approx(8 / 24)
    assert (result.low[1], result.high[1]) == (-1, 1)
    assert result.chance_median[0] == pytest.approx(0)
    assert np.isnan([column[2] for column in result]).all()


def test_fisher_interval_of_many_systems_by_hand() -> None:
    """103 systems: atanh(.5) = .5493 with standard error .1, so .5493 -+ .196, and tanh of both."""
    human = np.concatenate([np.tile([1.0, -1.0], 50), [0, 0, 0]])
    independent = np.concatenate([np.tile([1.0, 1, -1, -1], 25), [0, 0, 0]])
    scores = 0.5 * human + np.sqrt(0.75) * independent
    result = system_correlations([scores], human, "pearson", seed=1)
    # The permutation test may be slightly stricter than Fisher's.
    assert result.low[0] == pytest.approx(np.tanh(0.5493 - 0.196), abs=0.02)
    assert result.high[0] == pytest.approx(np.tanh(0.5493 + 0.196), abs=0.02)
    assert result.p_value[0] == pytest.approx(1 / 10_001, abs=1e-6)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
@pytest.mark.parametrize("n_systems", [5, 7, 12])
def test_interval_and_test_never_contradict(coefficient: str, n_systems: int) -> None:
    generator = np.random.default_rng(n_systems)
    human = generator.integers(0, 9, n_systems).astype(np.float64)
    scores = human * generator.uniform(0, 1, (400, 1)) + generator.integers(0, 9, (400, n_systems))
    result = system_correlations(scores, human, coefficient, seed=1)
    has_interval = ~np.isnan(result.low)
    assert has_interval.sum() > 390
    excludes_0 = (result.low > 0) | (result.high < 0)
    is_significant = result.p_value <= 0.05
    assert 20 < is_significant.sum() < 380
    assert (excludes_0 == is_significant)[has_interval].all()


def test_pearson_outside_chance_is_significant() -> None:
    generator = np.random.default_rng(1)
    human = generator.standard_normal(8)
    scores = human * generator.uniform(0, 2, (300, 1)) + generator.standard_normal((300, 8))
    result = system_correlations(scores, human, "pearson", seed=1)
    r = np.array([np.corrcoef(row, human)[0, 1] for row in scores])
    outside = (r < result.chance_low) | (r > result.chance_high)
    assert 20 < outside.sum() < 280
    assert (outside == (result.p_value <= 0.05)).all()
