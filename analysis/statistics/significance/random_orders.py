"""Random orders of systems, and a test of a correlation against them.

The test is Pitman's (1937), "Significance tests which may be applied to samples from any
populations II": if a metric knows nothing of the systems, every order of them is equally likely.
"""

import math
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.statistics.samples.bootstrap import Floats, percentile_intervals

Integers = NDArray[np.int64]

ALL_ORDERS, SOME_ORDERS = 40_000, 10_000
# Equal correlations computed in another order differ in the last bits.
DIGITS = 12


class PermutationTest(NamedTuple):
    """Median and central range of correlations in random orders, and a two-sided p-value."""

    median: float
    low: float
    high: float
    p_value: float


def random_orders_of(n_systems: int, seed: int) -> Integers:
    """Return all orders of systems if they are at most ALL_ORDERS, else SOME_ORDERS random ones."""
    if math.factorial(n_systems) <= ALL_ORDERS:
        return np.array(list(permutations(range(n_systems))), np.int64)
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.permuted(np.tile(np.arange(n_systems), (SOME_ORDERS, 1)), axis=1)


def permutation_test(
    permuted: Floats, observed: float, n_systems: int, level: float
) -> PermutationTest:
    """Test a correlation against the correlations in the orders of `random_orders_of`.

    Args:
        permuted: the correlation in each order.
        observed: the correlation to test.
        n_systems: number of systems.
        level: share of the orders between the two bounds.

    """
    (low,), (high,) = percentile_intervals(permuted[:, np.newaxis], level)
    sizes = np.abs(np.round(permuted, DIGITS))
    p_value = two_sided_p(sizes, np.round(abs(observed), DIGITS), n_systems)
    return PermutationTest(float(np.median(permuted)), float(low), float(high), float(p_value))


def two_sided_p(sizes: Floats, observed: float | Floats, n_systems: int) -> Floats:
    """Return the share of orders that reach an observed absolute correlation.

    Args:
        sizes: absolute correlations in the orders of `random_orders_of`, shape (orders, ...).
        observed: absolute correlations to test, without rounding errors against `sizes`.
        n_systems: number of systems.

    """
    added = added_orders(n_systems)
    p_values: Floats = ((sizes >= observed).sum(axis=0) + added) / (len(sizes) + added)
    return p_values


def added_orders(n_systems: int) -> int:
    """Return 1 if the observed order is not among the orders of `random_orders_of`, else 0.

    A sample of the orders gets the observed one in addition (Phipson and Smyth 2010).
    """
    return int(math.factorial(n_systems) > ALL_ORDERS)
