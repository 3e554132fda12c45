"""Counts of the chunks that a hypothesis changes correctly, wrongly or not at all.

Ye et al. 2023, "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction",
implemented as in their program. One common partition cuts a sentence into chunks for hypothesis and
references together. All edits of hypothesis and references are sorted by start. An edit that
overlaps or touches the previous interval joins it, whether the edits come from the same text or
not. An insertion at the edge of a substitution joins it too. The intervals and the unchanged
stretches between them are the chunks. An interval without tokens contains only insertions. A
chunk's text is its source text with the edits inside it applied. A sequence has changed a chunk if
it has an edit there, even an edit that leaves the tokens as they were.

- Dependent assumption, against each reference: a chunk that the hypothesis changes is TP if the
  texts are equal, else FP (`fp_ne` if the reference changes it, else `fp_un`). A chunk that the
  hypothesis keeps is FN if the texts differ, else TN.
- Independent assumption, against all references: a changed chunk is TP if any reference has its
  text, else FP (`fp_ne` if any reference changes it, else `fp_un`). A kept chunk is FN only if all
  references change it, else TN.

A stretch that no text changes is one TN, whatever its length. Error types and the way in which an
annotator splits a change into edits do not matter. Duplicate edits count once.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import ClassVar, NamedTuple

import numpy as np

from maege.analysis.edits import BARS, Annotation, Edit, gold_annotations, parse_annotation
from maege.analysis.metrics.families.base import EditFamily, FloatArray, GoldGroup

COUNTS = ("tp", "fp_ne", "fp_un", "fn", "tn")
TP, FP_NE, FP_UN, FN, TN = range(len(COUNTS))
# Verdict for each count of the independent assumption. If a changed chunk counts as TN, some
# references change it, but the hypothesis and the other references do not.
VERDICTS = {TP: "right", FP_NE: "wrong", FP_UN: "unnecessary", FN: "missed", TN: "optional"}

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
    `positions` are the positions of the remaining references in `gold`.
    """

    def __init__(self, source: Sequence[str], gold: Sequence[Annotation | None]) -> None:
        self._source = source
        lines = [(place, edits) for place, edits in enumerate(gold) if edits is not None]
        used = [(place, edits) for place, edits in lines if self._leaves_words(edits)] or lines[:1]
        self.positions = [place for place, _ in used]
        self._references = [edits for _, edits in used]
        self._spans = _joined(
            (edit.start, edit.end) for edits in self._references for edit in edits
        )
        # Most chunks are those of other hypotheses, too.
        self._texts: dict[_Span, tuple[str | None, ...]] = {}

    def changed(self, hypothesis: Annotation) -> list[Chunk]:
        """Return the chunks that the hypothesis or a reference changes, in order."""
        spans = _joined([*self._spans, *((edit.start, edit.end) for edit in hypothesis)])
        for span in spans:
            if span not in self._texts:
                self._texts[span] = tuple(self._text(span, edits) for edits in self._references)
        return [
            Chunk(
                *span,
                " ".join(self._source[slice(*span)]),
                self._text(span, hypothesis),
                self._texts[span],
            )
            for span in spans
        ]

    def unchanged(self, changed: Sequence[Chunk]) -> int:
        """Return the number of unchanged chunks between the given changed chunks."""
        if not changed:
            return int(len(self._source) > 0)
        # Changed chunks never touch.
        edges = (changed[0].start == 0) + (changed[-1].end == len(self._source))
        return len(changed) + 1 - edges

    def _text(self, span: _Span, edits: Annotation) -> str | None:
        """Return the text of the span after the edits in it; None if there are none."""
        start, end = span
        inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
        return _applied(self._source, span, inside) if inside else None

    def _leaves_words(self, edits: Annotation) -> bool:
        """Return whether anything is left of the sentence after the edits."""
        if sum(edit.end - edit.start for edit in edits) < len(self._source):
            return True
        return bool(edits and _applied(self._source, (0, len(self._source)), edits))


