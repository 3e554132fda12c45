"""Random signs of sentences: the test and the interval that goes with it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.statistics.significance.random_signs import sign_tests, sums_tested


def test_bounds_are_ratios_of_halves() -> None:
    # Two sentences: 3 of 4 pairs and -1 of 2. Signs (+, -) leave halves with ratios 3/4 and -1/2.
    # Sums: 2 of 6 as observed, then 4 (sizes 2), -4 (sizes -2) and 4 again.
    gains = np.array([[2.0], [4.0], [-4.0], [4.0]])
    sizes = np.array([[6.0], [2.0], [-2.0], [2.0]])
    found = sums_tested(gains, sizes, level=0.75)
    # |4| is at least |2| each time: 3 + 1 of 4. One choice of signs of four may reject.
    assert found.p_value == pytest.approx([1])
    assert (found.low[0], found.high[0]) == (-0.5, 0.75)


def test_too_few_signs_give_no_interval() -> None:
    ones = np.ones((30, 1))
    found = sign_tests(ones, ones, 0.95, n_signs=18, seed=1)
    assert math.isnan(found.low[0])
    assert found.p_value == pytest.approx([1 / 19])


@given(
    sentences=st.lists(st.tuples(st.integers(1, 9), st.integers(-9, 9)), min_size=20, max_size=40),
    shift=st.integers(0, 3),
)
def test_interval_holds_0_where_p_is_above_5_percent(
    sentences: list[tuple[int, int]], shift: int
) -> None:
    sizes = np.array([[float(size)] for size, _ in sentences])
    gains = np.clip(np.array([[float(gain + shift)] for _, gain in sentences]), -sizes, sizes)
    (low,), (high,), (p_value,) = sign_tests(gains, sizes, 0.95, n_signs=199, seed=1)
    assert (low <= 0 <= high) == (p_value > 0.05)
