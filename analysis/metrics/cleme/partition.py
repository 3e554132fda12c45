"""The common partition: one cut of a sentence into chunks for hypothesis and references together.

Ye et al. 2023, "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction", as
their program cuts. All edits of hypothesis and references, sorted by start, become intervals: one
that overlaps or touches the interval before it joins it, whoever made it, an insertion at the edge
of a substitution, too. The intervals and the unchanged stretches between them are the chunks; an
interval without tokens holds insertions alone. A sequence's text of a chunk is the source's with
its edits inside applied, and the sequence has changed the chunk if it has an edit there, even one
that leaves the text as it was.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from analysis.metrics.edits import ALTERNATIVE_SEPARATOR, Annotation, Edit

_Span = tuple[int, int]


class Chunk(NamedTuple):
    """Tokens `start` to before `end` of the source, which somebody changes.

    `hypothesis` and `references` are the texts after the edits, None where there is no edit.
    """

    start: int
    end: int
    source: str
    hypothesis: str | None
    references: tuple[str | None, ...]


class Partition:
    """A source and its references, to be cut together with one hypothesis after the other.

    An annotator without a line (None) is no reference. A reference that deletes everything is left
    out where another one does not: nothing but an empty hypothesis could have its text.
    `positions` are those of the references that are left, in `gold`.
    """

    def __init__(self, source: Sequence[str], gold: Sequence[Annotation | None]) -> None:
        self._source = source
        lines = [(place, edits) for place, edits in enumerate(gold) if edits is not None]
        kept = [(place, edits) for place, edits in lines if self._whole(edits)] or lines[:1]
        self.positions = [place for place, _ in kept]
        self._references = [edits for _, edits in kept]
        self._spans = _joined(_spans(*self._references))
        self._sources: dict[_Span, tuple[str, tuple[str | None, ...]]] = {}
        self._chunks: dict[tuple[_Span, Annotation], Chunk] = {}

    def changed(self, hypothesis: Annotation) -> list[Chunk]:
        """Return the chunks that the hypothesis or a reference changes, in order."""
        spans = _joined([*self._spans, *_spans(hypothesis)]) if hypothesis else self._spans
        # Spans that somebody changes never touch, so that each edit is in one.
        starts = [start for start, _ in spans]
        inside: dict[_Span, Annotation] = {}
        for edit in hypothesis:
            span = spans[bisect_right(starts, edit.start) - 1]
            inside[span] = (*inside.get(span, ()), edit)
        return [self._chunk(span, inside.get(span, ())) for span in spans]

    def unchanged(self, changed: Sequence[Chunk]) -> int:
        """Return how many stretches between these chunks, each a chunk, nobody changes."""
        if not changed:
            return int(len(self._source) > 0)
        # Chunks that somebody changes never touch.
        edges = (changed[0].start == 0) + (changed[-1].end == len(self._source))
        return len(changed) + 1 - edges

    def _chunk(self, span: _Span, hypothesis: Annotation) -> Chunk:
        """Return the chunk, which hypotheses with the same edits in it share."""
        chunk = self._chunks.get((span, hypothesis))
        if chunk is None:
            if span not in self._sources:
                references = tuple(_applied(self._source, span, own) for own in self._references)
                self._sources[span] = " ".join(self._source[slice(*span)]), references
            text, references = self._sources[span]
            changed = _applied(self._source, span, hypothesis)
            chunk = self._chunks[span, hypothesis] = Chunk(*span, text, changed, references)
        return chunk

    def _whole(self, edits: Annotation) -> str:
        """Return the sentence after the edits."""
        span = 0, len(self._source)
        changed = _applied(self._source, span, edits)
        return " ".join(self._source) if changed is None else changed


def _spans(*annotations: Annotation) -> list[_Span]:
    return [(edit.start, edit.end) for edits in annotations for edit in edits]


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    """Return spans of which those that overlap or touch are one, in order."""
    joined: list[_Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _applied(source: Sequence[str], span: _Span, edits: Annotation) -> str | None:
    """Return the text of the span after the edits in it, None without any.

    Edits are applied one after the other, at places that those before have shifted, as in the
    original: of two of one token the later replaces what the earlier wrote. One that is there twice
    is applied once. Alternative corrections are one text: the original does not know them.
    """
    start, end = span
    inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
    if not inside:
        return None
    if len(inside) == 1:
        edit = inside[0]
        return " ".join([*source[start : edit.start], *_words(edit), *source[edit.end : end]])
    tokens, offset = list(source[start:end]), -start
    for edit in sorted(dict.fromkeys(inside), key=attrgetter("start")):
        words = _words(edit)
        place = max(edit.start + offset, 0)
        tokens[place : max(edit.end + offset, place)] = words
        offset += len(words) - (edit.end - edit.start)
    return " ".join(tokens)


def _words(edit: Edit) -> list[str]:
    return ALTERNATIVE_SEPARATOR.join(edit.corrections).split()
