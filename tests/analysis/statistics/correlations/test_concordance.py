"""Kendall's W by hand."""

import pytest

from maege.analysis.statistics.correlations.concordance import concordance


def test_orders_that_are_equal_or_opposite() -> None:
    assert concordance([[1, 2, 3], [10, 20, 30]]) == pytest.approx((1, 1))
    assert concordance([[1, 2, 3], [3, 2, 1]]) == pytest.approx((0, -1))


def test_three_orders_by_hand() -> None:
    """Sums of ranks 4, 6, 8 about 6: 12 * 8 / (9 * 24) = .444; rho of pairs is .5, .5 and -.5."""
    found = concordance([[1, 2, 3], [1, 3, 2], [2, 1, 3]])
    assert found == pytest.approx((12 * 8 / 216, (3 * 12 * 8 / 216 - 1) / 2))
    assert found is not None
    assert found.mean_rho == pytest.approx((0.5 + 0.5 - 0.5) / 3)


def test_ties_count_as_they_should() -> None:
    """Ranks 1.5, 1.5, 3 twice: 12 * 6 / (4 * 24 - 2 * 12) = 1."""
    found = concordance([[1, 1, 2], [5, 5, 9]])
    assert found is not None
    assert found.w == pytest.approx(1)


@pytest.mark.parametrize("scores", [[[1, 2]], [[1], [2]], [[1, 1], [2, 2]]])
def test_what_orders_nothing_has_none(scores: list[list[float]]) -> None:
    assert concordance(scores) is None