class Cleme(EditFamily):
    """Counts of the chunks of a hypothesis."""

    version = "1"
    reads_edits = True
    # Index of the statistic that counts unchanged chunks.
    unchanged: ClassVar[int] = TN

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts, shape (hypotheses, annotators or 1, k); NaN without a reference."""
        return [self.group_counts(group) for group in groups]

    def group_counts(self, group: GoldGroup) -> FloatArray:
        """Return the counts of one group."""
        partition = Partition(group.source.split(), gold_annotations(group.gold, group.source))
        columns = partition.positions if self.per_reference else [0]
        width = len(group.gold) if self.per_reference else 1
        result = np.full((len(group.hypotheses), width, len(self.statistics)), np.nan)
        for row, hypothesis in zip(result, group.hypotheses, strict=True):
            chunks = partition.changed(parse_annotation(hypothesis))
            counts = self.counts(chunks, len(columns))
            counts[:, self.unchanged] += partition.unchanged(chunks)
            row[columns] = counts
        return result

    def counts(self, chunks: Sequence[Chunk], width: int) -> FloatArray:
        """Return the counts of changed chunks, per reference or overall: (width, k)."""
        counts = [[0] * len(self.statistics) for _ in range(width)]
        for chunk in chunks:
            for row, outcome_index in zip(counts, self.outcomes(chunk), strict=True):
                row[outcome_index] += 1
        return np.array(counts, np.float64)

    @abstractmethod
    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the index of the statistic that the chunk adds to, per reference or overall."""


class ClemeDependent(Cleme):
    """Counts against each reference."""

    name: ClassVar[str] = "cleme"
    parameters = ()
    statistics = COUNTS
    per_reference = True

    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the index of tp, fp_ne, fp_un, fn or tn for the chunk, per reference."""
        return [outcome(chunk, text) for text in chunk.references]


class ClemeIndependent(Cleme):
    """Counts against all references at once."""

    name: ClassVar[str] = "cleme_independent"
    parameters = ()
    statistics = COUNTS
    per_reference = False

    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the index of tp, fp_ne, fp_un, fn or tn for the chunk, over all references."""
        return [outcome_of_all(chunk)]


def outcome(chunk: Chunk, reference: str | None) -> int:
    """Return which count the chunk adds to, against the text of one reference."""
    text = chunk.source if reference is None else reference
    if chunk.hypothesis is None:
        return TN if text == chunk.source else FN
    if chunk.hypothesis == text:
        return TP
    return FP_UN if reference is None else FP_NE


def outcome_of_all(chunk: Chunk) -> int:
    """Return which count the chunk adds to, against all references at once."""
    unchanged = chunk.references.count(None)
    if chunk.hypothesis is None:
        return TN if unchanged else FN
    if chunk.hypothesis in chunk.references or (unchanged and chunk.hypothesis == chunk.source):
        return TP
    return FP_UN if unchanged == len(chunk.references) else FP_NE


class ChunkRow(NamedTuple):
    """A changed chunk. `positions` are the positions of its references in the gold."""

    chunk_index: int
    start_token: int
    end_token: int
    original: str
    hypothesis_text: str
    positions: list[int]
    reference_texts: list[str]
    verdict: str


def chunk_rows(
    source: str, gold: Sequence[str | None], hypotheses: Sequence[str]
) -> list[list[ChunkRow]]:
    """Return the chunks of each hypothesis, in order; gold and hypotheses are annotations."""
    annotations = gold_annotations(gold, source)
    partition = Partition(source.split(), annotations)
    return [
        [
            _row(index, chunk, partition.positions)
            for index, chunk in enumerate(partition.changed(parse_annotation(text)))
        ]
        for text in hypotheses
    ]


def _row(index: int, chunk: Chunk, positions: list[int]) -> ChunkRow:
    hypothesis, *references = (
        chunk.source if text is None else text for text in (chunk.hypothesis, *chunk.references)
    )
    return ChunkRow(
        index,
        chunk.start,
        chunk.end,
        chunk.source,
        hypothesis,
        positions,
        references,
        VERDICTS[outcome_of_all(chunk)],
    )


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    """Join spans that overlap or touch, and return all spans in order."""
    joined: list[_Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _applied(source: Sequence[str], span: _Span, edits: Sequence[Edit]) -> str:
    """Return the text of the span after the edits in it.

    As in the original program, edits are applied one after the other, at positions shifted by the
    earlier ones. If two edits change the same token, the later one replaces the result of the
    earlier one. Duplicate edits are applied once. Alternative corrections are read as one text,
    because the original does not know them.
    """
    start, end = span
    tokens, offset = list(source[start:end]), -start
    for edit in sorted(dict.fromkeys(edits), key=attrgetter("start")):
        words = BARS.join(edit.corrections).split()
        place = max(edit.start + offset, 0)
        tokens[place : max(edit.end + offset, place)] = words
        offset += len(words) - (edit.end - edit.start)
    return " ".join(tokens)
