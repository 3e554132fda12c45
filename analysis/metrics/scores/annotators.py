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
    *leading, n_sentences, n_annotators = absent.shape
    if n_annotators == 1:
        return np.zeros((*leading, n_sentences), dtype=np.int64)
    # Annotators in the order in which they win ties, those without a line last.
    order = np.lexsort([*(-values for values in reversed(ties)), absent])
    ordered = np.take_along_axis(counts, order[..., np.newaxis], axis=-2)
    ordered = ordered.reshape(-1, n_sentences, n_annotators, counts.shape[-1])
    # Each count of a sentence is contiguous in memory, which makes the loop faster.
    sentence_counts = np.moveaxis(np.ascontiguousarray(np.moveaxis(ordered, (1, 3), (0, 1))), 1, 3)
    rows = np.arange(len(ordered))
    so_far = np.zeros((len(ordered), 1, counts.shape[-1]))
    places: Positions = np.empty((len(ordered), n_sentences), np.int64)
    for sentence, local in enumerate(sentence_counts):
        scores = score(so_far + local)
        scores[np.isnan(local[..., 0])] = -np.inf
        places[:, sentence] = scores.argmax(axis=-1)
        so_far[:, 0] += local[rows, places[:, sentence]]
    return np.take_along_axis(order, places.reshape(*absent.shape[:-1], 1), axis=-1)[..., 0]
