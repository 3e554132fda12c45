r"""N-gram models: an ARPA file, or KenLM's binary format.

The text's tokens are the words. The history of the first word is `<s>`. An unknown word counts as a
token, adds to neither sum, and resets the history. The same is true of `<s>`, `</s>` and `<unk>` in
a text. At the end, `</s>` adds to the model's sum only, and not after an unknown word.

An ARPA file is read whole and checked line by line. An n-gram takes some 140 bytes of every worker:
for more than some million, make a KenLM binary, which the package kenlm reads.

    \data\                       log10 p(w | h) is the value of the n-gram `h w` if the file has
    ngram 1=COUNT                it; else the back-off weight of h, 0 if it has none, plus
    ...                          log10 p(w | h less its first word).
    \1-grams:
    LOG10 <TAB> WORDS [<TAB> BACKOFF]
    \end\
"""

import gzip
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.language_models.interface import (
    STATISTICS,
    ModelFileError,
)

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


_COUNT = re.compile(r"ngram (\d+)\s*=\s*(\d+)$")
_BETWEEN = re.compile("[ \t]+")
# In characters. A damaged or compressed file may have gigabytes without a line feed.
_LONGEST_LINE = 1_000_000
_GZIP = b"\x1f\x8b"

Lines = Iterator[tuple[int, str]]


class ArpaModel(NgramModel[tuple[str, ...] | None]):
    """The n-grams of a file.

    A history is its last words, oldest first, or None after an unknown word.
    """

    empty = None

    def __init__(self, path: Path) -> None:
        """Read the file; raise ModelFileError, with the line, if it is not a complete ARPA file."""
        self._path = path
        self._log10: dict[str, float] = {}
        self._backoff: dict[str, float] = {}
        with path.open("rb") as file:
            opened = gzip.open if file.read(len(_GZIP)) == _GZIP else open
        try:
            with opened(path, "rt", encoding="utf-8", newline="\n") as text:
                lines = enumerate(iter(lambda: text.readline(_LONGEST_LINE), ""), 1)
                self._read((number, line.strip(" \t\r\n")) for number, line in lines)
        except UnicodeDecodeError:
            raise ModelFileError(
                f"{path}: expected an ARPA file in UTF-8, a KenLM binary or a folder, found none "
                "of these"
            ) from None
        except (EOFError, gzip.BadGzipFile) as error:
            raise ModelFileError(f"{path}: the compressed file is damaged: {error}") from None
        if missing := {START, END} - self._log10.keys():
            raise ModelFileError(
                f"{path}: expected <s> and </s> among the 1-grams, found no {missing.pop()}"
            )
        self.start = (START,)[: self._longest]

    def unigram(self, word: str) -> float | None:
        """Return log10 of the word's probability, None if the file does not have it."""
        return self._log10.get(word)

    def after(
        self, history: tuple[str, ...] | None, word: str
    ) -> tuple[float, tuple[str, ...] | None]:
        """Return log10 of a word's probability after a history, and the next history."""
        history = history or ()
        following = (*history, word)[-self._longest :] if self._longest else ()
        backoff = 0.0
        while history:
            log10 = self._log10.get(" ".join((*history, word)))
            if log10 is not None:
                return backoff + log10, following
            backoff += self._backoff.get(" ".join(history), 0.0)
            history = history[1:]
        return backoff + self._log10[word], following

    def _read(self, lines: Lines) -> None:
        counts = self._counts(lines)
        self._longest = len(counts) - 1
        for order, count in enumerate(counts, start=1):
            self._expect(lines, f"\\{order}-grams:")
            for n_read in range(count):
                number, line = next(lines, (0, ""))
                if not number:
                    raise ModelFileError(
                        f"{self._path}: expected {count} {order}-grams, found the end of the file "
                        f"after {n_read}; it is truncated"
                    )
                if not line or line.startswith("\\"):
                    raise self._broken(number, f"{count} {order}-grams", f"{line!r} after {n_read}")
                self._add(number, line, order, order == len(counts))
        self._expect(lines, "\\end\\")

    def _counts(self, lines: Lines) -> list[int]:
        """Return the number of n-grams of each order in the file's header."""
        self._expect(lines, "\\data\\")
        counts: list[int] = []
        for number, line in lines:
            if not line and counts:
                return counts
            match = _COUNT.match(line)
            if line and (match is None or int(match[1]) != len(counts) + 1):
                raise self._broken(number, f"ngram {len(counts) + 1}=COUNT", repr(line))
            if match:
                counts.append(int(match[2]))
        raise ModelFileError(f"{self._path}: expected n-grams, found the end of the file")

    def _expect(self, lines: Lines, heading: str) -> None:
        """Skip the heading; only empty lines may precede it."""
        for number, line in lines:
            if line == heading:
                return
            if line:
                raise self._broken(number, heading, repr(line[:80]))
        raise ModelFileError(
            f"{self._path}: expected {heading}, found the end of the file; it is truncated"
        )

    def _add(self, number: int, line: str, order: int, is_highest: bool) -> None:
        parts = _BETWEEN.split(line)
        if len(parts) != order + 1 and (is_highest or len(parts) != order + 2):
            raise self._broken(
                number, f"a number and {order} words", f"{len(parts)} parts in {line[:80]!r}"
            )
        log10 = self._number(number, parts[0])
        if log10 > 0:
            raise self._broken(number, "a log10 probability of at most 0", parts[0])
        words = " ".join(parts[1 : order + 1])
        self._log10[words] = log10
        if len(parts) == order + 2:
            self._backoff[words] = self._number(number, parts[-1])

    def _number(self, line: int, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self._broken(line, "a number in base 10", repr(text))
        return value

    def _broken(self, line: int, expected: str, found: str) -> ModelFileError:
        return ModelFileError(
            f"{self._path}:{line}: expected {expected}, found {found}; create the file again"
        )


MAGIC = b"mmap lm http://kheafield.com/code"
# This release has only source code, so pip needs a compiler.
PACKAGES = {"kenlm": "pip install kenlm==0.3.0 (needs a C++ compiler and CMake)"}


class KenlmModel(NgramModel[Any]):
    """A loaded binary; a history is a state of KenLM."""

    def __init__(self, path: Path) -> None:
        """Load the file; raise ModelFileError if KenLM cannot read it."""
        import kenlm

        try:
            self._model: Any = kenlm.Model(str(path))
        except (OSError, RuntimeError, ValueError) as error:
            raise ModelFileError(f"{path}: KenLM cannot read it: {error}") from None
        if START not in self._model or END not in self._model:
            raise ModelFileError(f"{path}: expected <s> and </s> among the words, found one alone")
        self._new_state = kenlm.State
        self.start, self.empty = kenlm.State(), kenlm.State()
        self._model.BeginSentenceWrite(self.start)
        self._model.NullContextWrite(self.empty)

    def unigram(self, word: str) -> float | None:
        """Return log10 of the word's probability, None if the model does not know it."""
        return self.after(self.empty, word)[0] if word in self._model else None

    def after(self, history: Any, word: str) -> tuple[float, Any]:  # noqa: ANN401 (a state)
        """Return log10 of a word's probability after a history, and the next history."""
        following = self._new_state()
        return float(self._model.BaseScore(history, word, following)), following
