"""The set of metrics that cannot be told from the best, on samples that can be seen through."""

import numpy as np
import pytest

from maege.analysis.statistics.best_set import best_set

MANY = 1e9


def test_a_metric_that_is_always_ahead_is_alone() -> None:
    # Differences of 1 that vary by .1: t is 10, and no resample deviates by more than 1.
    samples = np.array([[1.1, 0.0], [0.9, 0.0], [1.1, 0.0], [0.9, 0.0]])
    found = best_set([1.0, 0.0], samples, MANY)
    assert found.best_share.tolist() == [1, 0]
    assert found.in_best_set.tolist() == [True, False]


def test_what_differs_by_less_than_its_standard_error_stays() -> None:
    # The difference is .5 on average and varies by 1: t = .5, below the largest deviation of 1.
    samples = np.array([[1.5, 0.0], [-0.5, 0.0], [1.5, 0.0], [-0.5, 0.0]])
    found = best_set([0.5, 0.0], samples, MANY)
    assert found.best_share.tolist() == [0.5, 0.5]
    assert found.in_best_set.tolist() == [True, True]


def test_the_same_metric_twice_shares_its_resamples_and_stays_together() -> None:
    drawn = np.array([0.3, 0.2, 0.4, 0.3])
    found = best_set([0.3, 0.3], np.stack([drawn, drawn * (1 + 1e-12)], axis=1), MANY)
    assert found.best_share.tolist() == [0.5, 0.5]
    assert found.in_best_set.tolist() == [True, True]


def test_few_of_what_is_redrawn_take_a_larger_difference() -> None:
    # t = 2 against a largest deviation of 1; with two units Student's t is 1.8 where the normal
    # distribution is 1, times the root of 2: 2.6.
    samples = np.array([[3.0, 0.0], [1.0, 0.0], [3.0, 0.0], [1.0, 0.0]])
    assert best_set([2.0, 0.0], samples, MANY).in_best_set.tolist() == [True, False]
    assert best_set([2.0, 0.0], samples, 2).in_best_set.tolist() == [True, True]


def test_a_resample_without_a_value_of_all_says_nothing() -> None:
    samples = np.array([[1.0, np.nan], [0.9, 0.0], [1.1, 0.0]])
    assert best_set([1.0, 0.0], samples, MANY).best_share.tolist() == [1, 0]
    with pytest.raises(ValueError, match="every metric has a value"):
        best_set([1.0, 0.0], samples[:1], MANY)


def test_the_best_of_equal_metrics_is_in_the_set_as_often_as_promised() -> None:
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        data = generator.standard_normal((40, 8))
        drawn = generator.multinomial(40, [1 / 40] * 40, 400) / 40
        held += bool(best_set(data.mean(axis=0), drawn @ data, 40).in_best_set[0])
    assert held >= 190
