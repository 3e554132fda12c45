"""Sums over sentences, drawn with replacement and with the systems' labels swapped.

Bootstrap (Efron 1979; of two systems in the same samples, Koehn 2004) and approximate randomisation
(`swaps`). The statistic is always a score of summed counts, so that both need nothing but sums of
columns: a sample draws each sentence some times, and a swap gives some sentences of each system to
the other. All systems and columns share samples and swaps. Sums of whole numbers are exact, in
whatever order they are added.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.score import SINGLES
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.randomisation import AT_ONCE, Swaps
from maege.analysis.statistics.resampling import weights_in_blocks

# Columns with fewer sentences that count are summed over these alone.
SPARSE = 0.1


class Sums(NamedTuple):
    """Sums of columns, shapes (resamples, k): over drawn sentences, and over swapped ones.

    In single precision where that is exact.
    """

    drawn: NDArray[Any]
    swapped: NDArray[Any]


def resampled_sums(to_draw: FloatArray, to_swap: FloatArray, resamples: int, seed: int) -> Sums:
    """Return the sums of every column in every resample.

    Args:
        to_draw: whole numbers, shape (sentences, k): columns that samples draw.
        to_swap: those that swaps take from: shape (sentences, m).
        resamples: how many samples, and as many swaps.
        seed: of both.

    """
    draw, swap = _Columns(to_draw), _Columns(to_swap)
    drawn = np.empty((resamples, to_draw.shape[1]), draw.number)
    swapped = np.empty((resamples, to_swap.shape[1]), swap.number)
    start = 0
    for weights, swaps in zip(
        weights_in_blocks(len(to_draw), resamples, seed, AT_ONCE),
        Swaps(len(to_draw), resamples, seed),
        strict=True,
    ):
        rows = slice(start, start + len(weights))
        draw.sum_into(drawn[rows], weights)
        swap.sum_into(swapped[rows], swaps)
        start = rows.stop
    return Sums(drawn, swapped)


class _Columns:
    """Columns whose sums over sentences are exact in `number`; some count in few sentences only."""

    def __init__(self, columns: FloatArray) -> None:
        # What a sample draws adds up to as many sentences as there are.
        bound = len(columns) * np.abs(columns).max(initial=0)
        self.number: type[np.float32 | np.float64] = np.float32 if bound <= SINGLES else np.float64
        self._values: NDArray[Any] = columns.astype(self.number)
        is_there = columns != 0
        is_sparse = is_there.mean(axis=0) < SPARSE
        self._dense = np.flatnonzero(~is_sparse)
        self._sparse = [
            (column, np.flatnonzero(is_there[:, column])) for column in np.flatnonzero(is_sparse)
        ]

    def sum_into(self, sums: NDArray[np.floating[Any]], weights: SampleWeights) -> None:
        """Write sums of shape (resamples, k); `weights` has shape (resamples, sentences)."""
        by_sentence: NDArray[Any] = np.ascontiguousarray(weights.T).astype(self.number)
        sums[:, self._dense] = (self._values[:, self._dense].T @ by_sentence).T
        for column, rows in self._sparse:
            sums[:, column] = self._values[rows, column] @ by_sentence[rows]
