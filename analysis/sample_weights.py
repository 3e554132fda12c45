"""Sample weights (how often each sample contains each unit), and sums over samples."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Whole numbers of any type, preferably a small one: shape (samples, units).
SampleWeights = NDArray[np.floating[Any] | np.unsignedinteger[Any]]
# Number of weights converted to floating point at a time: 4 MB, which fit in the processor's cache.
WIDE_AT_ONCE = 500_000


def drawn_sums(
    weights: SampleWeights, columns: NDArray[np.float32 | np.float64]
) -> NDArray[np.float64]:
    """Return the sums of every column in every sample, shape (samples, k).

    The sums of a column, shape (units, k), must be exact in its type. Then they do not depend on
    the order of summation or on the number of samples.
    """
    sums = np.empty((len(weights), columns.shape[1]))
    at_once = max(1, WIDE_AT_ONCE // max(1, len(columns)))
    for start in range(0, len(weights), at_once):
        block = slice(start, start + at_once)
        sums[block] = weights[block].astype(columns.dtype, copy=False) @ columns
    return sums
