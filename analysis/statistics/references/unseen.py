"""UnseenEst: how many variants there are, and how frequent, those never seen included.

Zou et al. 2016 (Nature Communications 7:13293), as Choshen and Abend 2018 used it for corrections
of a sentence. The histogram of n answers is f_1, f_2, ...: f_i variants were seen i times. Of all
distributions over a grid of frequencies x_j, with h_j variants at x_j, the linear programme chooses
one whose expected histogram is nearest:

    minimise    sum_i |sum_j binom(i; n, x_j) h_j - f_i| / sqrt(f_i + 1)
    subject to  sum_j x_j h_j = 1,  sum_j h_j <= 65 million,  h_j >= 0

Frequencies grow by 5 % from 1 / (100 n) to len(f) / n, and f is padded with ceil(sqrt(len(f)))
zeros. Solved for the masses x_j h_j, which are of one order of magnitude.

That is the paper's programme. Its authors (Valiant and Valiant 2017, J. ACM 64:37, and the program
that came with their paper of 2013) give it the rare counts alone: a variant that hardly another
resembles in number needs no distribution to explain it, its frequency is what was seen. i is such a
count where fewer than sqrt(i) variants were seen between i - ceil(sqrt(i)) and i + ceil(sqrt(i))
times. The programme distributes the mass that is left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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


def frequency_grid(most: int, size: int) -> Array:
    """Return the frequencies x_j that variants may have, ascending.

    Args:
        most: how often the most frequent variant was seen.
        size: the number of answers.

    """
    lowest = LOWEST_FREQUENCY / size
    steps = math.ceil(math.log(most / size / lowest) / math.log(GRID_FACTOR))
    return np.asarray(lowest * GRID_FACTOR ** np.arange(steps + 1))


def unseen_estimate(histogram: Sequence[int]) -> Distribution:
    """Return the distribution whose expected histogram is nearest to the one that was seen.

    Args:
        histogram: f_1, f_2, ...: how many variants were seen once, twice ...; the last is not 0.

    Raises:
        ValueError: the histogram counts nothing, or the solver fails.

    """
    return _solved(histogram, _checked_size(histogram), 1.0)


def rare_unseen_estimate(histogram: Sequence[int]) -> Distribution:
    """Return the distribution whose frequent variants are as seen, and the rare ones estimated.

    Args:
        histogram: f_1, f_2, ...: how many variants were seen once, twice ...; the last is not 0.

    Raises:
        ValueError: the histogram counts nothing, or the solver fails.

    """
    size = _checked_size(histogram)
    counts = np.asarray(histogram, dtype=float)
    times = np.arange(1, len(counts) + 1)
    frequent = frequent_counts(histogram)
    seen = Distribution(times[frequent] / size, counts[frequent])
    rare = np.where(frequent, 0, counts)
    if not rare.any():
        return seen
    most = int(times[rare > 0].max())
    rest = _solved(rare[:most], size, float((rare * times).sum()) / size)
    return Distribution(
        np.concatenate([rest.frequencies, seen.frequencies]),
        np.concatenate([rest.variants, seen.variants]),
    )


def frequent_counts(histogram: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Return of each number of times whether variants that were seen so often stand alone."""
    around = [math.ceil(math.sqrt(times)) for times in range(1, len(histogram) + 1)]
    return np.array(
        [
            count > 0
            and sum(histogram[max(0, times - 1 - reach) : times + reach]) < math.sqrt(times)
            for times, (count, reach) in enumerate(zip(histogram, around, strict=True), start=1)
        ],
        dtype=bool,
    )


def _checked_size(histogram: Sequence[int]) -> int:
    size = sample_size(histogram)
    if not size or min(histogram) < 0:
        raise ValueError(f"expected a histogram of at least one answer, found {list(histogram)}")
    return size


def _solved(histogram: npt.ArrayLike, size: int, mass: float) -> Distribution:
    """Solve the programme for a histogram of `size` answers, of which it holds a share."""
    # Imported here: they take a second, which a build with nothing to solve need not wait.
    from scipy.optimize import linprog
    from scipy.stats import binom

    counts = np.asarray(histogram, dtype=float)
    grid = frequency_grid(len(counts), size)
    seen = np.concatenate([counts, np.zeros(math.ceil(math.sqrt(len(counts))))])
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
        b_eq=np.append(seen, mass),
        method="highs",
    )
    if solved.status != 0:
        raise ValueError(f"UnseenEst of {counts.tolist()} has no solution: {solved.message}")
    masses = solved.x[: len(grid)]
    kept = masses > NO_MASS
    # The last step of the grid may lie above 1, which no frequency does.
    frequencies = np.minimum(grid[kept], 1.0)
    return Distribution(frequencies, masses[kept] / frequencies)
