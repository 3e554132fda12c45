"""From texts and annotations to the numbers that the kernels of M2 read."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from maege.analysis.edits import Annotation
from maege.analysis.metrics.m2.gold import Gold, IntArray, Texts

# The number of a correction that no tokens can spell, as one with two spaces in a row.
UNSPEAKABLE = -1


class Encoder:
    """Numbers tokens as they come and collects what one call of a kernel is to read."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._corrections: dict[str, list[int]] = {}
        self._sources: list[list[int]] = []
        self._hypotheses: list[list[int]] = []
        self._annotations: list[Annotation] = []
        self._totals: list[int] = []

    def add_source(self, text: str) -> int:
        """Return the position of a source."""
        self._sources.append(self._encode(text.split()))
        return len(self._sources) - 1

    def add_hypothesis(self, text: str) -> int:
        """Return the position of a hypothesis."""
        self._hypotheses.append(self._encode(text.split()))
        return len(self._hypotheses) - 1

    def add_gold(
        self,
        source: str,
        annotations: Iterable[Annotation],
        totals: Sequence[int] | None = None,
    ) -> tuple[int, int]:
        """Return the position of the first annotation and that after the last.

        `totals` are the numbers of gold edits to count where annotations are only those of them
        that can match. Raises ValueError for an edit outside the source.
        """
        first = len(self._annotations)
        length = len(source.split())
        for annotation in annotations:
            for edit in annotation:
                if not 0 <= edit.start <= edit.end <= length:
                    message = (
                        f"an edit of tokens {edit.start} to {edit.end} in a sentence of {length}: "
                        f"{source!r}; correct the span or give the edit its own sentence"
                    )
                    raise ValueError(message)
            self._annotations.append(annotation)
        added = self._annotations[first:]
        self._totals += map(len, added) if totals is None else totals
        return first, len(self._annotations)

    def sources(self) -> Texts:
        """Return the sources."""
        return _texts(self._sources)

    def hypotheses(self) -> Texts:
        """Return the hypotheses."""
        return _texts(self._hypotheses)

    def gold(self) -> Gold:
        """Return the annotations."""
        edits = list(chain.from_iterable(self._annotations))
        return Gold(
            edit_starts=_offsets([len(annotation) for annotation in self._annotations]),
            totals=np.array(self._totals, dtype=np.int32),
            starts=np.array([edit.start for edit in edits], dtype=np.int32),
            ends=np.array([edit.end for edit in edits], dtype=np.int32),
            alternative_starts=_offsets([len(edit.corrections) for edit in edits]),
            corrections=_texts(
                [self._correction(text) for edit in edits for text in edit.corrections]
            ),
        )

    def folded(self, is_wanted: bool) -> Texts:
        """Return the lower-case characters of every token known; nothing if unwanted.

        Each character by itself, as Python 2 lowers them.
        """
        if not is_wanted:
            return Texts(np.empty(0, np.int32), np.empty(0, np.int32))
        return _texts(
            [
                [ord(lower) for character in token for lower in character.lower()]
                for token in self._numbers
            ]
        )

    def _correction(self, text: str) -> list[int]:
        found = self._corrections.get(text)
        if found is None:
            tokens = correction_tokens(text)
            found = [UNSPEAKABLE] if tokens is None else self._encode(tokens)
            self._corrections[text] = found
        return found

    def _encode(self, tokens: list[str]) -> list[int]:
        numbers = self._numbers
        return [numbers.setdefault(token, len(numbers)) for token in tokens]


def correction_tokens(text: str) -> list[str] | None:
    """Return the tokens of a correction; None where no tokens joined by single spaces spell it."""
    stripped = text.strip()
    tokens = stripped.split()
    return tokens if not tokens or " ".join(tokens) == stripped else None


def _texts(texts: list[list[int]]) -> Texts:
    starts = _offsets([len(text) for text in texts])
    tokens = np.fromiter(chain.from_iterable(texts), dtype=np.int32, count=int(starts[-1]))
    return Texts(tokens, starts)


def _offsets(sizes: list[int]) -> IntArray:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return offsets
