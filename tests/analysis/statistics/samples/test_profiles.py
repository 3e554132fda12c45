"""Intervals of shares, means and ratios, by hand."""

import math

import pytest

from maege.analysis.statistics.samples.profiles import Interval, RatioSums, mean, ratio, share

# The level of which the normal quantile is 2.
TWO = math.erf(math.sqrt(2))


def test_interval_of_a_share_is_wilsons() -> None:
    """2 of 4 at z = 2: (2 + 2) / 8 plus and minus 2 / 8 sqrt(1 + 1)."""
    found = share(2, 4, TWO)
    assert found == pytest.approx((0.5, 0.5 - math.sqrt(2) / 4, 0.5 + math.sqrt(2) / 4))


def test_shares_of_nothing_and_of_all_are_bounds_themselves() -> None:
    """0 of 4 at z = 2: between 0 and 2 / 8 + 2 / 8."""
    assert share(0, 4, TWO) == pytest.approx((0, 0, 0.5))
    assert share(4, 4, TWO) == pytest.approx((1, 0.5, 1))


def test_interval_of_a_mean_is_two_standard_errors_wide() -> None:
    """1, 3, 5 have variance 4: 3 plus and minus 2 sqrt(4 / 3)."""
    reach = 2 * math.sqrt(4 / 3)
    assert mean([1, 3, 5], TWO) == pytest.approx((3, 3 - reach, 3 + reach))
    assert mean([1], TWO) == Interval(1, None, None)


def test_interval_of_a_ratio_follows_from_what_sentences_leave() -> None:
    """x = 2, 0 and y = 2, 2: r = 1/2, of which the sentences leave 1 and -1; sqrt(2) / 2."""
    found = ratio(RatioSums(x=2, y=4, xx=4, xy=4, yy=8), TWO)
    reach = math.exp(2 * math.sqrt(2) / 2)
    assert found == pytest.approx((0.5, 0.5 / reach, 0.5 * reach))


def test_below_twenty_sentences_and_without_width_there_are_no_bounds() -> None:
    found = Interval(0.5, 0.4, 0.6)
    assert found.of_enough(20) == found
    assert found.of_enough(19) == Interval(0.5, None, None)
    assert Interval(0.5, 0.5, 0.5).of_enough(20) == Interval(0.5, None, None)


def test_a_type_that_a_system_never_makes_has_no_bounds() -> None:
    assert ratio(RatioSums(0, 4, 0, 0, 8), TWO) == Interval(0, None, None)
