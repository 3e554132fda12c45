"""The annotator of each sentence of a corpus that brings the score of all sentences so far highest.

Every choice depends on those before it. Some sentences choose at once, given some choices before
them, and choose again as long as this changes anything. What does not change any more was chosen
one by one: the first of them knows what is before it, so that its choice holds, then that of the
second, and so on. A few rounds do, because most choices depend little on the sums.
"""

from collections.abc import Callable, Sequence

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import Positions, of_chosen

# Sentences that choose at once: more of them would take more rounds, fewer more of Python's time.
_AT_ONCE = 64


def choose_greedily(
    counts: FloatArray, score: Callable[[FloatArray], FloatArray], ties: Sequence[FloatArray]
) -> Positions:
    """Return the annotator with the highest score of the sums so far: shape (..., sentences).

    Args:
        counts: whole numbers, shape (..., sentences, annotators, k), NaN for annotators without a
            line; any axes before (systems) are chosen for on their own.
        score: from sums, shape (..., k), to scores, shape (...).
        ties: what decides where scores are equal, one after the other, the larger first; shapes
            (..., sentences, annotators). Then it is the first annotator.

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
    chosen: Positions = ranks.argmin(axis=-1)
    so_far = np.zeros((*counts.shape[:-3], 1, counts.shape[-1]))
    first = 0
    while first < chosen.shape[-1]:
        some = slice(first, first + _AT_ONCE)
        local = counts[..., some, :, :]
        before = so_far + _sums_before(of_chosen(local, chosen[..., some]))
        scores = score(before[..., np.newaxis, :] + local)
        scores[absent[..., some, :]] = -np.inf
        best = _best(scores, ranks[..., some, :])
        settled = _settled(best, chosen[..., some])
        chosen[..., some] = best
        last = slice(settled - 1, settled)
        so_far = before[..., last, :] + of_chosen(local[..., last, :, :], best[..., last])
        first += settled
    return chosen


def _ranks(ties: Sequence[FloatArray]) -> Positions:
    """Return the place of each annotator where scores are equal, from 0."""
    order: Positions = np.lexsort([-values for values in reversed(ties)])
    return np.argsort(order, axis=-1)


def _best(scores: FloatArray, ranks: Positions) -> Positions:
    """Return the annotator of the best rank among those with the highest score."""
    highest = scores == scores.max(axis=-1, keepdims=True)
    best: Positions = np.where(highest, ranks, ranks.shape[-1] + 1).argmin(axis=-1)
    return best


def _settled(best: Positions, chosen: Positions) -> int:
    """Return how many sentences have their choice: up to the first that chose anew, in any row."""
    changed = (best != chosen).reshape(-1, best.shape[-1]).any(axis=0)
    return int(changed.argmax()) + 1 if changed.any() else len(changed)


def _sums_before(counts: FloatArray) -> FloatArray:
    """Return the sums of all sentences before each; exact, because counts are whole numbers."""
    return np.cumsum(counts, axis=-2) - counts
