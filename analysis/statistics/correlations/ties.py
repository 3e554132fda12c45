"""When are two scores equal? Within a billionth of the larger, for every tie of the warehouse.

Sums that differ in their order alone differ in their last bits, and bits are no preference. The
macro `is_tied` says the same in SQL.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

RELATIVE = 1e-9


def is_tied(first: ArrayLike, second: ArrayLike) -> NDArray[np.bool_]:
    """Return whether scores are equal within RELATIVE of the larger; False beside a NaN."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    tied: NDArray[np.bool_] = np.abs(a - b) <= RELATIVE * np.maximum(np.abs(a), np.abs(b))
    return tied


def score_differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Return first minus second, 0 where the two are tied."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return np.where(is_tied(a, b), 0.0, a - b)
