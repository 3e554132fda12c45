"""The gold of a comparison: what annotators did to each sentence, and how their edits are typed.

As ERRANT's programs have it: an annotator without a line for a sentence is nobody, not somebody who
changed nothing; where nobody has a line, the sentence counts as left alone. `errant_m2 -gold` gives
the file's edits ERRANT's types, `errant_m2 -auto` extracts edits anew from what the annotators
made of the sentence; both leave edits alone that only say that something is wrong.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.compare.extraction import Extraction
from analysis.compare.results import GoldEdits
from analysis.extraction.errant_edits import DETECTIONS, corrected_text
from analysis.metrics.edits import Annotation, Edit, format_annotation

_UNKNOWN = "UNK"
ERRANT_TYPE = re.compile(r"[MRU]:.+|UNK")
# From this share of a file's edits on its types are ERRANT's.
ERRANT_SHARE = 0.9


@dataclass(frozen=True)
class Gold:
    """Sources, and for each what every annotator with a line did, in the order of the file.

    `annotators` are all of them, in the order of the warehouse.
    """

    sources: tuple[str, ...]
    annotators: tuple[str, ...]
    annotations: tuple[Mapping[str, Annotation], ...]

    @property
    def has_errant_types(self) -> bool:
        """Whether nearly all edits have a type of ERRANT's."""
        types = [edit.error_type for edit in self._edits()]
        errant = sum(ERRANT_TYPE.fullmatch(error_type) is not None for error_type in types)
        return errant >= ERRANT_SHARE * len(types)

    def _edits(self) -> list[Edit]:
        return [
            edit
            for of_sentence in self.annotations
            for annotation in of_sentence.values()
            for edit in annotation
        ]


def filled(
    annotations: Sequence[Mapping[str, Annotation]], first: str
) -> list[dict[str, Annotation]]:
    """Return the annotations with sentences that nobody has a line for left alone by the first."""
    return [dict(of_sentence) or {first: ()} for of_sentence in annotations]


def chosen_gold(gold: Gold, edits: GoldEdits, extraction: Extraction) -> Gold:
    """Return the gold with the edits that are to be counted."""
    if edits == "given":
        return gold
    return typed(gold, extraction) if edits == "typed" else extracted(gold, extraction)


def typed(gold: Gold, extraction: Extraction) -> Gold:
    """Return the gold's edits with ERRANT's types, without equal tokens at their ends."""
    return _with(gold, extraction.classified(_pairs(gold)))


def extracted(gold: Gold, extraction: Extraction) -> Gold:
    """Return ERRANT's edits from each source to what annotators made of it.

    As the program has it, somebody whose edits change nothing has no line then.
    """
    wanted = _pairs(gold)
    targets = {pair: corrected_text(*pair) for pair in wanted}
    found = extraction.edits([(source, targets[source, edits]) for source, edits in wanted])
    made: dict[tuple[str, Annotation], Annotation | None] = {}
    for pair in wanted:
        source, annotation = pair
        detections = [
            Edit(edit.start, edit.end, _UNKNOWN, edit.corrections[:1])
            for edit in annotation
            if edit.error_type in DETECTIONS
        ]
        edits = sorted(
            [*detections, *found[source, targets[pair]]], key=lambda edit: (edit.start, edit.end)
        )
        made[pair] = tuple(edits) or None
    return _with(gold, made)


def _pairs(gold: Gold) -> list[tuple[str, Annotation]]:
    """Return every source with every annotation of it that has an edit."""
    return list(
        dict.fromkeys(
            (source, annotation)
            for source, of_sentence in zip(gold.sources, gold.annotations, strict=True)
            for annotation in of_sentence.values()
            if annotation
        )
    )


def _with(gold: Gold, made: Mapping[tuple[str, Annotation], Annotation | None]) -> Gold:
    annotations = []
    for source, of_sentence in zip(gold.sources, gold.annotations, strict=True):
        changed = {
            annotator: made[source, annotation] if annotation else ()
            for annotator, annotation in of_sentence.items()
        }
        annotations.append({name: edits for name, edits in changed.items() if edits is not None})
    return replace(gold, annotations=tuple(filled(annotations, gold.annotators[0])))


def texts_of(gold: Gold) -> list[tuple[str, ...]]:
    """Return the annotations of each sentence as metrics read them, in the order of the file."""
    return [
        tuple(format_annotation(annotation) for annotation in of_sentence.values())
        for of_sentence in gold.annotations
    ]
