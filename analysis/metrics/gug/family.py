"""Features of the grammaticality model: misspellings and trigram statistics of a text.

Heilman et al. 2014, "Predicting Grammaticality on an Ordinal Scale", as used by Napoles et al.
2016. Two of their features are omitted, link grammar and the parser, because they do not improve
the accuracy. The language model is the trigram model of `fluency`. For an n-gram of one to three
words, log10 is the logarithm of its probability at any position of a text, without marks for
beginning and end.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families.base import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.referenceless.language_models.trigram import (
    SHA256,
    START,
    VERSION,
    Trigram,
)
from maege.analysis.metrics.referenceless.loading import is_known, load_dictionary

# log10 of the probability of an unknown word.
UNKNOWN = -7.0
ORDERS = (1, 2, 3)
NGRAMS = tuple(f"lm_{kind}_{n}" for n in ORDERS for kind in ("min", "max", "mean"))
STATISTICS = ("tokens", "misspelt", "letter_tokens", "lm_log10_per_token", "lm_unknown", *NGRAMS)
# Texts of one sentence share most of their words. The cache is cleared when it exceeds this size.
_REMEMBERED = 200_000


class GugFeatures(StatisticsFamily):
    """The features of a hypothesis, except the number of LanguageTool's errors."""

    name = "gug_features"
    version = "1"
    parameters = (
        ("model", f"pocketsphinx{VERSION}-en-us-trigram"),
        ("sha256", SHA256[:12]),
        ("spelling", "en_US-spylls0.1.7"),
        ("unknown", f"{UNKNOWN:g}"),
    )
    reads_source = False
    reads_references = False
    languages = ENGLISH
    other_languages = "maege metric add takes a classifier of that language"
    per_reference = False
    statistics = STATISTICS
    cost: ClassVar[int] = 10

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        texts = [piece.texts[row].split() for row in rows.tolist()]
        return load_reader().read(texts)[requests]


@cache
def load_reader() -> "Reader":
    """Return the reader of this process."""
    return Reader(Trigram(), load_dictionary())


class Reader:
    """Reads texts, with a cache of dictionary look-ups."""

    def __init__(self, trigram: Trigram, is_word: Callable[[str], bool]) -> None:
        """Set the language model, and the function that looks a word up in the dictionary."""
        self._trigram, self._is_word = trigram, is_word
        self._known: dict[str, bool] = {}

    def read(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return one row per tokenised text, case preserved, with the columns of STATISTICS."""
        rows = [self._statistics(tokens) for tokens in texts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def _statistics(self, tokens: Sequence[str]) -> tuple[float, ...]:
        letter_tokens = [token for token in tokens if token.isalpha()]
        misspelt = sum(not self._knows(token) for token in letter_tokens)
        words = self._trigram.tokens(" ".join(tokens))
        known_sum, _, length, unknown = self._trigram.score_tokens(words, START)
        per_token = (known_sum + UNKNOWN * unknown) / max(length, 1)
        ngrams = [value for n in ORDERS for value in self._of_ngrams(words, n)]
        return len(tokens), misspelt, len(letter_tokens), per_token, unknown, *ngrams

    def _of_ngrams(self, words: Sequence[str], n: int) -> tuple[float, float, float]:
        """Return minimum, maximum, and the sum over distinct n-grams divided by all n-grams."""
        ngrams = [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]
        if not ngrams:
            return 0.0, 0.0, 0.0
        values = [self._log10(ngram) for ngram in dict.fromkeys(ngrams)]
        return min(values), max(values), math.fsum(values) / len(ngrams)

    def _log10(self, ngram: tuple[str, ...]) -> float:
        """Return log10 of an n-gram's probability. After an unknown word it uses unigrams."""
        unigrams = [self._trigram.unigram(word) for word in ngram]
        first = unigrams.index(None) if None in unigrams else len(ngram)
        known_sum = self._trigram.score_tokens(ngram[:first], ())[0]
        return known_sum + sum(UNKNOWN if value is None else value for value in unigrams[first:])

    def _knows(self, token: str) -> bool:
        known = self._known.get(token)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = is_known(token, self._is_word)
            self._known[token] = known
        return known
