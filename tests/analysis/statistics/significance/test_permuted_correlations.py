"""Correlations over systems: interval and test by hand, and that they never contradict."""

import numpy as np
import pytest

from maege.analysis.statistics.significance.permuted_correlations import system_correlations


def test_permuted_systems_and_fisher_by_hand() -> None:
    """Two of 4! orders of 1, 2, 3, 4 have |r| = 1: p = 2 / 24. No interval excludes 0.

    r = .8 has z = 1.0986 and a standard error of 1: Fisher's p is .2719. Of the 24 orders 8 have
    |r| >= .8: four sums of products with 1, 2, 3, 4 are 30 (r = 1) or 29 (r = .8), as many -r.
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
    """103 systems: atanh(.5) = .5493, standard error .1, .5493 -+ .196 and tanh of both."""
    human = np.concatenate([np.tile([1.0, -1.0], 50), [0, 0, 0]])
    other = np.concatenate([np.tile([1.0, 1, -1, -1], 25), [0, 0, 0]])
    scores = 0.5 * human + np.sqrt(0.75) * other
    result = system_correlations([scores], human, "pearson", seed=1)
    # The permutation test may be a little stricter than Fisher's.
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
    known = ~np.isnan(result.low)
    assert known.sum() > 390
    excludes_0 = (result.low > 0) | (result.high < 0)
    is_significant = result.p_value <= 0.05
    assert 20 < is_significant.sum() < 380
    assert (excludes_0 == is_significant)[known].all()


def test_pearson_outside_chance_is_significant() -> None:
    generator = np.random.default_rng(1)
    human = generator.standard_normal(8)
    scores = human * generator.uniform(0, 2, (300, 1)) + generator.standard_normal((300, 8))
    result = system_correlations(scores, human, "pearson", seed=1)
    r = np.array([np.corrcoef(row, human)[0, 1] for row in scores])
    outside = (r < result.chance_low) | (r > result.chance_high)
    assert 20 < outside.sum() < 280
    assert (outside == (result.p_value <= 0.05)).all()
