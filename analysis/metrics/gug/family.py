"""Features of the grammaticality model: misspellings and trigram statistics of a text.

Heilman et al. 2014, "Predicting Grammaticality on an Ordinal Scale", as Napoles et al. 2016 took it
up. Of their features link grammar and the parser are left out, which add nothing to the accuracy;
the language model is the trigram of `fluency`. N-grams of one to three words have a log10 that is
their probability anywhere in a text, without marks of its beginning and end.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.families.languages import ENGLISH
from maege.analysis.metrics.referenceless.language_models.trigram import (
    SHA256,
    START,
    VERSION,
    Trigram,
)
from maege.analysis.metrics.referenceless.loading import is_known, load_dictionary

# log10 of what an unknown word counts for.
UNKNOWN = -7.0
ORDERS = (1, 2, 3)
NGRAMS = tuple(f"lm_{kind}_{n}" for n in ORDERS for kind in ("min", "max", "mean"))
STATISTICS = ("tokens", "misspelt", "letter_tokens", "lm_log10_per_token", "lm_unknown", *NGRAMS)
# Texts of one sentence share most of their words; more than these are forgotten together.
_REMEMBERED = 200_000


class GugFeatures(StatisticsFamily):
    """The features of a hypothesis, less those of LanguageTool."""

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
    """Reads texts; remembers what the dictionary said."""

    def __init__(self, trigram: Trigram, is_word: Callable[[str], bool]) -> None:
        """Take the model, and the dictionary's answer for a word as it is written."""
        self._trigram, self._is_word = trigram, is_word
        self._known: dict[str, bool] = {}

    def read(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return one row a tokenised text, its case kept, with the columns of STATISTICS."""
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
        """Return least, largest, and the sum over distinct n-grams by the number of all."""
        ngrams = [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]
        if not ngrams:
            return 0.0, 0.0, 0.0
        values = [self._log10(ngram) for ngram in dict.fromkeys(ngrams)]
        return min(values), max(values), math.fsum(values) / len(ngrams)

    def _log10(self, ngram: tuple[str, ...]) -> float:
        """Return log10 of an n-gram's probability; from an unknown word on that of unigrams."""
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
