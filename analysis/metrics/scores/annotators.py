"""Choose the annotator that M2 and ERRANT use for each sentence of a corpus.

The chosen annotator maximises F over all sentences so far. Each program's own arithmetic is used,
because the choice can depend on the last digit:

- M2 computes F from counts. Ties are broken by the highest number of agreeing edits, then the
  lowest proposed + beta^2 gold.
- ERRANT computes F from precision and recall and rounds it to four decimals. Ties are broken by the
  highest tp, then the lowest fp, then the lowest fn.

Remaining ties go to the first annotator.
"""

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.greedy import choose_greedily
from maege.analysis.metrics.scores.score import Positions

# ERRANT's number of decimals, and the factor that splits a double into halves with exact products
# (Dekker 1971).
_SCALE = 10_000.0
_SPLITTER = 134_217_729.0


def chosen_annotators(counts: FloatArray, beta: float, *, by_shares: bool) -> Positions:
    """Return the position of the annotator of every sentence, shape (..., sentences).

    Args:
        counts: tp, proposed, gold and optional other counts, shape (..., sentences, annotators, 3
            or more), in file order; NaN for annotators without a line.
        beta: the beta of the F score.
        by_shares: whether to use ERRANT's arithmetic instead of M2's.

    Raises:
        ValueError: a sentence has no annotator.
    """
    counts = counts[..., :3]
    tp, proposed, gold = np.moveaxis(counts, -1, 0)
    if by_shares:
        return choose_greedily(counts, lambda sums: _errant_f(sums, beta), (tp, -proposed, -gold))
    weighted = beta * beta * gold + proposed
    return choose_greedily(counts, lambda sums: _m2_f(sums, beta), (tp, -weighted))


def _errant_f(sums: FloatArray, beta: float) -> FloatArray:
    tp, proposed, gold = np.moveaxis(sums, -1, 0)
    squared = beta * beta
    p = np.divide(tp, proposed, out=np.ones_like(tp), where=proposed > 0)
    r = np.divide(tp, gold, out=np.ones_like(tp), where=gold > 0)
    weighted = squared * p + r
    f = (1 + squared) * p * r
    return rounded(np.divide(f, weighted, out=np.zeros_like(f), where=weighted > 0))


def _m2_f(sums: FloatArray, beta: float) -> FloatArray:
    tp, proposed, gold = np.moveaxis(sums, -1, 0)
    squared = beta * beta
    weighted = squared * gold + proposed
    f: FloatArray = np.divide(
        (1 + squared) * tp, weighted, out=np.ones_like(tp), where=weighted != 0
    )
    return f


def rounded(values: FloatArray) -> FloatArray:
    """Round to four decimals like Python's `round`: halves are rounded to the even digit."""
    scaled = values * _SCALE
    below = np.floor(scaled)
    above_half = scaled - below - 0.5
    # The rounding error of the product breaks the tie.
    high = _SPLITTER * values
    high -= high - values
    error = (high * _SCALE - scaled) + (values - high) * _SCALE
    above_half = np.where(above_half == 0, error, above_half)
    above_half = np.where(above_half == 0, below % 2 - 0.5, above_half)
    nearest: FloatArray = (below + (above_half > 0)) / _SCALE
    return nearest
