"""Chunks of a sentence as GoToScorer cuts them, and what a hypothesis does to those of the gold.

There is no common partition: each annotation cuts the source by itself. An edit is a chunk, and so
is every token that it leaves; before each of them, and at the end, stands an empty one where
something could be inserted, unless the chunk before it is an insertion. The chunks of the gold are
the ones that count.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from analysis.metrics.edits import ALTERNATIVE_SEPARATOR, Edit

# What a hypothesis does to a chunk of the gold: it edits it, rightly or not, the latter where the
# gold leaves it or edits it, too; or it leaves what the gold edits, or what the gold leaves.
OUTCOMES = ("tp", "fp", "fp_and_fn", "fn", "tn")
TP, FP, FP_AND_FN, FN, TN = range(len(OUTCOMES))
IS_RIGHT = (True, False, False, False, True)

# An error that was found and not corrected is no edit.
_PASSED_OVER = frozenset({"noop", "UNK", "Um"})


class Chunk(NamedTuple):
    """Tokens `start` to before `end` of the source, and what stands there instead."""

    start: int
    end: int
    text: str
    is_edit: bool


class _Kept(NamedTuple):
    """Tokens `start` to before `end` of the source, a chunk each, with an empty one before each.

    Not before the first of them if `inserts`, since something is inserted there.
    """

    start: int
    end: int
    inserts: bool


def _parts(n_tokens: int, edits: Iterable[Edit]) -> Iterator[Chunk | _Kept]:
    """Yield the chunks of a source, those of stretches between edits as one part.

    In the order of the edits, which nobody sorts. Alternatives of an edit are one text, set apart
    as in the file; an edit that is there twice stays.
    """
    place, inserts = 0, False
    for edit in edits:
        if edit.error_type in _PASSED_OVER:
            continue
        if place < edit.start:
            yield _Kept(place, edit.start, inserts)
            inserts = False
        if edit.start < edit.end and not inserts:
            yield Chunk(edit.start, edit.start, "", is_edit=False)
        text = ALTERNATIVE_SEPARATOR.join(edit.corrections)
        yield Chunk(edit.start, edit.end, text, is_edit=True)
        place, inserts = edit.end, edit.start == edit.end
    if place < n_tokens:
        yield _Kept(place, n_tokens, inserts)
        inserts = False
    if not inserts:
        yield Chunk(n_tokens, n_tokens, "", is_edit=False)


class Hypothesis:
    """The chunks of a hypothesis."""

    def __init__(self, tokens: Sequence[str], edits: Iterable[Edit]) -> None:
        """Cut the source by these edits."""
        self._tokens = tokens
        self._parts = tuple(_parts(len(tokens), edits))
        self._ends = [part.end for part in self._parts]
        starts = [part.start for part in self._parts]
        self._in_order = starts == sorted(starts) and self._ends == sorted(self._ends)
        # Elsewhere it is like the source.
        self._touched = {
            place
            for part in self._parts
            if isinstance(part, Chunk) and part.is_edit
            for place in range(part.start, part.end + 1)
        }
        self.errors = self._errors()

    def touches(self, gold: Chunk) -> bool:
        """Return whether an edit of the hypothesis overlaps the chunk or stands right beside it."""
        return not self._touched.isdisjoint(range(gold.start, gold.end + 1))

    def outcome(self, gold: Chunk) -> int:
        """Return what becomes of a chunk of the gold.

        Its own chunk settles it: the same span and text. Others of the same span, and those that
        overlap, are wrong, and edit it if any of them is an edit. Where there is none, because it
        inserts within a longer edit, it is left.
        """
        start, end, text, is_gold_edit = gold
        is_met = is_edited = False
        for part in self._beside(start, end):
            if isinstance(part, _Kept):
                if self._keeps(part, gold):
                    return TN
                is_met |= part.start < end and start < part.end
            elif part.start == start and part.end == end:
                if part.text == text:
                    return TP if part.is_edit else TN
                is_met = True
                is_edited |= part.is_edit
            elif start < end and (start <= part.start < end or part.start <= start < part.end):
                is_met = True
                is_edited |= part.is_edit
        if is_edited:
            return FP_AND_FN if is_gold_edit else FP
        return FN if is_met or is_gold_edit else TN

    def _errors(self) -> dict[Chunk, int]:
        """Return the chunks of the unchanged source that are not left, and what becomes of them."""
        outcomes = {
            chunk: self.outcome(chunk)
            for place in self._touched
            for chunk in _chunks(self._tokens, _Kept(place, place + 1, inserts=False))
        }
        return {chunk: outcome for chunk, outcome in outcomes.items() if outcome != TN}

    def _beside(self, start: int, end: int) -> Iterator[Chunk | _Kept]:
        """Return the parts that may touch the span, in order."""
        parts = self._parts
        if not self._in_order:
            return iter(parts)
        first = bisect_left(self._ends, start)
        return takewhile(lambda part: part.start <= end, islice(parts, first, None))

    def _keeps(self, part: _Kept, gold: Chunk) -> bool:
        """Return whether the gold's chunk is one of the part's."""
        start, end, text, _ = gold
        if not part.start <= start < part.end:
            return False
        if start == end:
            return not text and not (part.inserts and start == part.start)
        return end == start + 1 and self._tokens[start] == text


class Gold:
    """The chunks of an annotation.

    `left` is what becomes of each where a hypothesis leaves the source as it is, all that no edit
    makes being right; `numbers_left` is how many there are of each outcome.
    """

    def __init__(self, tokens: Sequence[str], edits: Iterable[Edit]) -> None:
        """Cut the source by these edits."""
        unchanged = Hypothesis(tokens, ())
        self.chunks: list[Chunk] = []
        for part in _parts(len(tokens), edits):
            self.chunks += _chunks(tokens, part) if isinstance(part, _Kept) else (part,)
        self._edits = [place for place, chunk in enumerate(self.chunks) if chunk.is_edit]
        self._places: dict[Chunk, list[int]] = defaultdict(list)
        for place, chunk in enumerate(self.chunks):
            self._places[chunk].append(place)
        self.left = [TN] * len(self.chunks)
        for place in self._edits:
            self.left[place] = unchanged.outcome(self.chunks[place])
        self.numbers_left = [self.left.count(outcome) for outcome in range(len(OUTCOMES))]

    def changes(self, hypothesis: Hypothesis) -> dict[int, int]:
        """Return by place what becomes of chunks that is not in `left`."""
        places = self._places
        changed = {
            place: outcome
            for chunk, outcome in hypothesis.errors.items()
            for place in places.get(chunk, ())
        }
        for place in self._edits:
            chunk = self.chunks[place]
            if hypothesis.touches(chunk):
                outcome = hypothesis.outcome(chunk)
                if outcome != self.left[place]:
                    changed[place] = outcome
        return changed


def _chunks(tokens: Sequence[str], part: _Kept) -> Iterator[Chunk]:
    """Yield the chunks of a stretch."""
    for place in range(part.start, part.end):
        if place > part.start or not part.inserts:
            yield Chunk(place, place, "", is_edit=False)
        if place < len(tokens):
            yield Chunk(place, place + 1, tokens[place], is_edit=False)
