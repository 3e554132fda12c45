"""Williams' test and clusters of metrics, by hand and as other programs print them."""

import numpy as np
import pytest
from scipy import stats

from maege.analysis.statistics.metric_comparison import metric_clusters, williams


def test_williams_by_hand() -> None:
    # r12 = 1/2, r13 = r23 = 0, n = 28: K = 3/4, and t = 1/2 sqrt(27) / sqrt(2 * 3/4 * 27/25 +
    # 1/16) = sqrt(6.75 / 1.6825) = 2.00297 with 25 degrees of freedom.
    found = williams(0.5, 0.0, 0.0, 28)
    assert found.t == pytest.approx(np.sqrt(6.75 / 1.6825), rel=1e-14)
    assert found.p_greater == pytest.approx(stats.t.sf(2.002968, 25), abs=1e-6)
    assert found.p_two_sided == pytest.approx(2 * found.p_greater)


def test_williams_of_two_predictors_as_brucer_prints_it() -> None:
    # The R package bruceR on r1 = .20, r2 = .45, n = 100, rcov = .80: t(97) = -4.56, p = 1e-05.
    found = williams(0.20, 0.45, 0.80, 100)
    assert round(float(found.t), 2) == -4.56
    assert float(found.p_two_sided) == pytest.approx(1e-5, abs=0.5e-5)
    assert found.p_greater == pytest.approx(1 - found.p_two_sided / 2)


def test_williams_of_five_systems_as_mt_metrics_eval_prints_it() -> None:
    gold = [1, 2, 3, 4, 5]
    close, far = [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]
    correlations = np.corrcoef([gold, close, far])
    assert np.round(correlations[0, 1:], 3).tolist() == [0.999, 0.987]
    found = williams(correlations[0, 1], correlations[0, 2], correlations[1, 2], 5)
    assert round(float(found.p_greater), 3) == 0.019


def test_swapping_the_metrics_mirrors_the_test() -> None:
    r12, r13 = np.array([0.9, 0.2, -0.4]), np.array([0.8, 0.7, 0.1])
    forward = williams(r12, r13, 0.5, 12)
    backward = williams(r13, r12, 0.5, 12)
    np.testing.assert_allclose(forward.t, -backward.t)
    np.testing.assert_allclose(forward.p_greater, 1 - backward.p_greater)
    np.testing.assert_allclose(forward.p_two_sided, backward.p_two_sided)


def test_metric_cannot_beat_itself_and_three_systems_decide_nothing() -> None:
    same = williams(0.9, 0.9, 1.0, 12)
    assert (float(same.t), float(same.p_greater), float(same.p_two_sided)) == (0, 0.5, 1)
    assert np.isnan(williams(0.9, 0.1, 0.3, 3)).all()
    assert np.isnan(williams(np.nan, 0.1, 0.3, 12)).all()
    assert np.isnan(williams(0.9, 0.1, np.nan, 12)).all()


def test_clusters_by_hand() -> None:
    # By score: metric 1, 0, 3, 2. Neither 1 nor 0 beats the next; 1 beats 3, which opens the
    # second cluster; 1 and 0 beat 2, but 3, alone in its cluster, does not.
    p = np.full((4, 4), 0.5)
    p[1, 3] = p[1, 2] = p[0, 2] = 0.01
    assert metric_clusters([0.8, 0.9, 0.5, 0.7], p).tolist() == [1, 1, 2, 2]
    p[3, 2] = 0.05
    assert metric_clusters([0.8, 0.9, 0.5, 0.7], p).tolist() == [1, 1, 3, 2]
    assert metric_clusters([0.8, 0.9, 0.5, 0.7], p, alpha=0.001).tolist() == [1, 1, 1, 1]


def test_metric_without_a_score_is_in_no_cluster() -> None:
    p = np.array([[0.5, np.nan, 0.01], [np.nan] * 3, [0.9, np.nan, 0.5]])
    assert metric_clusters([0.9, np.nan, 0.1], p).tolist() == [1, 0, 2]


def test_shapes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"found shapes \(2,\) and \(3, 3\)"):
        metric_clusters([0.1, 0.2], np.ones((3, 3)))
