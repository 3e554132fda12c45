"""exp and erfc without calls: as exact as promised, and the library's own far from 0."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from analysis.statistics.lane_functions import ERFC_REACH, EXP_REACH, erfc, exp

DIGITS = 50


def in_ulps(found: float, exact: Decimal) -> float:
    """Return how far the double is from the number, in units of its last place."""
    return float(abs(Decimal(found) - exact) / Decimal(math.ulp(found)))


def exact_erfc(x: float) -> Decimal:
    """Return erfc by the series of erf: 2 / sqrt(pi) (x - x^3 / 3 + x^5 / 10 - ...)."""
    number, total = Decimal(x), Decimal(0)
    term = number
    for n in range(200):
        total += term / (2 * n + 1)
        term *= -number * number / (n + 1)
    pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
    return 1 - 2 * total / pi.sqrt()


def test_exp_is_off_by_little_more_than_half_a_unit() -> None:
    # The error that its authors state: .511 units in the last place.
    numbers = [
        *np.random.default_rng(1).normal(size=2000).tolist(),
        *np.random.default_rng(2).uniform(-EXP_REACH, EXP_REACH, 500).tolist(),
    ]
    with localcontext() as context:
        context.prec = DIGITS
        assert max(in_ulps(exp(x), Decimal(x).exp()) for x in numbers) < 0.511


def test_erfc_is_off_by_less_than_two_units() -> None:
    numbers = np.random.default_rng(1).uniform(-ERFC_REACH, ERFC_REACH, 1000).tolist()
    with localcontext() as context:
        context.prec = DIGITS
        assert max(in_ulps(erfc(x), exact_erfc(x)) for x in numbers) < 2


def test_numbers_that_are_known_come_out_whole() -> None:
    assert exp(0.0) == erfc(0.0) == erfc(-0.0) == 1.0
    assert exp(1.0) == math.e
    assert exp(math.log(2)) == 2.0


@pytest.mark.parametrize("x", [EXP_REACH, 600.0, -745.2, -800.0, -math.inf, math.inf])
def test_exp_far_from_0_is_the_librarys(x: float) -> None:
    assert exp(x) == (math.inf if x == math.inf else math.exp(x))


@pytest.mark.parametrize("x", [ERFC_REACH, -ERFC_REACH, 1.0, -3.0, 30.0, -math.inf])
def test_erfc_far_from_0_is_the_librarys(x: float) -> None:
    assert erfc(x) == math.erfc(x)


def test_no_number_stays_none() -> None:
    assert math.isnan(exp(math.nan))
    assert math.isnan(erfc(math.nan))
