"""How alike several orders of the same things are: Kendall's W and the mean rho of two of them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata


class Concordance(NamedTuple):
    """Kendall's W, 1 where all orders are equal, and the mean of Spearman's rho of two of them."""

    w: float
    mean_rho: float


def concordance(scores: npt.ArrayLike) -> Concordance | None:
    """Return how alike rows order columns (Kendall and Babington Smith 1939).

    Of m rows and k columns, with R_j the sum of the ranks of column j,

        W = 12 sum_j (R_j - mean R)^2 / (m^2 (k^3 - k) - m sum (t^3 - t)),

    t the sizes of ties within rows; the mean rho is (m W - 1) / (m - 1), which it equals without
    ties.

    Args:
        scores: shape (m, k); every row orders the same columns.

    Returns:
        None of fewer than two rows or columns, and where rows order nothing.

    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or min(values.shape) < 2:
        return None
    m, k = values.shape
    ranks = rankdata(values, axis=1)
    spread = ((ranks.sum(axis=0) - m * (k + 1) / 2) ** 2).sum()
    sizes = [np.unique(row, return_counts=True)[1] for row in ranks]
    ties = sum(int((size**3 - size).sum()) for size in sizes)
    most = m**2 * (k**3 - k) - m * ties
    if most <= 0:
        return None
    w = 12 * float(spread) / most
    return Concordance(w, (m * w - 1) / (m - 1))
