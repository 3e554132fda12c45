"""How many units settle a question, against sums done by hand."""

import math

import pytest

from maege.analysis.statistics.samples.planning import (
    margin_shown,
    power_of,
    standard_error,
    units_to_equal,
    units_to_tell,
)


def test_units_to_tell_follow_from_the_standard_error() -> None:
    # (1.95996 + .84162)^2 = 7.8489; with a difference of two standard errors 100 * 7.8489 / 4.
    assert units_to_tell(100, -0.08, 0.04) == pytest.approx(196.22, abs=0.01)
    # Half the difference takes four times as many.
    assert units_to_tell(100, 0.04, 0.04) == pytest.approx(784.89, abs=0.01)
    assert units_to_tell(100, 0, 0.04) == math.inf


def test_power_of_what_was_planned_is_what_was_asked_for() -> None:
    n = units_to_tell(100, 0.08, 0.04)
    assert power_of(0.08, 0.04 * math.sqrt(100 / n)) == pytest.approx(0.8, abs=1e-4)
    assert power_of(0, 0.04) == pytest.approx(0.05)


def test_equal_things_take_both_one_sided_tests() -> None:
    # (1.64485 + 1.28155)^2 = 8.5638, from a power of .9 each; margin of two standard errors.
    assert units_to_equal(100, 0, 0.04, 0.08) == pytest.approx(214.10, abs=0.01)
    # (1.64485 + .84162)^2 = 6.1826 over what is left of the margin: .08 - .04, one error.
    assert units_to_equal(100, 0.04, 0.04, 0.08) == pytest.approx(618.26, abs=0.01)
    assert units_to_equal(100, -0.08, 0.04, 0.08) == math.inf


def test_margin_is_the_far_end_of_the_90_percent_interval() -> None:
    assert margin_shown(-0.02, 0.04) == pytest.approx(0.02 + 1.64485 * 0.04, abs=1e-6)
    assert standard_error(-0.0784, 0.0784) == pytest.approx(0.04, abs=1e-5)
