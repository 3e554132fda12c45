"""Chance: what random metrics and random orders get."""

import numpy as np
import pytest

from maege.analysis.statistics.significance import random_metrics
from maege.analysis.statistics.significance.random_metrics import (
    chance,
    discordant_by_chance,
    random_orders_of,
)

# A chain of three texts in sentence 0, one of two in sentence 1.
SENTENCE = np.array([0, 0, 0, 1])
LOWER = np.array([7, 7, 8, 7])
UPPER = np.array([8, 9, 9, 8])


def test_a_random_metric_orders_texts_and_not_pairs() -> None:
    every = np.ones((4, 1), np.bool_)
    wrong = discordant_by_chance(SENTENCE, LOWER, UPPER, every, seed=1, n_random=6_000)[:, 0]
    # An order of three texts has 0, 1, 1, 2, 2 or 3 wrong pairs, the two of the other 0 or 1: of
    # the 12 equally likely outcomes 1, 3, 4, 3 and 1 have 0 to 4.
    shares = np.bincount(wrong.astype(int), minlength=5) / wrong.size
    np.testing.assert_allclose(shares, np.array([1, 3, 4, 3, 1]) / 12, atol=0.02)


def test_what_a_metric_ties_is_tied_for_random_ones() -> None:
    decided = np.array([[True, False], [False, False], [False, False], [True, False]])
    wrong = discordant_by_chance(SENTENCE, LOWER, UPPER, decided, seed=1, n_random=500)
    assert set(wrong[:, 0]) == {0, 1, 2}
    assert not wrong[:, 1].any()


def test_blocks_hold_whole_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    every = np.ones((4, 1), np.bool_)
    monkeypatch.setattr(random_metrics, "PAIRS_AT_ONCE", 1)
    wrong = discordant_by_chance(SENTENCE, LOWER, UPPER, every, seed=1, n_random=300)[:, 0]
    # Were the pairs of sentence 0 drawn apart, some metric would have 7 below 8 below 9 below 7.
    assert wrong.max() == 4
    assert set(wrong) == {0, 1, 2, 3, 4}


def test_pairs_may_come_in_any_order() -> None:
    order = np.array([3, 1, 0, 2])
    decided = np.ones((4, 1), np.bool_)
    np.testing.assert_array_equal(
        discordant_by_chance(SENTENCE[order], LOWER[order], UPPER[order], decided, seed=1),
        discordant_by_chance(SENTENCE, LOWER, UPPER, decided, seed=1),
    )


def test_p_is_two_sided_and_counts_the_metric_itself() -> None:
    samples = np.arange(-9.0, 10.0)[:, np.newaxis]
    middle, low, high, p = chance(samples, np.array([8.0]), level=0.5)
    assert (middle[0], low[0], high[0]) == (0, -4.5, 4.5)
    # 8 and 9 are as much: (2 + 1) of (19 + 1), twice.
    assert p[0] == pytest.approx(2 * 3 / 20)
    assert chance(samples, np.array([-8.0])).p_value == pytest.approx(2 * 3 / 20)
    assert chance(samples, np.array([0.0])).p_value == 1


def test_orders_are_all_where_these_are_few() -> None:
    assert sorted(random_orders_of(3, seed=1).tolist()) == [
        [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]
    ]  # fmt: skip
    orders = random_orders_of(11, seed=1)
    assert orders.shape == (10_000, 11)
    assert (np.sort(orders, axis=1) == np.arange(11)).all()
