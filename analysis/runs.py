"""Runs of equal keys in sorted columns."""

import numpy as np
from numpy.typing import NDArray


def run_starts(*columns: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return the rows at which runs of rows with equal columns begin; needs at least one row."""
    changed = np.zeros(len(columns[0]), dtype=np.bool_)
    changed[0] = True
    for column in columns:
        changed[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changed)
