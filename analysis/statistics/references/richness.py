"""Coverage from a histogram of a sample, without a linear programme (Chao and Jost 2012).

"Coverage-based rarefaction and extrapolation" (Ecology 93:2533), after Good and Turing: the share
of the population that a sample of n holds is 1 - f_1 / n.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from maege.analysis.statistics.references.unseen import sample_size

Array = NDArray[np.float64]


def rarefied_coverage(histogram: Sequence[int], most_references: int) -> Array:
    """Return the coverage of 1, 2 ... `most_references` answers, after Chao and Jost.

    Below the sample's n it is unbiased: the share of answers whose variant is among m of the other
    n - 1, over all choices. From n on the answers still missed thin out geometrically.
    """
    size = sample_size(histogram)
    once, twice = _once_and_twice(histogram)
    wanted = np.arange(1, most_references + 1)
    smaller = wanted[wanted < size][:, None]
    times = np.arange(1, len(histogram) + 1)[None, :]
    counts = np.asarray(histogram, dtype=float)[None, :]
    # C(n - x, m) / C(n - 1, m): none of m other answers is of a variant that was seen x times.
    possible = size - times >= smaller
    log_missed = np.where(
        possible,
        gammaln(size - times + 1)
        - gammaln(np.maximum(size - times - smaller, 0) + 1)
        - gammaln(size)
        + gammaln(size - smaller),
        -np.inf,
    )
    inside = 1 - (counts * times / size * np.exp(log_missed)).sum(axis=1)
    if twice:
        ratio = (size - 1) * once / ((size - 1) * once + 2 * twice)
    else:
        ratio = (size - 1) * (once - 1) / ((size - 1) * (once - 1) + 2) if once > 1 else 0.0
    beyond = wanted[wanted >= size] - size
    outside = 1 - once / size * ratio ** (beyond + 1)
    return np.concatenate([inside, outside])


def _once_and_twice(histogram: Sequence[int]) -> tuple[int, int]:
    return histogram[0], histogram[1] if len(histogram) > 1 else 0
