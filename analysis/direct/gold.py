"""Annotators' edits of an M2 file as the gold of metrics, counted as in `maege compare`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from maege.analysis.compare.extraction import Extraction, NoStore
from maege.analysis.compare.gold import Gold, chosen_gold, corrected_sources
from maege.analysis.compare.preparation import default_edits
from maege.analysis.edits import SILENT, format_annotation
from maege.analysis.white_space import squeezed

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
        """The source sentences."""
        return [squeezed(source) for source in self.gold.sources]

    @cached_property
    def references(self) -> list[tuple[str, ...]]:
        """The source with the edits of each annotator; unchanged without a line."""
        return [tuple(map(squeezed, texts)) for texts in corrected_sources(self.gold)]

    @cached_property
    def annotations(self) -> Annotations:
        """The edits of the file."""
        return self._listed(self.gold)

    @cached_property
    def typed_annotations(self) -> Annotations:
        """The edits of the file if they have ERRANT's types, else those that ERRANT extracts."""
        extraction = Extraction(self.language, NoStore())
        edits = default_edits(self.gold, extraction)
        return self._listed(chosen_gold(self.gold, edits, extraction))

    def edits_of(self, systems: Sequence[str]) -> list[str | None]:
        """Return the edits of all systems, one system after the other; None to extract them."""
        unknown = [None] * len(self.sources)
        return [edits for name in systems for edits in self.system_edits.get(name, unknown)]

    def _listed(self, chosen: Gold) -> Annotations:
        """Return the annotations of the chosen edits.

        An annotator whose line has no chosen edit is None.
        """
        return [
            tuple(
                format_annotation(of_sentence[annotator])
                if annotator in of_sentence
                else None
                if annotator in in_file
                else SILENT
                for annotator in chosen.annotators
            )
            for of_sentence, in_file in zip(chosen.annotations, self.gold.annotations, strict=True)
        ]
