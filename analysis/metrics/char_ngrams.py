"""A language model of characters: n-grams with Witten-Bell smoothing, in arrays.

Witten and Bell 1991, "The Zero-Frequency Problem", in the interpolated form of Chen and Goodman
1998. After a history h of up to n - 1 characters, with h' being h without its first character:

    p(c | h) = (n(hc) + T(h) p(c | h')) / (n(h) + T(h)),    p(c | h') = 1 / (V + 1) below no history

n(hc) is how often c follows h in the training texts, n(h) the sum over all c, T(h) the number of
different c that follow h, and V the number of different predicted symbols, including the end of a
text. One more symbol stands for all unseen characters. An unseen history has the probabilities of
the shorter one. Each text has n - 1 start symbols, which are never predicted, and one end symbol.

Every n-gram is identified by two numbers: the number of its first n - 1 symbols among all (n -
1)-grams, and its last symbol. The n-grams of an order are therefore one sorted array, which is
searched for all positions of many texts at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families import FloatArray

ORDER = 6
# Symbols. Characters follow in the order of their code points, then the symbol for unseen
# characters.
_START, _END, _FIRST_CHARACTER = 0, 1, 2
# Number of an n-gram that no training text contains.
_UNSEEN = -1

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class _Grams:
    """All n-grams of one order.

    Args:
        keys: number of the first n - 1 symbols times the number of symbols, plus the last symbol;
            sorted. An n-gram's number is its position in this array.
        counts: how often each n-gram was predicted, with the shape of `keys`.
        followed: n(h) of each (n - 1)-gram, by its number.
        followers: T(h) of each (n - 1)-gram, by its number.
    """

    keys: Numbers
    counts: FloatArray
    followed: FloatArray
    followers: FloatArray


class CharModel:
    """The n-gram counts of training texts, for the probabilities of other texts."""

    def __init__(self, texts: Sequence[str], order: int = ORDER) -> None:
        """Count the n-grams of 1 to `order` characters of one or more texts.

        A million characters take a second.
        """
        self._order = order
        self._alphabet = np.unique(_code_points(texts))
        # Unseen characters get the last symbol.
        self._n_symbols = len(self._alphabet) + _FIRST_CHARACTER + 1
        symbols, places = self._symbols(texts)
        is_predicted = places >= order - 1
        self._base = 1 / (len(np.unique(symbols[is_predicted])) + 1)
        self._grams: list[_Grams] = []
        histories, n_histories = np.zeros(len(symbols), np.int64), 1
        for length in range(1, order + 1):
            # The first symbols of a text have no n-gram of this length.
            rows = np.flatnonzero(places >= length - 1)
            keys, numbers = np.unique(
                histories[rows] * self._n_symbols + symbols[rows], return_inverse=True
            )
            counts = _sums(numbers, is_predicted[rows], len(keys))
            prefixes = keys // self._n_symbols
            self._grams.append(
                _Grams(
                    keys,
                    counts,
                    _sums(prefixes, counts, n_histories),
                    _sums(prefixes, counts > 0, n_histories),
                )
            )
            # The history of a symbol is the n-gram that ends before it.
            ngram_numbers = np.full(len(symbols), _UNSEEN)
            ngram_numbers[rows] = numbers
            histories, n_histories = np.roll(ngram_numbers, 1), len(keys)

    def score(self, texts: Sequence[str]) -> FloatArray:
        """Return the natural logarithm of each text's probability, its end included.

        Shape (texts,). It is a sum over the characters and the end: `len(text) + 1` terms.
        """
        if not texts:
            return np.zeros(0)
        symbols, places = self._symbols(texts)
        probability = np.full(len(symbols), self._base)
        histories = np.zeros(len(symbols), np.int64)
        for length, grams in enumerate(self._grams, start=1):
            rows = np.flatnonzero((histories != _UNSEEN) & (places >= length - 1))
            history = histories[rows]
            numbers = _positions(grams.keys, history * self._n_symbols + symbols[rows])
            counts = np.where(numbers == _UNSEEN, 0, grams.counts[numbers])
            followed, followers = grams.followed[history], grams.followers[history]
            # An n-gram that ends with a start symbol, and is not the history of a character, has no
            # successor.
            total = followed + followers
            smoothed = (counts + followers * probability[rows]) / np.where(total == 0, 1, total)
            probability[rows] = np.where(total == 0, probability[rows], smoothed)
            ngram_numbers = np.full(len(symbols), _UNSEEN)
            ngram_numbers[rows] = numbers
            histories = np.roll(ngram_numbers, 1)
        logs = np.log(probability[places >= self._order - 1])
        lengths = np.array([len(text) + 1 for text in texts])
        sums: FloatArray = np.add.reduceat(logs, np.cumsum(lengths) - lengths)
        return sums

    def _symbols(self, texts: Sequence[str]) -> tuple[Numbers, Numbers]:
        """Return the symbols of all texts with start and end symbols, and the text of each symbol.

        Both have shape (sum of length + order,).
        """
        padding = self._order - 1
        lengths = np.array([len(text) + padding + 1 for text in texts], np.int64)
        starts = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) - np.repeat(starts, lengths)
        symbols = np.full(len(places), _START)
        is_end = places == np.repeat(lengths, lengths) - 1
        symbols[is_end] = _END
        characters = _code_points(texts)
        positions = _positions(self._alphabet, characters)
        symbols[(places >= padding) & ~is_end] = np.where(
            positions == _UNSEEN, self._n_symbols - 1, positions + _FIRST_CHARACTER
        )
        return symbols, places


def _sums(places: Numbers, values: NDArray[Any], length: int) -> FloatArray:
    """Return the sums of the values for each of the indices from 0 to `length` - 1."""
    return np.bincount(places, weights=values, minlength=length).astype(np.float64)


def _code_points(texts: Sequence[str]) -> Numbers:
    encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(encoded, np.dtype("<u4")).astype(np.int64)


def _positions(keys: Numbers, queries: Numbers) -> Numbers:
    """Return the positions of the wanted keys in sorted keys, _UNSEEN for missing ones."""
    if not len(keys):
        return np.full(len(queries), _UNSEEN)
    places = np.minimum(np.searchsorted(keys, queries), len(keys) - 1)
    positions: Numbers = np.where(keys[places] == queries, places, _UNSEEN)
    return positions
