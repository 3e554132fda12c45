"""Texts and gold edits as the sufficient statistics that metrics read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from maege.analysis.compare.comparison import default_edits
from maege.analysis.compare.gold import Extraction, Gold, Pair, chosen_gold, corrected_sources
from maege.analysis.edits import SILENT, format_annotation
from maege.analysis.extraction.pipeline import ENGLISH
from maege.analysis.metrics.families import Family, FloatArray, Request, family_statistics
from maege.analysis.texts import squeezed

# One annotation as text for each annotator; SILENT for an annotator without a line.
Annotations = list[tuple[str | None, ...]]


@dataclass(frozen=True)
class AnnotatedGold:
    """The gold of all sentences, in the forms that metrics read.

    `system_edits` has the edits of each system that came with edits of its own.
    """

    gold: Gold
    language: str
    system_edits: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @cached_property
    def sources(self) -> list[str]:
        return [squeezed(source) for source in self.gold.sources]

    @cached_property
    def references(self) -> list[tuple[str, ...]]:
        """The source with the edits of each annotator; unchanged without a line."""
        return [tuple(map(squeezed, texts)) for texts in corrected_sources(self.gold)]

    @cached_property
    def annotations(self) -> Annotations:
        return self._listed(self.gold)

    @cached_property
    def typed_annotations(self) -> Annotations:
        """The edits of the file if they have ERRANT's types, else those that ERRANT extracts."""
        extraction = Extraction(self.language)
        edits = default_edits(self.gold, extraction)
        return self._listed(chosen_gold(self.gold, edits, extraction))

    def edits_of(self, systems: Sequence[str]) -> list[str | None]:
        unknown = [None] * len(self.sources)
        return [edits for name in systems for edits in self.system_edits.get(name, unknown)]

    def _listed(self, gold: Gold) -> Annotations:
        """Return the annotations of the chosen edits; None for a line without a chosen edit."""
        return [
            tuple(
                format_annotation(sentence_annotations[annotator])
                if annotator in sentence_annotations
                else None
                if annotator in file_annotations
                else SILENT
                for annotator in gold.annotators
            )
            for sentence_annotations, file_annotations in zip(
                gold.annotations, self.gold.annotations, strict=True
            )
        ]


@dataclass(frozen=True)
class Texts:
    """Rows to score, as parallel sequences with one entry per row.

    Inputs that no family reads may be empty strings or empty lists of references. None stands for a
    missing reference. `outputs` holds the outputs of all systems for the row's sentence, for
    families that weight edits by them.

    Edits are extracted in `language` (a BCP 47 tag) from the source to each reference and, if the
    metric compares edits with edits, to the hypothesis. With `gold`, annotators' edits replace
    those of references. `edits` are those of the hypotheses, None for each one to extract, empty to
    extract all.
    """

    sources: Sequence[str]
    hypotheses: Sequence[str]
    references: Sequence[tuple[str | None, ...]]
    outputs: Sequence[tuple[str, ...]]
    language: str = ENGLISH
    gold: AnnotatedGold | None = None
    edits: Sequence[str | None] = ()

    def statistics(self, families: Sequence[Family]) -> dict[str, FloatArray]:
        """Return the statistics of all rows by family, shapes (rows, references or 1, k)."""
        return {
            family.name: family_statistics(family, self._requests(family)) for family in families
        }

    def _requests(self, family: Family) -> list[Request]:
        references, hypotheses = self.references, self.hypotheses
        outputs: Sequence[tuple[str, ...]] = [()] * len(hypotheses)
        if family.reads_gold and self.gold is not None:
            typed = family.reads_types and not family.reads_outputs
            annotations = self.gold.typed_annotations if typed else self.gold.annotations
            references = annotations * (len(hypotheses) // len(annotations))
        elif family.reads_gold:
            extracted = self._extracted(references)
            references = [
                tuple(None if text is None else extracted[source, text] for text in texts)
                for source, texts in zip(self.sources, references, strict=True)
            ]
        if family.reads_edits:
            rows = list(zip(hypotheses, self.edits or [None] * len(hypotheses), strict=True))
            extracted = self._extracted([(text,) if edits is None else () for text, edits in rows])
            hypotheses = [
                extracted[source, text] if edits is None else edits
                for source, (text, edits) in zip(self.sources, rows, strict=True)
            ]
        if family.reads_outputs:
            extracted = self._extracted(self.outputs)
            outputs = [
                tuple(sorted(extracted[source, text] for text in texts))
                for source, texts in zip(self.sources, self.outputs, strict=True)
            ]
        requests = zip(references, self.sources, hypotheses, outputs, strict=True)
        return [Request(*request) for request in requests]

    def _extracted(self, texts: Iterable[Sequence[str | None]]) -> dict[Pair, str]:
        pairs = [
            (source, text)
            for source, row in zip(self.sources, texts, strict=True)
            for text in row
            if text is not None
        ]
        edits = self._extraction.edits(pairs)
        return {pair: format_annotation(annotation) for pair, annotation in edits.items()}

    @cached_property
    def _extraction(self) -> Extraction:
        return Extraction(self.language)
