"""Kendall's tau over comparable pairs of corrections, and the tie order of the published run.

Kendall (1938), "A new measure of rank correlation". Of P comparable pairs C are concordant, D are
discordant and T are tied. `kendall_tau_a` = (C - D) / P is the headline: a tie is worth a coin
toss, and chance is 0 for every metric. `kendall_tau_maege` = 1 - 2 D / P is the form of Choshen and
Abend (2018), "Automatic Metric Validation for Grammatical Error Correction", section 6. It counts a
tie as agreement and serves to reproduce the paper. `goodman_kruskal_gamma` excludes ties (Goodman
and Kruskal 1954), in `kendall_tau_b` they are half a failure (Kendall 1945).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.correlations.correlation import Correlations, Floats

# NumPy's quicksort leaves stretches of so many elements to insertion sort, which is stable.
LONGEST_STABLE_SORT = 17


class PairCounts(NamedTuple):
    """Numbers of comparable pairs that a metric orders as the gold does, against it, not at all."""

    concordant: int
    discordant: int
    tied: int


def pair_counts(scores: ArrayLike) -> PairCounts:
    """Return the pair counts of one chain.

    Args:
        scores: the metric's scores of the chain's elements, from the original (worst) to the
            perfect correction (best). Every two elements of a chain are comparable.

    Raises:
        ValueError: a score is NaN, so that the pair has no order.

    """
    values = _finite_chain(scores)
    first, second = np.triu_indices(values.size, k=1)
    rises = values[second] > values[first]
    falls = values[second] < values[first]
    concordant, discordant = int(rises.sum()), int(falls.sum())
    return PairCounts(concordant, discordant, first.size - concordant - discordant)


def kendall_tau_a(concordant: ArrayLike, discordant: ArrayLike, tied: ArrayLike) -> Floats:
    """Return (C - D) / (C + D + T), twice the pairwise accuracy minus 1; NaN where no pair is."""
    wins = np.asarray(concordant, dtype=np.float64)
    losses = np.asarray(discordant, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Floats = (wins - losses) / (wins + losses + np.asarray(tied, dtype=np.float64))
    return tau


def kendall_tau_maege(
    concordant: ArrayLike, discordant: ArrayLike, tied: ArrayLike
) -> Correlations:
    """Return tau = 1 - 2 D / P with P = C + D + T (a tie counts as agreement), and p.

    p = 2 Phi(-|tau| sqrt(P)): the sign test's normal approximation for P independent pairs, as in
    the published run. Pairs of one chain are not independent, so it is optimistic; the intervals
    of `maege.analysis.statistics.samples.bootstrap` are not. NaN where there is no pair. Arrays
    broadcast.
    """
    losses = np.asarray(discordant, dtype=np.float64)
    pairs = np.asarray(concordant, dtype=np.float64) + losses + np.asarray(tied, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Floats = 1 - 2 * losses / pairs
    return Correlations(tau, 2 * scipy.special.ndtr(-np.abs(tau) * np.sqrt(pairs)))


def goodman_kruskal_gamma(concordant: ArrayLike, discordant: ArrayLike) -> Floats:
    """Return (C - D) / (C + D), of the pairs that the metric decides; NaN where it decides none."""
    wins = np.asarray(concordant, dtype=np.float64)
    losses = np.asarray(discordant, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        gamma: Floats = (wins - losses) / (wins + losses)
    return gamma


def kendall_tau_b(concordant: ArrayLike, discordant: ArrayLike, tied: ArrayLike) -> Floats:
    """Return (C - D) / sqrt((C + D + T) (C + D)): the gold ties no pair; NaN where all are tied."""
    wins = np.asarray(concordant, dtype=np.float64)
    losses = np.asarray(discordant, dtype=np.float64)
    decided = wins + losses
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Floats = (wins - losses) / np.sqrt((decided + np.asarray(tied)) * decided)
    return tau


def published_discordant(scores: ArrayLike) -> int:
    """Return the pairs of one chain that the published run of MAEGE counted as discordant.

    That run handed `numpy.argsort(scores)` to the pair counting instead of the scores. Tied
    scores then keep the order in which the sort leaves them: agreement up to 17 elements, where
    the sort is stable, and an arbitrary order in longer chains.

    Raises:
        ValueError: a score is NaN.

    """
    values = _finite_chain(scores)
    order = legacy_argsort([float(value) for value in values])
    return pair_counts(order).discordant


def legacy_argsort(values: Sequence[float]) -> NDArray[np.intp]:
    """Return the order in which NumPy's argsort of 2017 sorted `values` (without NaN).

    Quicksort with the median of first, middle and last as the pivot; the smaller part is sorted
    first, parts of at most 17 elements by insertion. Today's NumPy sorts with vector
    instructions and leaves ties in another order. (The original turns to heapsort when it has
    split 2 log2(n) times in a row; chains are far too short for that.)
    """
    order = list(range(len(values)))
    waiting = [(0, len(values) - 1)]
    while waiting:
        low, high = waiting.pop()
        while high - low >= LONGEST_STABLE_SORT:
            split = _partition(order, values, low, high)
            if split - low < high - split:
                waiting.append((split + 1, high))
                high = split - 1
            else:
                waiting.append((low, split - 1))
                low = split + 1
        _insertion_sort(order, values, low, high)
    return np.array(order, dtype=np.intp)


def _partition(order: list[int], values: Sequence[float], low: int, high: int) -> int:
    """Return the pivot's final place after moving what is smaller to its left."""
    middle = low + (high - low) // 2
    for left, right in ((low, middle), (middle, high), (low, middle)):
        if values[order[right]] < values[order[left]]:
            order[left], order[right] = order[right], order[left]
    pivot = values[order[middle]]
    order[middle], order[high - 1] = order[high - 1], order[middle]
    i, j = low, high - 1
    while True:
        i += 1
        while values[order[i]] < pivot:
            i += 1
        j -= 1
        while pivot < values[order[j]]:
            j -= 1
        if i >= j:
            break
        order[i], order[j] = order[j], order[i]
    order[i], order[high - 1] = order[high - 1], order[i]
    return i


def _insertion_sort(order: list[int], values: Sequence[float], low: int, high: int) -> None:
    for place in range(low + 1, high + 1):
        item = order[place]
        hole = place
        while hole > low and values[item] < values[order[hole - 1]]:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = item


def _finite_chain(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"expected the scores of one chain, found shape {values.shape}")
    if np.isnan(values).any():
        raise ValueError(
            f"expected a score for every element of the chain, found NaN at element "
            f"{int(np.isnan(values).argmax())}"
        )
    return values
