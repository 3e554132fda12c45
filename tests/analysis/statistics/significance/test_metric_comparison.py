"""Williams' test and Zou's interval, by hand and as other programs print them."""

import numpy as np
import pytest
from scipy import stats

from maege.analysis.statistics.significance.metric_comparison import williams, zou_interval


def test_williams_by_hand() -> None:
    # r12 = 1/2, r13 = r23 = 0, n = 28: K = 3/4, and t = 1/2 sqrt(27) / sqrt(2 * 3/4 * 27/25 +
    # 1/16) = sqrt(6.75 / 1.6825) = 2.00297 with 25 degrees of freedom.
    found = williams(0.5, 0.0, 0.0, 28)
    assert found.t == pytest.approx(np.sqrt(6.75 / 1.6825), rel=1e-14)
    assert found.p_value == pytest.approx(2 * stats.t.sf(2.002968, 25), abs=1e-6)


def test_williams_of_two_predictors_as_brucer_prints_it() -> None:
    # The R package bruceR on r1 = .20, r2 = .45, n = 100, rcov = .80: t(97) = -4.56, p = 1e-05.
    found = williams(0.20, 0.45, 0.80, 100)
    assert round(float(found.t), 2) == -4.56
    assert float(found.p_value) == pytest.approx(1e-5, abs=0.5e-5)


def test_williams_of_five_systems_as_mt_metrics_eval_prints_it() -> None:
    gold = [1, 2, 3, 4, 5]
    close, far = [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]
    correlations = np.corrcoef([gold, close, far])
    assert np.round(correlations[0, 1:], 3).tolist() == [0.999, 0.987]
    found = williams(correlations[0, 1], correlations[0, 2], correlations[1, 2], 5)
    # It prints the one-sided .019.
    assert round(float(found.p_value) / 2, 3) == 0.019


def test_swapping_the_metrics_mirrors_the_test() -> None:
    r12, r13 = np.array([0.9, 0.2, -0.4]), np.array([0.8, 0.7, 0.1])
    forward = williams(r12, r13, 0.5, 12)
    backward = williams(r13, r12, 0.5, 12)
    np.testing.assert_allclose(forward.t, -backward.t)
    np.testing.assert_allclose(forward.p_value, backward.p_value)


def test_metric_cannot_beat_itself_and_three_systems_decide_nothing() -> None:
    same = williams(0.9, 0.9, 1.0, 12)
    assert (float(same.t), float(same.p_value)) == (0, 1)
    assert np.isnan(williams(0.9, 0.1, 0.3, 3)).all()
    assert np.isnan(williams(np.nan, 0.1, 0.3, 12)).all()
    assert np.isnan(williams(0.9, 0.1, np.nan, 12)).all()


def test_interval_of_a_difference_by_hand() -> None:
    # r12 = r13 = r23 = 0 of 28 systems: the bounds of each are +-tanh(1.96 / 5) = +-.3731, and the
    # correlations are not related, so that those of the difference are sqrt(2) times as far.
    low, high = zou_interval(0.0, 0.0, 0.0, 28)
    assert [float(low), float(high)] == pytest.approx([-0.5276, 0.5276], abs=1e-4)


def test_interval_of_two_dependent_correlations_as_zou_prints_it() -> None:
    # Zou 2007, p. 409: r12 = .396, r13 = .179, r23 = .088, n = 66: -.093 to .517.
    low, high = zou_interval(0.396, 0.179, 0.088, 66)
    assert [round(float(low), 3), round(float(high), 3)] == [-0.093, 0.517]


def test_metrics_that_go_together_have_a_narrower_interval() -> None:
    near, far = (zou_interval(0.8, 0.7, between, 12) for between in (0.95, 0.5))
    assert near.high - near.low < far.high - far.low
    assert np.isnan(zou_interval(0.8, 0.7, 0.5, 3)).all()
