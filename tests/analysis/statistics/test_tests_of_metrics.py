"""The set of the best metrics, Williams' test and q-values."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from maege.analysis.rankings.significance import with_q_values
from maege.analysis.statistics.resampling import expanded_level, n_effective, too_few, with_width
from maege.analysis.statistics.significance import (
    BATCHES,
    CERTAIN,
    best_set,
    q_values,
    williams,
    zou_interval,
)

# --- Metrics statistically tied with the best, on samples small enough for results by hand ---


def test_best_sets_by_hand() -> None:
    # The difference is 1 with a standard deviation of .1: t is 10, and no resample deviates by more
    # than 1.
    samples = np.array([[1.1, 0.0], [0.9, 0.0]] * 20)
    best = best_set([1.0, 0.0], samples, math.inf)
    assert best.best_share.tolist() == [1, 0]
    assert best.in_best_set.tolist() == [True, False]
    assert (best.n_resamples, best.n_decided_by) == (40, 40)

    # The mean difference is .5 with a standard deviation of 1: t = .5, below the largest deviation
    # of 1.
    samples = np.array([[1.5, 0.0], [-0.5, 0.0]] * 20)
    best = best_set([0.5, 0.0], samples, math.inf)
    assert best.best_share.tolist() == [0.5, 0.5]
    assert best.in_best_set.tolist() == [True, True]

    sampled = np.array([0.3, 0.2, 0.4, 0.3] * 10)
    best = best_set([0.3, 0.3], np.stack([sampled, sampled * (1 + 1e-12)], axis=1), math.inf)
    assert best.best_share.tolist() == [0.5, 0.5]
    assert best.in_best_set.tolist() == [True, True]

    sampled = np.array([0.3, 0.2, 0.4, 0.3] * 10)
    best = best_set([0.3, 0.2], np.stack([sampled, sampled - 0.1], axis=1), math.inf)
    assert best.in_best_set.tolist() == [True, False]


def test_few_of_what_is_redrawn_take_a_larger_difference() -> None:
    # t = 2, compared with a largest deviation of 1. With two units, Student's t is 1.8 times the
    # normal distribution's quantile, times the root of 2: 2.6.
    samples = np.array([[3.0, 0.0], [1.0, 0.0]] * 20)
    assert best_set([2.0, 0.0], samples, math.inf).in_best_set.tolist() == [True, False]
    assert best_set([2.0, 0.0], samples, 2).in_best_set.tolist() == [True, True]


def test_a_resample_without_a_value_of_all_says_nothing() -> None:
    samples = np.array([[1.0, np.nan], [0.9, 0.0], [1.1, 0.0]] * 20)
    best = best_set([1.0, 0.0], samples, math.inf)
    assert (best.best_share.tolist(), best.n_resamples) == ([1, 0], 40)


def decided_by(seed: int, t: float) -> tuple[bool, int]:
    """Return whether a metric `t` standard errors behind stays, and the number of resamples."""

    def more_resamples(block: int, places: NDArray[np.intp]) -> NDArray[np.float64]:
        deviations = np.random.default_rng([seed, block]).standard_normal(1000)
        return np.stack([deviations, np.zeros(1000)], axis=1)[:, places]

    first = more_resamples(0, np.arange(2)) + np.array([t, 0])
    best = best_set([t, 0.0], first, math.inf, more=more_resamples)
    return bool(best.in_best_set[1]), best.n_decided_by


def test_a_probability_near_the_limit_asks_for_more_resamples() -> None:
    # p is .19, .05 and .003.
    assert decided_by(7, 1.3) == (True, 1000)
    assert decided_by(7, 1.96)[1] > 1000
    assert decided_by(7, 3.0) == (False, 1000)


def test_other_resamples_turn_no_decision_over() -> None:
    # p is .049, which 1,000 resamples may estimate on either side of .05.
    assert {decided_by(seed, 1.97)[0] for seed in range(20)} == {True}


# --- Williams' test and Zou's interval, by hand and as printed by other programs ---


def test_williams_by_hand_and_as_brucer_prints_it() -> None:
    # r12 = 1/2, r13 = r23 = 0, n = 28: K = 3/4, and t = 1/2 sqrt(27) / sqrt(2 * 3/4 * 27/25 +
    # 1/16) = sqrt(6.75 / 1.6825) = 2.00297 with 25 degrees of freedom.
    test = williams(0.5, 0.0, 0.0, 28)
    assert test.t == pytest.approx(np.sqrt(6.75 / 1.6825), rel=1e-14)
    assert test.p_value == pytest.approx(2 * stats.t.sf(2.002968, 25), abs=1e-6)

    # The R package bruceR on r1 = .20, r2 = .45, n = 100, rcov = .80: t(97) = -4.56, p = 1e-05.
    test = williams(0.20, 0.45, 0.80, 100)
    assert round(float(test.t), 2) == -4.56
    assert float(test.p_value) == pytest.approx(1e-5, abs=0.5e-5)


def test_metric_cannot_beat_itself_and_three_systems_decide_nothing() -> None:
    same_metric = williams(0.9, 0.9, 1.0, 12)
    assert (float(same_metric.t), float(same_metric.p_value)) == (0, 1)
    assert np.isnan(williams(0.9, 0.1, 0.3, 3)).all()
    assert np.isnan(williams(np.nan, 0.1, 0.3, 12)).all()
    assert np.isnan(williams(0.9, 0.1, np.nan, 12)).all()


def test_intervals_of_differences_by_hand_and_as_zou_prints_them() -> None:
    # r12 = r13 = r23 = 0 for 28 systems: the bounds of each correlation are +-tanh(1.96 / 5) =
    # +-.3731. The correlations are independent, so the bounds of the difference are sqrt(2) times
    # as far from 0.
    low, high = zou_interval(0.0, 0.0, 0.0, 28)
    assert [float(low), float(high)] == pytest.approx([-0.5276, 0.5276], abs=1e-4)

    # Zou 2007, p. 409: r12 = .396, r13 = .179, r23 = .088, n = 66: -.093 to .517.
    low, high = zou_interval(0.396, 0.179, 0.088, 66)
    assert [round(float(low), 3), round(float(high), 3)] == [-0.093, 0.517]

    near, far = (zou_interval(0.8, 0.7, r_metrics, 12) for r_metrics in (0.95, 0.5))
    assert near.high - near.low < far.high - far.low
    assert np.isnan(zou_interval(0.8, 0.7, 0.5, 3)).all()


# --- q-values, and minimum sample sizes ---


def test_q_values_by_hand_and_by_scipy() -> None:
    # Three tests: .01 * 3 / 1; .04 * 3 / 3 is smaller than .03 * 3 / 2.
    assert q_values([0.04, np.nan, 0.01, 0.03]) == pytest.approx(
        [0.04, np.nan, 0.03, 0.04], nan_ok=True
    )
    assert np.isnan(q_values([np.nan])).all()
    assert q_values([]).size == 0

    p = np.round(np.random.default_rng(1).random(200) ** 2, 2)
    assert np.array_equal(q_values(p), stats.false_discovery_control(p))
    assert stats.t.ppf(0.9995, BATCHES - 1) == pytest.approx(CERTAIN, rel=1e-12)


def test_q_values_are_of_their_family() -> None:
    # Family a: .04 * 2 / 2 and .01 * 2 / 1. Family b and the metric made by chance have one test.
    rows = [
        {"of": family, "metric": metric, "p_value": p}
        for family, metric, p in (
            ("a", "m2", 0.04),
            ("b", "m2", 0.03),
            ("a", "gleu", 0.01),
            ("a", "chance_length", 0.02),
        )
    ]
    assert [(row["metric"], row["q_value"]) for row in with_q_values(rows, ("of",))] == [
        ("m2", pytest.approx(0.04)),
        ("gleu", pytest.approx(0.02)),
        ("m2", pytest.approx(0.03)),
        ("chance_length", pytest.approx(0.02)),
    ]


def test_few_data_are_named_and_have_no_interval() -> None:
    assert too_few(systems=4, sentences=20, pairs=20) == "systems"
    assert too_few(sentences=19, pairs=1000) == "sentences"
    assert too_few(sentences=20, pairs=19) == "pairs"
    assert too_few(systems=5, sentences=20, pairs=20) is None

    assert with_width(0.5, 0.75) == (0.5, 0.75)
    assert np.isnan(with_width(0.5, 0.5)).all()
    assert np.isnan(with_width(np.nan, np.nan)).all()


def test_clusters_widen_intervals() -> None:
    assert n_effective([3, 3, 3]) == pytest.approx(3)
    # (1 + 1 + 4)^2 / (1 + 1 + 16)
    assert n_effective([1, 1, 4]) == pytest.approx(2)

    # For n = 10, the quantile of t is 2.262 instead of 1.960, and a standard deviation with n
    # instead of n - 1 is too low by sqrt(10 / 9).
    assert expanded_level(0.95, 10) == pytest.approx(0.98289, abs=1e-4)
    assert expanded_level(0.95, 1e6) == pytest.approx(0.95, abs=1e-5)
