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
from maege.analysis.metrics.scores.f_score import f_of_counts, f_of_sums
from maege.analysis.metrics.scores.formula import rounded
from maege.analysis.metrics.scores.greedy import choose_greedily
from maege.analysis.metrics.scores.score import Positions

ERRANT_DECIMALS = 4


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
        return choose_greedily(
            counts,
            lambda sums: rounded(f_of_sums(sums, beta), ERRANT_DECIMALS),
            (tp, -proposed, -gold),
        )
    return choose_greedily(
        counts,
        lambda sums: f_of_counts(sums[..., 0], sums[..., 1], sums[..., 2], beta),
        (tp, -(beta * beta * gold + proposed)),
    )
