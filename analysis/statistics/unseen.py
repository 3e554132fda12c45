"""UnseenEst: how many variants there are, and how frequent, those never seen included.

Zou et al. 2016 (Nature Communications 7:13293), as Choshen and Abend 2018 used it for corrections
of a sentence. The histogram of n answers is f_1, f_2, ...: f_i variants were seen i times. Of all
distributions over a grid of frequencies x_j, with h_j variants at x_j, the linear programme chooses
one whose expected histogram is nearest:

    minimise    sum_i |sum_j binom(i; n, x_j) h_j - f_i| / sqrt(f_i + 1)
    subject to  sum_j x_j h_j = 1,  sum_j h_j <= 65 million,  h_j >= 0

Frequencies grow by 5 % from 1 / (100 n) to len(f) / n, and f is padded with ceil(sqrt(len(f)))
zeros. Solved for the masses x_j h_j, which are of one order of magnitude.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.stats import binom

Array = npt.NDArray[np.float64]

GRID_FACTOR = 1.05
LOWEST_FREQUENCY = 0.01
MOST_VARIANTS = 65e6
# Masses below it are what the solver leaves of a zero.
NO_MASS = 1e-12


@dataclass(frozen=True)
class Distribution:
    """How many variants, not necessarily whole, have which frequency."""

    frequencies: Array
    variants: Array

    @property
    def mass(self) -> Array:
        """Share of all answers that the variants of each frequency make up together."""
        return self.frequencies * self.variants


def sample_size(histogram: Sequence[int]) -> int:
    """Return the number of answers behind a histogram."""
    return sum(seen * count for seen, count in enumerate(histogram, start=1))


def frequency_grid(histogram: Sequence[int]) -> Array:
    """Return the frequencies x_j that variants may have, ascending."""
    size = sample_size(histogram)
    lowest = LOWEST_FREQUENCY / size
    steps = math.ceil(math.log(len(histogram) / size / lowest) / math.log(GRID_FACTOR))
    return np.asarray(lowest * GRID_FACTOR ** np.arange(steps + 1))


def unseen_estimate(histogram: Sequence[int]) -> Distribution:
    """Return the distribution whose expected histogram is nearest to the one that was seen.

    Args:
        histogram: f_1, f_2, ...: how many variants were seen once, twice ...; the last is not 0.

    Raises:
        ValueError: the histogram counts nothing, or the solver fails.

    """
    size = sample_size(histogram)
    if not size or min(histogram) < 0:
        raise ValueError(f"expected a histogram of at least one answer, found {list(histogram)}")
    grid = frequency_grid(histogram)
    padding = math.ceil(math.sqrt(len(histogram)))
    seen = np.concatenate([np.asarray(histogram, dtype=float), np.zeros(padding)])
    rows = len(seen)
    times = np.arange(1, rows + 1)
    expected = binom.pmf(times[:, None], size, np.minimum(grid, 1.0)[None, :]) / grid[None, :]
    weights = 1 / np.sqrt(seen + 1)
    identity = np.eye(rows)
    solved = linprog(
        np.concatenate([np.zeros(len(grid)), weights, weights]),
        A_ub=np.concatenate([1 / grid, np.zeros(2 * rows)])[None, :],
        b_ub=[MOST_VARIANTS],
        A_eq=np.block([[expected, -identity, identity], [np.ones(len(grid)), np.zeros(2 * rows)]]),
        b_eq=np.append(seen, 1.0),
        method="highs",
    )
    if solved.status != 0:
        raise ValueError(f"UnseenEst of {list(histogram)} has no solution: {solved.message}")
    masses = solved.x[: len(grid)]
    kept = masses > NO_MASS
    # The last step of the grid may lie above 1, which no frequency does.
    frequencies = np.minimum(grid[kept], 1.0)
    return Distribution(frequencies, masses[kept] / frequencies)
