"""Chunks of a sentence as GoToScorer cuts them, and what a hypothesis does to those of the gold.

There is no common partition: each annotation cuts the source by itself. An edit is a chunk, and so
is every token that it leaves; before each of them, and at the end, stands an empty one where
something could be inserted, unless the chunk before it is an insertion. The chunks of the gold are
the ones that count.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    """The chunks of a hypothesis.

    `errors` are the chunks of the unchanged source that it does not leave, and what becomes of
    each.
    """

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
        self._outcomes: dict[Chunk, int] = {}
        self.errors = self._errors()

    def outcomes(self, gold: Sequence[Chunk]) -> list[int]:
        """Return what becomes of each chunk of a gold; golds of a sentence share many."""
        known = self._outcomes
        for chunk in gold:
            if chunk not in known:
                known[chunk] = self._outcome(chunk)
        return [known[chunk] for chunk in gold]

    def _outcome(self, gold: Chunk) -> int:
        """Return what becomes of a chunk of the gold.

        Its own chunk settles it: the same span and text. Others of the same span, and those that
        overlap, are wrong, and edit it if any of them is an edit. Where there is none, because it
        inserts within a longer edit, it is left.
        """
        start, end, text, is_gold_edit = gold
        if self._touched.isdisjoint(range(start, end + 1)):
            return TN if _is_left(self._tokens, gold) else FN
        is_met = is_edited = False
        for part in self._parts[bisect_left(self._ends, start) if self._in_order else 0 :]:
            if self._in_order and part.start > end:
                break
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
        outcomes = {
            chunk: self._outcome(chunk)
            for part in self._parts
            if isinstance(part, Chunk) and part.is_edit
            for chunk in self._instead_of(part)
        }
        return {chunk: outcome for chunk, outcome in outcomes.items() if outcome != TN}

    def _instead_of(self, edit: Chunk) -> Iterator[Chunk]:
        """Yield the chunks of the unchanged source that may be wrong where the edit stands.

        Empty ones within a longer edit are right.
        """
        if edit.start == edit.end:
            yield Chunk(edit.start, edit.start, "", is_edit=False)
        for place in range(edit.start, edit.end):
            yield Chunk(place, place + 1, self._tokens[place], is_edit=False)

    def _keeps(self, part: _Kept, gold: Chunk) -> bool:
        """Return whether the gold's chunk is one of the part's."""
        start, end, *_ = gold
        if not part.start <= start < part.end or (start == end == part.start and part.inserts):
            return False
        return _is_left(self._tokens, gold)


def _is_left(tokens: Sequence[str], chunk: Chunk) -> bool:
    """Return whether the chunk is one of the unchanged source."""
    start, end, text, _ = chunk
    return not text if start == end else end == start + 1 and tokens[start] == text


class Gold:
    """The chunks of an annotation: its edits, and what it leaves of the source.

    Of the latter only the difference is kept: `more` says how many more than one there are of a
    chunk of the unchanged source, -1 where an edit takes its place.
    """

    def __init__(self, tokens: Sequence[str], edits: Iterable[Edit]) -> None:
        """Cut the source by these edits."""
        parts = tuple(_parts(len(tokens), edits))
        self.edits = [part for part in parts if isinstance(part, Chunk) and part.is_edit]
        self.more = _difference(tokens, parts)
        self.n_chunks = 2 * len(tokens) + 1 + len(self.edits) + sum(self.more.values())


def _difference(tokens: Sequence[str], parts: Iterable[Chunk | _Kept]) -> dict[Chunk, int]:
    """Return how many more than one there are of chunks of the unchanged source.

    Followed from its beginning to its end, with what edits take, and back where an edit stands
    before the end of the last one, so that what lies between is left once more.
    """
    more: Counter[Chunk] = Counter()
    more[Chunk(len(tokens), len(tokens), "", is_edit=False)] -= 1
    place = 0
    for part in parts:
        if part.start < place:
            more.update(_chunks(tokens, part.start, place))
        if isinstance(part, _Kept):
            if part.inserts:
                more[Chunk(part.start, part.start, "", is_edit=False)] -= 1
        elif part.is_edit:
            for chunk in _chunks(tokens, part.start, part.end):
                more[chunk] -= 1
        else:
            more[part] += 1
        place = part.end
    return {chunk: number for chunk, number in more.items() if number}


def _chunks(tokens: Sequence[str], start: int, end: int) -> Iterator[Chunk]:
    """Yield the chunks of a stretch of the source, without the empty one at its end."""
    for place in range(start, end):
        yield Chunk(place, place, "", is_edit=False)
        yield Chunk(place, place + 1, tokens[place], is_edit=False)
