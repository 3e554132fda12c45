"""Choose an annotator for each sentence of a corpus, as M2 and ERRANT do.

The chosen annotator maximises the score over all sentences so far: F for M2 and ERRANT. Each
program's own arithmetic is used, because the choice can depend on the last digit:

- M2 computes F from counts. Ties are broken by the highest number of agreeing edits, then the
  lowest proposed + beta^2 gold.
- ERRANT computes F from precision and recall and rounds it to four decimals. Ties are broken by the
  highest tp, then the lowest fp, then the lowest fn.

Remaining ties go to the first annotator.
"""

from collections.abc import Callable, Sequence

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.formula import f_of_counts, f_of_sums, rounded
from maege.analysis.metrics.scores.score import Positions, of_chosen

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


def choose_greedily(
    counts: FloatArray, score: Callable[[FloatArray], FloatArray], ties: Sequence[FloatArray]
) -> Positions:
    """Return the annotator with the highest score of the sums so far, shape (..., sentences).

    Args:
        counts: whole numbers, shape (..., sentences, annotators, k), NaN for annotators without a
            line. Each combination of the leading axes (systems) is independent.
        score: function from sums, shape (..., k), to scores, shape (...).
        ties: criteria that break ties of the score, in order, higher is better; shapes (...,
            sentences, annotators). Remaining ties go to the first annotator.

    Raises:
        ValueError: a sentence has no annotator.
    """
    absent = np.isnan(counts[..., 0])
    if absent.all(axis=-1).any():
        raise ValueError("expected a line of at least one annotator for every sentence")
    if absent.shape[-1] == 1:
        return np.zeros(absent.shape[:-1], dtype=np.int64)
    counts = np.where(absent[..., np.newaxis], 0, counts)
    ranks = np.where(absent, absent.shape[-1], _ranks(ties))
    chosen: Positions = np.empty(absent.shape[:-1], np.int64)
    so_far = np.zeros((*counts.shape[:-3], counts.shape[-1]))
    for sentence in range(chosen.shape[-1]):
        local = counts[..., sentence, :, :]
        scores = score(so_far[..., np.newaxis, :] + local)
        scores[absent[..., sentence, :]] = -np.inf
        is_best = scores == scores.max(axis=-1, keepdims=True)
        best = np.where(is_best, ranks[..., sentence, :], ranks.shape[-1] + 1).argmin(axis=-1)
        chosen[..., sentence] = best
        so_far = so_far + of_chosen(local, best)
    return chosen


def _ranks(ties: Sequence[FloatArray]) -> Positions:
    """Return the rank of each annotator by the tie-breaking criteria, from 0."""
    order: Positions = np.lexsort([-values for values in reversed(ties)])
    return np.argsort(order, axis=-1)
