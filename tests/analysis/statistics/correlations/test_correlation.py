"""Correlation coefficients: sums done by hand, and SciPy as the second opinion."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from maege.analysis.statistics.correlations.correlation import (
    pearson,
    pearson_rows,
    spearman,
    spearman_rows,
)

vectors = st.integers(3, 30).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(-20, 20), min_size=n, max_size=n),
        st.lists(st.integers(-20, 20), min_size=n, max_size=n),
    )
)


def test_pearson_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-4/3, 2/3, 2/3): 2 / sqrt(2 * 24/9) = sqrt(3) / 2. With n = 3 the
    # density of r is 1 / (pi sqrt(1 - r^2)), so p = 1 - (2 / pi) asin(r) = 1/3.
    assert pearson([1, 2, 3], [1, 3, 3]) == pytest.approx((np.sqrt(3) / 2, 1 / 3), abs=1e-15)


def test_spearman_by_hand_with_tied_ranks() -> None:
    # Ranks (1, 2.5, 2.5, 4) and (1, 2, 3, 4): covariance 4.5, squares 4.5 and 5.
    coefficient, p = spearman([10, 20, 20, 90], [1, 2, 3, 4])
    assert coefficient == pytest.approx(np.sqrt(0.9), abs=1e-15)
    # Two degrees of freedom: P(|t| > x) = 1 - x / sqrt(2 + x^2), and x^2 = 2 * 0.9 / 0.1 = 18.
    assert p == pytest.approx(1 - np.sqrt(18) / np.sqrt(20), abs=1e-15)


@pytest.mark.parametrize(
    ("ranks", "rho", "p"),
    [
        ([0, 4, 2, 9, 1, 10, 8, 3, 6, 5, 7], 0.418, 0.20),
        ([7, 2, 1, 4, 5, 0, 6, 3, 8, 10, 9], 0.564, 0.071),
        ([1, 0, 2, 7, 5, 4, 6, 10, 3, 9, 8], 0.736, 0.0098),
        ([6, 9, 10, 5, 8, 7, 2, 4, 1, 3, 0], -0.809, 0.00256),
        ([3, 7, 0, 10, 5, 6, 8, 9, 1, 4, 2], -0.118, 0.73),
    ],
)
def test_spearman_p_of_eleven_corpora_as_in_table_2(ranks: list[int], rho: float, p: float) -> None:
    result = spearman(ranks, range(11))
    # Without ties rho = 1 - 6 sum d^2 / (n (n^2 - 1)), here 1 - sum d^2 / 220.
    squares = sum((rank - place) ** 2 for place, rank in enumerate(ranks))
    assert result.coefficient == pytest.approx(1 - squares / 220, abs=1e-15)
    assert result.coefficient == pytest.approx(rho, abs=5e-4)
    assert result.p == pytest.approx(p, rel=0.01)


@given(vectors)
def test_agrees_with_scipy(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert all(np.isnan(value) for value in (*pearson(x, y), *spearman(x, y)))
        return
    found, expected = pearson(x, y), stats.pearsonr(x, y)
    assert found.coefficient == pytest.approx(expected.statistic, abs=1e-12)
    # Of three points p goes like the root of 1 - |r|: the last bit of r = 1 is 1e-8 of p.
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12 if len(x) > 3 else 1e-7)
    assert spearman(x, y) == pytest.approx(tuple(stats.spearmanr(x, y)), abs=1e-12)


def test_agrees_with_scipy_on_many_values() -> None:
    generator = np.random.default_rng(3)
    x = generator.normal(size=7936)
    y = 0.03 * x + generator.normal(size=7936)
    expected = stats.pearsonr(x, y)
    assert pearson(x, y) == pytest.approx(tuple(expected), abs=1e-12)
    assert pearson(x, y).p == pytest.approx(expected.pvalue, rel=1e-9)


def test_rows_are_scored_one_by_one() -> None:
    generator = np.random.default_rng(7)
    matrix, gold = generator.normal(size=(5, 11)), np.arange(11.0)
    matrix[2] = 0.1
    matrix[4, 3] = np.nan
    by_row = np.array([pearson(row, gold) for row in matrix])
    np.testing.assert_array_equal(np.transpose(pearson_rows(matrix, gold)), by_row)
    ranked = np.array([spearman(row, gold) for row in matrix])
    np.testing.assert_array_equal(np.transpose(spearman_rows(matrix, gold)), ranked)
    assert np.isnan(by_row[[2, 4]]).all()
    assert np.isnan(ranked[[2, 4]]).all()


def test_perfect_order_has_p_zero_and_two_points_p_one() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == (1.0, 0.0)
    assert spearman([3, 2, 1], [2, 4, 6]) == (-1.0, 0.0)
    assert pearson([1, 2], [5, 9]) == (1.0, 1.0)


def test_constant_of_inexact_tenths_is_undefined() -> None:
    assert np.isnan(pearson([0.1] * 7, range(7)).coefficient)
    assert np.isnan(pearson(range(7), [0.1] * 7).coefficient)


def test_shapes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(4,\)"):
        pearson_rows(np.ones((2, 3)), np.ones(4))
    with pytest.raises(ValueError, match="expected a vector"):
        spearman(np.ones((2, 3)), np.ones(3))
