"""The common partition: one cut of a sentence into chunks for hypothesis and references together.

Ye et al. 2023, "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction",
implemented as in their program. All edits of hypothesis and references are sorted by start. An edit
that overlaps or touches the previous interval joins it, whether the edits come from the same text
or not. An insertion at the edge of a substitution joins it too. The intervals and the unchanged
stretches between them are the chunks. An interval without tokens contains only insertions. A
chunk's text is its source text with the edits inside it applied. A sequence has changed a chunk if
it has an edit there, even an edit that leaves the tokens as they were.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from maege.analysis.edits import BARS, Annotation, Edit

_Span = tuple[int, int]


class Chunk(NamedTuple):
    """Changed chunk: tokens from `start` up to, but not including, `end` of the source.

    `hypothesis` and `references` are the texts after the edits, None where there is no edit.
    """

    start: int
    end: int
    source: str
    hypothesis: str | None
    references: tuple[str | None, ...]


class Partition:
    """A source and its references, partitioned together with one hypothesis at a time.

    An annotator who did not annotate the sentence (None) is no reference. A reference that deletes
    everything is excluded if another one does not: only an empty hypothesis could match it.
    `positions` are the positions of the remaining references in `gold`. `chunks` are all changed
    chunks of the partitions so far.
    """

    def __init__(self, source: Sequence[str], gold: Sequence[Annotation | None]) -> None:
        self._source = source
        lines = [(place, edits) for place, edits in enumerate(gold) if edits is not None]
        kept = [(place, edits) for place, edits in lines if self._leaves_words(edits)] or lines[:1]
        self.positions = [place for place, _ in kept]
        self.chunks: list[Chunk] = []
        annotations = [edits for _, edits in kept]
        self._spans = _joined(_spans(*annotations))
        self._starts = [start for start, _ in self._spans]
        # The references that change each span, with their edits there. Most references change few
        # spans.
        self._inside: list[dict[int, Annotation]] = [{} for _ in self._spans]
        for place, edits in enumerate(annotations):
            for edit in edits:
                inside = self._inside[bisect_right(self._starts, edit.start) - 1]
                inside[place] = (*inside.get(place, ()), edit)
        self._sources: dict[_Span, tuple[str, tuple[str | None, ...]]] = {}
        self._numbers: dict[tuple[_Span, Annotation], int] = {}
        self._left = [self._number(span, ()) for span in self._spans]

    def changed(self, hypothesis: Annotation) -> list[Chunk]:
        """Return the chunks that the hypothesis or a reference changes, in order."""
        return [self.chunks[number] for number in self.cut(hypothesis)]

    def cut(self, hypothesis: Annotation) -> list[int]:
        """Return the indices in `chunks` of those that the hypothesis or a reference changes."""
        inside: dict[int, Annotation] = {}
        for edit in hypothesis:
            place = bisect_right(self._starts, edit.start) - 1
            if place < 0 or edit.end > self._spans[place][1]:
                return self._cut_anew(hypothesis)
            inside[place] = (*inside.get(place, ()), edit)
        # The partition already has this chunk because of the references.
        numbers = self._left.copy()
        for place, edits in inside.items():
            numbers[place] = self._number(self._spans[place], edits)
        return numbers

    def _cut_anew(self, hypothesis: Annotation) -> list[int]:
        spans = _joined([*self._spans, *_spans(hypothesis)])
        # Changed spans never touch, so each edit is in exactly one of them.
        starts = [start for start, _ in spans]
        inside: dict[_Span, Annotation] = {}
        for edit in hypothesis:
            span = spans[bisect_right(starts, edit.start) - 1]
            inside[span] = (*inside.get(span, ()), edit)
        return [self._number(span, inside.get(span, ())) for span in spans]

    def unchanged(self, changed: Sequence[Chunk]) -> int:
        """Return the number of unchanged chunks between the given changed chunks."""
        if not changed:
            return int(len(self._source) > 0)
        # Changed chunks never touch.
        edges = (changed[0].start == 0) + (changed[-1].end == len(self._source))
        return len(changed) + 1 - edges

    def _number(self, span: _Span, hypothesis: Annotation) -> int:
        """Return the index of the chunk. Hypotheses with the same edits in it share the chunk."""
        number = self._numbers.get((span, hypothesis))
        if number is None:
            if span not in self._sources:
                self._sources[span] = " ".join(self._source[slice(*span)]), self._references(span)
            text, references = self._sources[span]
            changed = _applied(self._source, span, hypothesis)
            number = self._numbers[span, hypothesis] = len(self.chunks)
            self.chunks.append(Chunk(*span, text, changed, references))
        return number

    def _references(self, span: _Span) -> tuple[str | None, ...]:
        """Return the text of the span after the edits of each reference."""
        start, end = span
        texts: list[str | None] = [None] * len(self.positions)
        inside: dict[int, Annotation] = {}
        for place in range(bisect_left(self._starts, start), len(self._spans)):
            if self._spans[place][1] > end:
                break
            for reference, edits in self._inside[place].items():
                inside[reference] = (*inside.get(reference, ()), *edits)
        for reference, edits in inside.items():
            texts[reference] = _applied(self._source, span, edits)
        return tuple(texts)

    def _leaves_words(self, edits: Annotation) -> bool:
        """Return whether anything is left of the sentence after the edits."""
        if sum(edit.end - edit.start for edit in edits) < len(self._source):
            return True
        return bool(_applied(self._source, (0, len(self._source)), edits))


def _spans(*annotations: Annotation) -> list[_Span]:
    return [(edit.start, edit.end) for edits in annotations for edit in edits]


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    """Join spans that overlap or touch, and return all spans in order."""
    joined: list[_Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _applied(source: Sequence[str], span: _Span, edits: Annotation) -> str | None:
    """Return the text of the span after the edits in it; None without edits.

    As in the original program, edits are applied one after the other, at positions shifted by the
    earlier ones. If two edits change the same token, the later one replaces the result of the
    earlier one. Duplicate edits are applied once. Alternative corrections are read as one text,
    because the original does not know them.
    """
    start, end = span
    if not edits:
        return None
    if len(edits) == 1:
        edit = edits[0]
        return " ".join([*source[start : edit.start], *_words(edit), *source[edit.end : end]])
    tokens, offset = list(source[start:end]), -start
    for edit in sorted(dict.fromkeys(edits), key=attrgetter("start")):
        words = _words(edit)
        place = max(edit.start + offset, 0)
        tokens[place : max(edit.end + offset, place)] = words
        offset += len(words) - (edit.end - edit.start)
    return " ".join(tokens)


def _words(edit: Edit) -> list[str]:
    return BARS.join(edit.corrections).split()
