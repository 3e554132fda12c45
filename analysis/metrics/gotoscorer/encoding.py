"""From annotations as texts to the numbers that the kernels of GoToScorer read."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from analysis.metrics.base import GoldGroup
from analysis.metrics.edits import ALTERNATIVE_SEPARATOR, parse_annotation
from analysis.metrics.gotoscorer.chunks import NOTHING, Annotations, IntArray
from analysis.metrics.gotoscorer.weights import Groups

# An error that was found and not corrected is no edit.
_PASSED_OVER = frozenset({"noop", "UNK", "Um"})


class Encoder:
    """Numbers texts as they come and collects what one call of the kernels is to read.

    Groups of a sentence share many annotations: each is there once.
    """

    def __init__(self) -> None:
        self._numbers = {"": NOTHING}
        self._sources: dict[str, int] = {}
        self._places: list[list[int]] = []
        self._annotations: dict[tuple[int, str, bool], int] = {}
        self._sources_of: list[int] = []
        self._edits: list[list[tuple[int, int, int]]] = []
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
        edits = np.array(list(chain.from_iterable(self._edits)), dtype=np.int64).reshape(-1, 3)
        starts, ends, texts = np.ascontiguousarray(edits.T)
        places, place_starts = _flat([self._places[source] for source in self._sources_of])
        return Annotations(_starts(self._edits), starts, ends, texts, place_starts, places)

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

    def _annotation(self, source: int, text: str, is_gold: bool = False) -> int:
        key = source, text, is_gold
        known = self._annotations.get(key)
        if known is None:
            known = self._annotations[key] = len(self._edits)
            self._sources_of.append(source)
            self._edits.append(list(self._edits_of(text, len(self._places[source]) // 2, is_gold)))
        return known

    def _edits_of(
        self, annotation: str, length: int, is_gold: bool
    ) -> Iterator[tuple[int, int, int]]:
        for edit in parse_annotation(annotation):
            start, end, error_type, corrections, _ = edit
            if error_type in _PASSED_OVER or (is_gold and end > length):
                continue
            if not 0 <= start <= end <= length:
                message = (
                    f"an edit of tokens {start} to {end} in a sentence of {length}: {edit}; "
                    "correct the span or give the edit its own sentence"
                )
                raise ValueError(message)
            yield start, end, self._number(ALTERNATIVE_SEPARATOR.join(corrections))

    def _number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))


def _flat(lists: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray]:
    """Return all numbers one after the other, and where each list starts and the last one ends."""
    starts = _starts(lists)
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=starts[-1]), starts


def _starts(lists: Sequence[Sequence[object]]) -> IntArray:
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)
