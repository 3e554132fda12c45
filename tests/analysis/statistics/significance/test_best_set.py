"""The set of metrics that cannot be told from the best, on samples that can be seen through."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from maege.analysis.statistics.significance.best_set import best_set


def test_a_metric_that_is_always_ahead_is_alone() -> None:
    # Differences of 1 that vary by .1: t is 10, and no resample deviates by more than 1.
    samples = np.array([[1.1, 0.0], [0.9, 0.0]] * 20)
    found = best_set([1.0, 0.0], samples, math.inf)
    assert found.best_share.tolist() == [1, 0]
    assert found.in_best_set.tolist() == [True, False]
    assert (found.n_resamples, found.n_decided_by) == (40, 40)


def test_what_differs_by_less_than_its_standard_error_stays() -> None:
    # The difference is .5 on average and varies by 1: t = .5, below the largest deviation of 1.
    samples = np.array([[1.5, 0.0], [-0.5, 0.0]] * 20)
    found = best_set([0.5, 0.0], samples, math.inf)
    assert found.best_share.tolist() == [0.5, 0.5]
    assert found.in_best_set.tolist() == [True, True]


def test_the_same_metric_twice_shares_its_resamples_and_stays_together() -> None:
    drawn = np.array([0.3, 0.2, 0.4, 0.3] * 10)
    found = best_set([0.3, 0.3], np.stack([drawn, drawn * (1 + 1e-12)], axis=1), math.inf)
    assert found.best_share.tolist() == [0.5, 0.5]
    assert found.in_best_set.tolist() == [True, True]


def test_a_difference_that_no_resample_moves_is_told_apart() -> None:
    drawn = np.array([0.3, 0.2, 0.4, 0.3] * 10)
    found = best_set([0.3, 0.2], np.stack([drawn, drawn - 0.1], axis=1), math.inf)
    assert found.in_best_set.tolist() == [True, False]


def test_few_of_what_is_redrawn_take_a_larger_difference() -> None:
    # t = 2 against a largest deviation of 1; with two units Student's t is 1.8 where the normal
    # distribution is 1, times the root of 2: 2.6.
    samples = np.array([[3.0, 0.0], [1.0, 0.0]] * 20)
    assert best_set([2.0, 0.0], samples, math.inf).in_best_set.tolist() == [True, False]
    assert best_set([2.0, 0.0], samples, 2).in_best_set.tolist() == [True, True]


def test_a_resample_without_a_value_of_all_says_nothing() -> None:
    samples = np.array([[1.0, np.nan], [0.9, 0.0], [1.1, 0.0]] * 20)
    found = best_set([1.0, 0.0], samples, math.inf)
    assert (found.best_share.tolist(), found.n_resamples) == ([1, 0], 40)
    with pytest.raises(ValueError, match="every metric has a value"):
        best_set([1.0, 0.0], samples[:1], math.inf)


def test_the_best_of_equal_metrics_is_in_the_set_as_often_as_promised() -> None:
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        data = generator.standard_normal((40, 8))
        drawn = generator.multinomial(40, [1 / 40] * 40, 400) / 40
        held += bool(best_set(data.mean(axis=0), drawn @ data, 40).in_best_set[0])
    assert held >= 190


def decided_by(seed: int, t: float) -> tuple[bool, int]:
    """Whether a metric stays that is so many standard errors behind, and by how many resamples."""

    def drawn(block: int, places: NDArray[np.intp]) -> NDArray[np.float64]:
        deviations = np.random.default_rng([seed, block]).standard_normal(1000)
        return np.stack([deviations, np.zeros(1000)], axis=1)[:, places]

    first = drawn(0, np.arange(2)) + np.array([t, 0])
    found = best_set([t, 0.0], first, math.inf, more=drawn)
    return bool(found.in_best_set[1]), found.n_decided_by


def test_a_probability_near_the_limit_asks_for_more_resamples() -> None:
    # p is .19, .05 and .003.
    assert decided_by(7, 1.3) == (True, 1000)
    assert decided_by(7, 1.96)[1] > 1000
    assert decided_by(7, 3.0) == (False, 1000)


def test_other_resamples_turn_no_decision_over() -> None:
    # p is .049: 1,000 resamples alone have it on either side of .05.
    assert {decided_by(seed, 1.97)[0] for seed in range(20)} == {True}
