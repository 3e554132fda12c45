"""How far chance gets: judged outputs, or systems, ordered by many random metrics.

A random metric gives every text a number of its own, the same in all pairs of the text. Against a
metric it orders the pairs that this metric decides, and ties the others: what ties are worth is no
merit of the metric. What the random metrics get is the distribution under "the metric's order has
nothing to do with the gold" (Fisher 1935, "The design of experiments", on what is to be expected
without any effect).
"""

import math
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RANDOM_METRICS = 1000
ALL_ORDERS, SOME_ORDERS = 40_000, 10_000
# Numbers for so many texts and comparisons of so many pairs are in memory at once.
PAIRS_AT_ONCE = 4000


class Chance(NamedTuple):
    """What random metrics get, one value a metric: the middle of it, 95 %, and a p-value.

    The p-value is two-sided: twice the share of random metrics, the metric itself among them, that
    get as much or more, or as little or less, whichever is rarer.
    """

    median: Floats
    low: Floats
    high: Floats
    p_value: Floats


def discordant_by_chance(
    sentence: Integers,
    lower: Integers,
    upper: Integers,
    decided: NDArray[np.bool_],
    seed: int,
    n_random: int = RANDOM_METRICS,
) -> Floats:
    """Return how many of the pairs that each metric decides random metrics order wrongly.

    Shape (n_random, k), whole numbers. The same arguments give the same numbers everywhere.

    Args:
        sentence: of each pair, in any order; texts of two sentences are two texts.
        lower: a number for the text of each pair that should score lower.
        upper: the same of the one that should score higher.
        decided: shape (pairs, k): whether the metric gives both different scores.
        seed: of the random metrics.
        n_random: how many random metrics.

    """
    in_order = np.argsort(sentence, kind="stable")
    sentence, lower, upper = (part[in_order] for part in (sentence, lower, upper))
    decided = decided[in_order]
    generator = np.random.Generator(np.random.PCG64(seed))
    discordant = np.zeros((n_random, decided.shape[1]))
    for block in _blocks(sentence):
        keys = np.stack([np.tile(sentence[block], 2), np.concatenate([lower[block], upper[block]])])
        texts, place = np.unique(keys, axis=1, return_inverse=True)
        below, above = place.reshape(2, -1)
        scores = generator.random((texts.shape[1], n_random), np.float32)
        wrong = (scores[above] < scores[below]).astype(np.float32)
        # Sums of so few ones are exact in 32 bits, in whatever order.
        discordant += wrong.T @ decided[block].astype(np.float32)
    return discordant


def chance(samples: Floats, observed: Floats, level: float = 0.95) -> Chance:
    """Return the distribution of what random metrics get, and how rare what each metric gets is.

    Args:
        samples: shape (n_random, k), without NaN.
        observed: what the metrics get, shape (k,), computed as the samples are.
        level: the share of random metrics between low and high.

    """
    low, median, high = np.quantile(samples, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=0)
    above = (samples >= observed).sum(axis=0) + 1
    below = (samples <= observed).sum(axis=0) + 1
    p = np.minimum(1.0, 2 * np.minimum(above, below) / (len(samples) + 1))
    return Chance(median, low, high, p)


def _blocks(sentence: Integers) -> Iterator[slice]:
    """Yield slices of whole sentences, in order, of few pairs more than PAIRS_AT_ONCE."""
    start = 0
    while start < sentence.size:
        last = sentence[min(start + PAIRS_AT_ONCE, sentence.size) - 1]
        stop = int(np.searchsorted(sentence, last, side="right"))
        yield slice(start, stop)
        start = stop


def random_orders_of(n_systems: int, seed: int) -> Integers:
    """Return orders of systems, one a row: all where they are at most ALL_ORDERS, else SOME_ORDERS.

    What a metric would get that knows nothing of the systems is what these get.
    """
    if math.factorial(n_systems) <= ALL_ORDERS:
        return np.array(list(permutations(range(n_systems))), np.int64)
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.permuted(np.tile(np.arange(n_systems), (SOME_ORDERS, 1)), axis=1)
