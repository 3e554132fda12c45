"""The trigram model of American English in the package pocketsphinx, read as text.

It was trained for speech: lower case, no punctuation, clitics joined to their word. Texts are
converted to that form. 72,547 words, 2.05 M bigrams and 1.67 M trigrams take 37 MB and .03 s to
load.

- A text's history starts with `<s>` and has two words.
- An unknown word counts as a token, adds to neither sum, and resets the history.
- `</s>` adds to the model's sum only, and not after an empty history.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.language_models.interface import (
    STATISTICS,
    ModelFileError,
    check_hash,
)

PACKAGE, VERSION = "pocketsphinx", "5.1.1"
SHA256 = "db21d0642286677699e6dbc859d2e5395570222361999387ce60f6e1d01995d6"
CLITICS = frozenset(("n't", "'s", "'re", "'ve", "'ll", "'d", "'m"))

_HAS_LETTER_OR_DIGIT = re.compile("[a-z0-9]")
START, _END = ("<s>",), "</s>"
# Value of `NGramModel.prob` for an unknown word.
_UNKNOWN = -536870912
# Texts of one sentence share most of their trigrams.
_REMEMBERED = 1 << 15


def model_path() -> Path:
    """Return the path of the package's model; raise ModelFileError if it is not installed."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise ModelFileError(
            f"expected the package {PACKAGE}, found none; pip install {PACKAGE}=={VERSION}"
        )
    return Path(package.origin).parent / "model" / "en-us" / "en-us.lm.bin"


class Trigram:
    """The loaded model, with a cache of its probabilities."""

    def __init__(self, path: Path | None = None, sha256: str = SHA256) -> None:
        """Load the model at `path`, else the package's; raise ModelFileError for another hash."""
        path = path or model_path()
        check_hash(path, sha256)
        from pocketsphinx import Config, LogMath, NGramModel

        log_math = LogMath()
        self._log10 = log_math.log_to_log10
        self._model: Any = NGramModel(Config(), log_math, str(path))
        self.unigram = lru_cache(_REMEMBERED)(self._unigram)
        self._ngram = lru_cache(_REMEMBERED)(self._log10_of)

    def score(self, texts: Sequence[str]) -> FloatArray:
        """Return one row per text, with the columns of STATISTICS."""
        rows = [self.score_tokens(self.tokens(text), START) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text in the model's form."""
        words: list[str] = []
        for word in text.lower().split():
            if word in CLITICS and words and self.unigram(words[-1] + word) is not None:
                words[-1] += word
            elif _HAS_LETTER_OR_DIGIT.search(word):
                words.append(word)
        return words

    def _unigram(self, word: str) -> float | None:
        """Return log10 of the word's probability, None if the model does not know the word."""
        value = self._model.prob([word])
        return None if value == _UNKNOWN else self._log10(value)

    def _log10_of(self, backwards: tuple[str, ...]) -> float:
        """Return log10 of the first word's probability after the others, nearest word first."""
        return float(self._log10(self._model.prob(backwards)))

    def score_tokens(
        self, words: Sequence[str], history: tuple[str, ...]
    ) -> tuple[float, float, int, int]:
        """Return STATISTICS of the words after a history, nearest word first.

        The text ends with its last word, unless it began with `<s>`.
        """
        model_sum = unigram_sum = 0.0
        unknown, is_from_start = 0, history == START
        for word in words:
            unigram = self.unigram(word)
            if unigram is None:
                unknown += 1
                history = ()
                continue
            unigram_sum += unigram
            ngram = (word, *history)
            model_sum += self._ngram(ngram)
            history = ngram[:2]
        if is_from_start and history:
            model_sum += self._ngram((_END, *history))
        return model_sum, unigram_sum, len(words), unknown
