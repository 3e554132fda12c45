"""Choose for each sentence of a corpus the annotator that maximises the score so far.

Every choice depends on the earlier ones. A block of sentences chooses at the same time, given
assumed earlier choices, and chooses again as long as any choice changes. The stable result equals
the sequential choices: the first sentence of the block knows everything before it, so its choice is
final, then that of the second sentence, and so on. Few rounds are needed, because most choices
depend little on the sums.
"""

from collections.abc import Callable, Sequence

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import Positions, of_chosen

# Number of sentences that choose at the same time. More would need more rounds, fewer more of
# Python's time.
_AT_ONCE = 64


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
    """Return the rank of each annotator by the tie-breaking criteria, from 0."""
    order: Positions = np.lexsort([-values for values in reversed(ties)])
    return np.argsort(order, axis=-1)


def _best(scores: FloatArray, ranks: Positions) -> Positions:
    """Return the annotator with the best rank among those with the highest score."""
    highest = scores == scores.max(axis=-1, keepdims=True)
    best: Positions = np.where(highest, ranks, ranks.shape[-1] + 1).argmin(axis=-1)
    return best


def _settled(best: Positions, chosen: Positions) -> int:
    """Return the number of sentences with final choices: all before the first change."""
    changed = (best != chosen).reshape(-1, best.shape[-1]).any(axis=0)
    return int(changed.argmax()) + 1 if changed.any() else len(changed)


def _sums_before(counts: FloatArray) -> FloatArray:
    """Return the sums of all sentences before each one; exact, because counts are integers."""
    return np.cumsum(counts, axis=-2) - counts
