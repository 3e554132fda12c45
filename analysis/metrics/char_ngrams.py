"""A language model of characters: n-grams with Witten-Bell smoothing.

Witten and Bell 1991, "The Zero-Frequency Problem", in the interpolated form of Chen and Goodman
1998. After a history h of up to n - 1 characters, with h' being h without its first character:

    p(c | h) = (n(hc) + T(h) p(c | h')) / (n(h) + T(h)),    p(c | h') = 1 / (V + 1) below no history

n(hc) is how often c follows h in the training texts, n(h) the sum over all c, T(h) the number of
different c that follow h, and V the number of different predicted symbols. One more symbol stands
for all unseen characters. An unseen history has the probabilities of the shorter one. Each text has
n - 1 start symbols, which are never predicted, and one end symbol.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from maege.analysis.metrics.families import FloatArray

ORDER = 6
# Lone surrogates, which no text contains.
_START, _END = "\ud800", "\ud801"
# Texts of one sentence share most of their n-grams.
_REMEMBERED = 1 << 18


class CharModel:
    """A model of one or more training texts. A million characters take some seconds."""

    def __init__(self, texts: Sequence[str], order: int = ORDER) -> None:
        self._order = order
        self._followers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            for history, symbol in self._steps(text):
                for start in range(order):
                    self._followers[history[start:]][symbol] += 1
        self._base = 1 / (len(self._followers[""]) + 1)
        self._log_p = lru_cache(_REMEMBERED)(lambda *step: math.log(self._probability(*step)))

    def score(self, texts: Sequence[str]) -> FloatArray:
        """Return the natural logarithm of each text's probability, its end included."""
        return np.array(
            [math.fsum(self._log_p(*step) for step in self._steps(text)) for text in texts]
        )

    def _steps(self, text: str) -> Iterator[tuple[str, str]]:
        padded = _START * (self._order - 1) + text + _END
        for place in range(self._order - 1, len(padded)):
            yield padded[place - self._order + 1 : place], padded[place]

    def _probability(self, history: str, symbol: str) -> float:
        shorter = self._probability(history[1:], symbol) if history else self._base
        followers = self._followers.get(history)
        if followers is None:
            return shorter
        n_kinds = len(followers)
        return (followers[symbol] + n_kinds * shorter) / (followers.total() + n_kinds)
