"""Many tests at once: q-values of a family (Benjamini and Hochberg 1995)."""

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray


def q_values(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return the q-value of each p-value among those that are no NaN; NaN where it is.

    The share of false discoveries among all tests of the family whose q is no larger.
    """
    p = np.asarray(p_values, dtype=np.float64)
    q = np.full(p.shape, np.nan)
    tested = ~np.isnan(p)
    if tested.any():
        q[tested] = scipy.stats.false_discovery_control(p[tested])
    return q
