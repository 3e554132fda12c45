"""Random orders of systems, and a test of a correlation against them."""

import numpy as np
import pytest

from maege.analysis.statistics.significance.random_orders import permutation_test, random_orders_of


def test_all_orders_of_few_systems() -> None:
    assert sorted(random_orders_of(3, seed=1).tolist()) == [
        [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]
    ]  # fmt: skip
    orders = random_orders_of(11, seed=1)
    assert orders.shape == (10_000, 11)
    assert (np.sort(orders, axis=1) == np.arange(11)).all()


def test_p_value_counts_both_tails() -> None:
    # Spearman's rho of the six orders of three systems. Hazen's quantile at share s is the value at
    # place 6 s + 1/2 of the sorted values: at .25 place 2, at .75 place 5.
    rho = np.array([1.0, 0.5, 0.5, -0.5, -0.5, -1.0])
    test = permutation_test(rho, 0.5, n_systems=3, level=0.5)
    assert (test.median, test.low, test.high) == (0, -0.5, 0.5)
    assert test.p_value == 1
    assert permutation_test(rho, -1.0, n_systems=3, level=0.5).p_value == pytest.approx(2 / 6)


def test_observed_order_is_added_to_some_orders() -> None:
    # 9 systems have 362,880 orders. None of the two drawn ones reaches .9, the observed one does.
    assert permutation_test(np.array([0.1, -0.2]), 0.9, 9, 0.95).p_value == pytest.approx(1 / 3)
