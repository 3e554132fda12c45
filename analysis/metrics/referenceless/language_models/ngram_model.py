"""Score a text with an n-gram model, independent of how its probabilities are stored.

The text's tokens are the words. The history of the first word is `<s>`. An unknown word counts as a
token, adds to neither sum, and resets the history. The same is true of `<s>`, `</s>` and `<unk>` in
a text. At the end, `</s>` adds to the model's sum only, and not after an unknown word.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.referenceless.language_models.interface import STATISTICS

START, END = "<s>", "</s>"
MARKS = frozenset((START, END, "<unk>", "<UNK>"))

# A model's history: the previous words, or a handle of the library that reads the model.
History = TypeVar("History")


class NgramModel(ABC, Generic[History]):
    """A loaded model; `start` is the history of a text's first word."""

    start: History
    empty: History

    @abstractmethod
    def unigram(self, word: str) -> float | None:
        """Return log10 of the word's probability, None if the model does not know it."""

    @abstractmethod
    def after(self, history: History, word: str) -> tuple[float, History]:
        """Return log10 of a known word's probability after a history, and the next history."""

    def score(self, texts: Sequence[str]) -> FloatArray:
        """Return one row per text, with the columns of STATISTICS."""
        rows = [self._score_words(text.split()) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(STATISTICS))

    def _score_words(self, words: Sequence[str]) -> tuple[float, float, int, int]:
        model_sum = unigram_sum = 0.0
        unknown = 0
        history = self.start
        for word in words:
            unigram = None if word in MARKS else self.unigram(word)
            if unigram is None:
                unknown += 1
                history = self.empty
                continue
            log10, history = self.after(history, word)
            model_sum += log10
            unigram_sum += unigram
        if history is not self.empty:
            model_sum += self.after(history, END)[0]
        return model_sum, unigram_sum, len(words), unknown
