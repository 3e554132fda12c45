"""Expected Wins: how often judges prefer a system to one of the others, chosen at random.

Koehn (2012), "Simulating human judgment in machine translation evaluation campaigns"; Bojar,
Buck, Callison-Burch et al. (2013), "Findings of the 2013 Workshop on Statistical Machine
Translation"; for error correction Grundkiewicz, Junczys-Dowmunt and Gillian (2015), "Human
evaluation of grammatical error correction systems".

    EW(i) = 1 / (n - 1) * sum over j of win(i, j) / (win(i, j) + win(j, i))

Ties are ignored. Where nobody preferred either of two systems, the published programs add 0 for
both but still divide by n - 1, and so does `expected_wins`. All functions take any number of
leading axes, such as one of bootstrap samples.
"""

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers


def expected_wins(wins: ArrayLike) -> Floats:
    """Return Expected Wins of shape (..., n), an undecided pair adding 0 to both systems.

    Args:
        wins: shape (..., n, n): [..., i, j] how often i was preferred to j.

    Raises:
        ValueError: the array is not square in its last axes, or has fewer than two systems.

    """
    won = _checked(wins)
    return _mean_share(won, won + won.swapaxes(-1, -2))


def expected_wins_of_samples(wins: ArrayLike) -> Floats:
    """Return `expected_wins` of bootstrap samples: (..., n), NaN for a system undecided with all.

    A sample that happens to draw none of a system's judgments says nothing about it, whereas a
    system that judges never decided about has 0, as published.

    Args:
        wins: shape (..., n, n).

    Raises:
        ValueError: as `expected_wins`.

    """
    won = _checked(wins)
    decided = undecided_opponents(won) < won.shape[-1] - 1
    scores: Floats = np.where(decided, expected_wins(won), np.nan)
    return scores


def undecided_opponents(wins: ArrayLike) -> Integers:
    """Return with how many opponents each system has no decided judgment, of shape (..., n).

    Args:
        wins: shape (..., n, n).

    Raises:
        ValueError: as `expected_wins`.

    """
    won = _checked(wins)
    empty = won + won.swapaxes(-1, -2) == 0
    # The diagonal is empty always.
    counted: Integers = empty.sum(axis=-1).astype(np.int64) - 1
    return counted


def _checked(wins: ArrayLike) -> Floats:
    matrix = np.asarray(wins, dtype=np.float64)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.shape[-1] < 2:
        raise ValueError(
            f"expected counts of shape (..., n, n) with at least two systems, found shape "
            f"{matrix.shape}"
        )
    return matrix


def _mean_share(won: Floats, judged: Floats) -> Floats:
    share = np.divide(won, judged, out=np.zeros_like(judged), where=judged > 0)
    scores: Floats = share.sum(axis=-1) / (won.shape[-1] - 1)
    return scores
