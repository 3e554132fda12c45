"""Who was preferred to whom: judged pairs of systems counted, in total or sentence by sentence.

The counts are all that Expected Wins and TrueSkill read, and judgments of one sentence belong
together: counts by sentence times the weights of `bootstrap.cluster_weights` are the counts of
every bootstrap sample, in one matrix product.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.sample_weights import SampleWeights, drawn_sums

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class JudgmentCounts(NamedTuple):
    """Whole numbers of judgments, shape (..., n, n) over pairs of systems; the diagonals are 0.

    `wins[..., i, j]` counts where i was preferred to j, `ties[..., i, j]` (symmetric) where the two
    were equally good.
    """

    wins: Floats
    ties: Floats


def judgment_counts(
    first: ArrayLike, second: ArrayLike, preference: ArrayLike, n_systems: int
) -> JudgmentCounts:
    """Return the counts of all judged pairs, of shape (n_systems, n_systems).

    Args:
        first: the position of each pair's first system.
        second: that of its second system.
        preference: 1 where the first is better, -1 where the second is, 0 for a tie.
        n_systems: how many systems there are, judged or not.

    Raises:
        ValueError: the vectors differ in length, a position is not one of `n_systems`, a system
            is paired with itself, or a preference is not -1, 0 or 1.

    """
    pairs = np.asarray(first).size
    counts = sentence_counts(np.zeros(pairs, np.int64), first, second, preference, 1, n_systems)
    return JudgmentCounts(counts.wins[0], counts.ties[0])


def sentence_counts(
    sentence: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    preference: ArrayLike,
    n_sentences: int,
    n_systems: int,
) -> JudgmentCounts:
    """Return the counts of each sentence, of shape (n_sentences, n_systems, n_systems).

    Args:
        sentence: the position of each pair's sentence.
        first: as for `judgment_counts`; likewise `second`, `preference` and `n_systems`.
        second: the position of each pair's second system.
        preference: 1, 0 or -1.
        n_sentences: how many sentences there are to draw from.
        n_systems: how many systems there are.

    Raises:
        ValueError: as `judgment_counts`, or a sentence is not one of `n_sentences`.

    """
    cluster, left, right, order = (
        np.asarray(column, dtype=np.int64) for column in (sentence, first, second, preference)
    )
    if not cluster.shape == left.shape == right.shape == order.shape == (cluster.size,):
        raise ValueError(
            f"expected four vectors of one length, found shapes {cluster.shape}, {left.shape}, "
            f"{right.shape} and {order.shape}"
        )
    for name, column, size in (
        ("sentence", cluster, n_sentences),
        ("first", left, n_systems),
        ("second", right, n_systems),
    ):
        outside = (column < 0) | (column >= size)
        if outside.any():
            raise ValueError(
                f"expected {name} from 0 to {size - 1}, found {column[outside][0]} in pair "
                f"{int(outside.argmax())}"
            )
    if (left == right).any():
        raise ValueError(
            f"expected pairs of different systems, found system {left[left == right][0]} twice in "
            f"pair {int((left == right).argmax())}"
        )
    if (np.abs(order) > 1).any():
        raise ValueError(
            f"expected preferences -1, 0 and 1, found {order[np.abs(order) > 1][0]} in pair "
            f"{int((np.abs(order) > 1).argmax())}"
        )
    tied = order == 0
    winner = np.where(order > 0, left, right)
    loser = np.where(order > 0, right, left)
    shape = (n_sentences, n_systems, n_systems)
    ties = _tally(cluster[tied], left[tied], right[tied], shape)
    return JudgmentCounts(
        _tally(cluster[~tied], winner[~tied], loser[~tied], shape), ties + ties.swapaxes(1, 2)
    )


def resampled_counts(counts: JudgmentCounts, weights: SampleWeights) -> JudgmentCounts:
    """Return the counts of every bootstrap sample, of shape (n_samples, n_systems, n_systems).

    Args:
        counts: what `sentence_counts` returned.
        weights: how often each sample draws each sentence, of shape (n_samples, n_sentences).

    """
    # Whole numbers far below 2^53: the product is exact in whatever order it adds.
    wins, ties = (
        drawn_sums(weights, part.reshape(len(part), -1)).reshape(-1, *part.shape[1:])
        for part in counts
    )
    return JudgmentCounts(wins, ties)


def redrawn_pairs(counts: JudgmentCounts, n_samples: int, seed: int) -> JudgmentCounts:
    """Return the counts of as many pairs drawn with replacement: (n_samples, n, n).

    This is the bootstrap behind the rank ranges that GJG15 prints for Expected Wins. It takes pairs
    for independent, which those of one screen or one sentence are not, so that its ranges are too
    narrow; `resampled_counts` draws sentences.

    Args:
        counts: of shape (n_systems, n_systems).
        n_samples: how many samples.
        seed: of the generator.

    Raises:
        ValueError: the counts have another shape, or there is no judgment.

    """
    shape = counts.wins.shape
    if len(shape) != 2:
        raise ValueError(f"expected counts of shape (n, n), found shape {shape}")
    cells = np.concatenate([counts.wins.ravel(), np.triu(counts.ties).ravel()])
    n_pairs = int(cells.sum())
    if not n_pairs:
        raise ValueError("expected a judgment, found none")
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = generator.multinomial(n_pairs, cells / n_pairs, size=n_samples).astype(np.float64)
    wins, ties = np.split(drawn, 2, axis=1)
    upper = ties.reshape(-1, *shape)
    return JudgmentCounts(wins.reshape(-1, *shape), upper + upper.swapaxes(1, 2))


def _tally(
    sentence: Integers, row: Integers, column: Integers, shape: tuple[int, int, int]
) -> Floats:
    cell = (sentence * shape[1] + row) * shape[2] + column
    return np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
