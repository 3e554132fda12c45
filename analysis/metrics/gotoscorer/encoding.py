"""From annotations as texts to the numbers that the kernels of GoToScorer read."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from maege.analysis.edits import BARS, EDIT_SEPARATOR, parse_edit
from maege.analysis.metrics.families.base import GoldGroup
from maege.analysis.metrics.gotoscorer.chunks import NOTHING, Annotations, IntArray
from maege.analysis.metrics.gotoscorer.weights import Groups

# An error that was found and not corrected is no edit.
_PASSED_OVER = frozenset({"noop", "UNK", "Um"})


class _Span(NamedTuple):
    start: int
    end: int
    text: int


class Encoder:
    """Numbers texts as they come and collects what one call of the kernels is to read.

    Groups of a sentence share many annotations, and these many edits: each is there once.
    """

    def __init__(self) -> None:
        self._numbers = {"": NOTHING}
        self._sources: dict[str, int] = {}
        self._places: list[list[int]] = []
        self._lines: dict[str, int | None] = {}
        self._edits: list[_Span] = []
        self._annotations: dict[tuple[int, str, bool], int] = {}
        self._sources_of: list[int] = []
        self._edits_of: list[list[int]] = []
        self._gold: list[list[int]] = []
        self._hypotheses: list[list[int]] = []
        self._outputs: list[list[int]] = []
        self._systems: list[int] = []

    def add_group(self, group: GoldGroup) -> None:
        """Add hypotheses, annotators with a line, and different outputs with their systems.

        Edits of the gold that end beyond the source are left out: nothing can match them. Raises
        ValueError for others outside the source.
        """
        source = self._source(group.source)
        gold = [text for text in group.gold if text is not None]
        outputs = Counter(group.outputs)
        self._gold.append([self._annotation(source, text, is_gold=True) for text in gold])
        self._hypotheses.append([self._annotation(source, text) for text in group.hypotheses])
        self._outputs.append([self._annotation(source, text) for text in outputs])
        self._systems += outputs.values()

    def annotations(self) -> Annotations:
        """Return all annotations, with the chunks of their sources."""
        spans = np.array(self._edits, dtype=np.int64).reshape(-1, 3)
        edits, edit_starts = _flat(self._edits_of)
        starts, ends, texts = np.ascontiguousarray(spans[edits].T)
        places, place_starts = self._places_of_annotations()
        return Annotations(edit_starts, starts, ends, texts, place_starts, places)

    def groups(self) -> Groups:
        """Return all groups."""
        systems = np.array(self._systems, dtype=np.int64)
        return Groups(*_flat(self._gold), *_flat(self._hypotheses), *_flat(self._outputs), systems)

    def texts(self) -> list[str]:
        """Return the texts by their numbers."""
        return list(self._numbers)

    def _source(self, text: str) -> int:
        known = self._sources.get(text)
        if known is None:
            known = self._sources[text] = len(self._places)
            tokens = (self._number(token) for token in text.split())
            # An empty chunk before each of them and at the end.
            self._places.append(
                [NOTHING, *chain.from_iterable((token, NOTHING) for token in tokens)]
            )
        return known

    def _places_of_annotations(self) -> tuple[IntArray, IntArray]:
        """Return the texts of the chunks of each annotation's source, and where each starts."""
        places, starts = _flat(self._places)
        sources = np.array(self._sources_of, dtype=np.int64)
        lengths = np.diff(starts)[sources]
        starts_of = np.concatenate([[0], np.cumsum(lengths)])
        shifts = np.repeat(starts[sources] - starts_of[:-1], lengths)
        return places[np.arange(len(shifts)) + shifts], starts_of

    def _annotation(self, source: int, text: str, is_gold: bool = False) -> int:
        key = source, text, is_gold
        known = self._annotations.get(key)
        if known is None:
            known = self._annotations[key] = len(self._edits_of)
            self._sources_of.append(source)
            self._edits_of.append(self._read(text, len(self._places[source]) // 2, is_gold))
        return known

    def _read(self, annotation: str, length: int, is_gold: bool) -> list[int]:
        """Return the numbers of the edits of a source of so many tokens."""
        lines = filter(None, annotation.split(EDIT_SEPARATOR))
        read = [number for line in lines if (number := self._edit(line)) is not None]
        if is_gold:
            read = [number for number in read if self._edits[number].end <= length]
        for start, end, text in (self._edits[number] for number in read):
            if not 0 <= start <= end <= length:
                message = (
                    f"an edit of tokens {start} to {end} in a sentence of {length}, with the "
                    f"correction {self.texts()[text]!r}; "
                    "correct the span or give the edit its own sentence"
                )
                raise ValueError(message)
        return read

    def _edit(self, line: str) -> int | None:
        """Return the number of an edit, None for one that counts for nothing."""
        if line not in self._lines:
            start, end, error_type, corrections, _ = parse_edit(line)
            number = None
            if error_type not in _PASSED_OVER:
                number = len(self._edits)
                text = self._number(BARS.join(corrections))
                self._edits.append(_Span(start, end, text))
            self._lines[line] = number
        return self._lines[line]

    def _number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))


def _flat(lists: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray]:
    """Return all numbers one after the other, and where each list starts and the last one ends."""
    starts = _starts(lists)
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=starts[-1]), starts


def _starts(lists: Sequence[Sequence[object]]) -> IntArray:
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)
