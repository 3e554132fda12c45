"""Choose the annotator that M2 and ERRANT use for each sentence of a corpus.

The chosen annotator maximises F of all sentences so far. Each program's own arithmetic is used,
because the choice can depend on the last digit:

- M2 computes F from counts. Ties go to the annotator with the most agreeing edits, then to the one
  with the least proposed + beta^2 gold.
- ERRANT computes F from precision and recall and rounds it to four decimals. Ties go to the most
  tp, then the least fp, then the least fn.

Remaining ties go to the first annotator.
"""

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.greedy import choose_greedily
from maege.analysis.metrics.scores.score import Positions

# ERRANT's decimals, and what splits a double into halves whose products are exact (Dekker 1971).
_SCALE = 10_000.0
_SPLITTER = 134_217_729.0


def chosen_annotators(counts: FloatArray, beta: float, *, by_shares: bool) -> Positions:
    """Return the position of the annotator of every sentence, shape (..., sentences).

    Args:
        counts: tp, proposed and gold, and whatever else, shape (..., sentences, annotators, 3 or
            more), in file order; NaN for annotators without a line.
        beta: the weight of recall.
        by_shares: by ERRANT's arithmetic, else by M2's.

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
    """Return the nearest numbers of four decimals, as Python's `round`: halves to the even one."""
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
