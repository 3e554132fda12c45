"""The numbers of NumPy's global generator, `np.random.RandomState`, computed inside kernels.

A kernel reads the generator's 32-bit words in order and computes what its `randint`, `permutation`
and `binomial` return, which NumPy promises never to change. Calls from Python take a microsecond
each.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled

Words = NDArray[np.uint32]
Place = NDArray[np.int64]
# A double uses 27 and 26 bits of two words.
_HIGH, _LOW, _TWO_26, _TWO_53 = 5, 6, 67108864.0, 9007199254740992.0


class Binomial(NamedTuple):
    """A binomial distribution of the rarer outcome, sampled by inversion.

    n: number of trials. p: probability of the rarer outcome. none: probability that it never
    occurs. bound: largest number that is sampled. is_flipped: whether failure is the rarer outcome.
    """

    n: int
    p: float
    none: float
    bound: int
    is_flipped: bool


def binomial(n: int, p: float) -> Binomial:
    """Return the binomial of n trials with probability p, as `RandomState.binomial` samples it.

    Raises:
        ValueError: n times the rarer probability is above 30, where NumPy uses another algorithm.

    """
    rarer = 1.0 - p if p > 0.5 else p
    if rarer * n > 30.0:
        raise ValueError(f"expected at most 30 of the rarer outcome, found {n} times {rarer:g}")
    q = 1.0 - rarer
    mean = n * rarer
    bound = int(min(float(n), mean + 10.0 * math.sqrt(mean * q + 1)))
    return Binomial(n, rarer, math.exp(n * math.log(q)), bound, p > 0.5)


def words_of(seed: int, n_words: int) -> Words:
    """Return the first words of the generator with that seed."""
    return np.random.RandomState(seed).randint(0, 2**32, n_words, dtype=np.uint32)


@compiled()
def next_word(words: Words, place: Place) -> int:
    """Return the word at the position and advance; 0 after the last word."""
    at = place[0]
    place[0] = at + 1
    if at >= len(words):
        return 0
    word: int = np.int64(words[at])  # type: ignore[assignment]
    return word


@compiled()
def draw_below(words: Words, place: Place, n: int) -> int:
    """Return the result of `randint(n)`, which is also each swap of `permutation`."""
    highest = n - 1
    if highest == 0:
        return 0
    mask = 1
    while mask < highest:
        mask = 2 * mask + 1
    value = next_word(words, place) & mask
    while value > highest:
        value = next_word(words, place) & mask
    return value


@compiled()
def draw_double(words: Words, place: Place) -> float:
    """Return the result of `random_sample()`."""
    high = next_word(words, place) >> _HIGH
    low = next_word(words, place) >> _LOW
    return (high * _TWO_26 + low) / _TWO_53


@compiled()
def draw_permutation(words: Words, place: Place, n: int, shuffled: Place) -> None:
    """Write the result of `permutation(n)` to the first n elements."""
    for index in range(n):
        shuffled[index] = index
    for last in range(n - 1, 0, -1):
        other = draw_below(words, place, last + 1)
        kept = shuffled[last]
        shuffled[last] = shuffled[other]
        shuffled[other] = kept


@compiled()
def draw_binomial(
    words: Words, place: Place, n: int, p: float, none: float, bound: int, is_flipped: bool
) -> int:
    """Return the result of `binomial`."""
    count = 0
    probability = none
    left = draw_double(words, place)
    while left > probability:
        count += 1
        if count > bound:
            count = 0
            probability = none
            left = draw_double(words, place)
        else:
            left -= probability
            probability = ((n - count + 1) * p * probability) / (count * (1.0 - p))
    return n - count if is_flipped else count
