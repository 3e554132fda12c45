"""The inputs of a comparison: gold, outputs and settings, and which edits of the gold count."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from maege.analysis.compare.extraction import Extraction
from maege.analysis.compare.results import GoldEdits, Note
from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.extraction.errant_edits import DETECTIONS, corrected_text
from maege.analysis.metrics.errant import BETA, UNKNOWN, Matching

# --- The gold and its edits ---
#
# As in ERRANT's programs, an annotator without a line for a sentence did not annotate it. A
# sentence without any line counts as unchanged. `errant_m2 -gold` gives the file's edits ERRANT's
# types, `errant_m2 -auto` extracts the edits again from the corrected sentences. Both keep edits
# that mark an error without a correction.

_CORRECTED = "R:OTHER"
ERRANT_TYPE = re.compile(r"[MRU]:.+")
# If at least this share of a file's edits has types of ERRANT, the file counts as typed by ERRANT.
ERRANT_SHARE = 0.9


@dataclass(frozen=True)
class Gold:
    """Sources, and for each source the annotations of all annotators with a line, in file order.

    `annotators` lists all annotators in the order of the warehouse. `unknown_corrects` is true if
    the file uses UNK for any type, not only for errors without a correction.
    """

    sources: tuple[str, ...]
    annotators: tuple[str, ...]
    annotations: tuple[Mapping[str, Annotation], ...]
    unknown_corrects: bool = False

    @property
    def has_errant_types(self) -> bool:
        """Return whether nearly all edits have a type of ERRANT, by the warehouse's rule."""
        types = [edit.error_type for edit in self._edits() if edit.error_type != UNKNOWN]
        if not types:
            return not self.unknown_corrects
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
    """Return the annotations; the first annotator leaves sentences without any line unchanged."""
    return [dict(of_sentence) or {first: ()} for of_sentence in annotations]


def chosen_gold(gold: Gold, edits: GoldEdits, extraction: Extraction) -> Gold:
    """Return the gold with the edits that count."""
    if edits == "given":
        return gold
    if gold.unknown_corrects:
        gold = _with_types(gold)
    return typed(gold, extraction) if edits == "typed" else extracted(gold, extraction)


def from_references(
    sources: Sequence[str],
    annotators: Sequence[str],
    references: Sequence[Sequence[str]],
    extraction: Extraction,
) -> Gold:
    """Return the gold of reference texts, a list per sentence.

    Every annotator has a line for every sentence.
    """
    pairs = [
        (source, text) for source, texts in zip(sources, references, strict=True) for text in texts
    ]
    found = extraction.edits(pairs)
    annotations = tuple(
        {annotator: found[source, text] for annotator, text in zip(annotators, texts, strict=True)}
        for source, texts in zip(sources, references, strict=True)
    )
    return Gold(tuple(sources), tuple(annotators), annotations)


def typed(gold: Gold, extraction: Extraction) -> Gold:
    """Return the gold's edits with ERRANT's types, without equal tokens at the ends of an edit."""
    return _with(gold, extraction.classified(_pairs(gold)))


def extracted(gold: Gold, extraction: Extraction) -> Gold:
    """Return ERRANT's edits from each source to its corrected sentences.

    As in the program, an annotator whose edits change nothing then has no line.
    """
    wanted = _pairs(gold)
    targets = {pair: corrected_text(*pair) for pair in wanted}
    found = extraction.edits([(source, targets[source, edits]) for source, edits in wanted])
    made: dict[tuple[str, Annotation], Annotation | None] = {}
    for pair in wanted:
        source, annotation = pair
        detections = [
            Edit(edit.start, edit.end, UNKNOWN, edit.corrections[:1])
            for edit in annotation
            if edit.error_type in DETECTIONS
        ]
        edits = sorted(
            [*detections, *found[source, targets[pair]]], key=lambda edit: (edit.start, edit.end)
        )
        made[pair] = tuple(edits) or None
    return _with(gold, made)


def _with_types(gold: Gold) -> Gold:
    return replace(
        gold,
        annotations=tuple(
            {
                annotator: tuple(edit._replace(error_type=_CORRECTED) for edit in annotation)
                for annotator, annotation in of_sentence.items()
            }
            for of_sentence in gold.annotations
        ),
        unknown_corrects=False,
    )


def _pairs(gold: Gold) -> list[tuple[str, Annotation]]:
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


def corrected_sources(gold: Gold) -> list[tuple[str, ...]]:
    """Return for each sentence the source with each annotator's edits; unchanged without a line."""
    return [
        tuple(
            corrected_text(source, annotations.get(annotator, ())) for annotator in gold.annotators
        )
        for source, annotations in zip(gold.sources, gold.annotations, strict=True)
    ]


def texts_of(gold: Gold) -> list[tuple[str, ...]]:
    """Return the annotations of each sentence as metrics read them, in the order of the file."""
    return [
        tuple(format_annotation(annotation) for annotation in of_sentence.values())
        for of_sentence in gold.annotations
    ]


# --- Inputs and settings ---


@dataclass(frozen=True)
class GoldInput:
    """The gold as read from its file.

    `references` are the texts to extract edits from, a list per sentence, if no file has edits.
    `texts` are the references of text-based metrics, if the files have both texts and edits.
    """

    path: str
    sha256: str
    gold: Gold
    references: Sequence[tuple[str, ...]] | None = None
    texts: Sequence[tuple[str, ...]] | None = None

    @property
    def reference_texts(self) -> Sequence[tuple[str, ...]] | None:
        """The references of text-based metrics; None if they are created from edits."""
        return self.texts if self.references is None else self.references


@dataclass(frozen=True)
class Output:
    """A system's output: a text for each sentence, and the edits if its file has them."""

    name: str
    path: str
    sha256: str
    texts: tuple[str, ...]
    annotations: tuple[Annotation, ...] | None = None
    empty_lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Settings:
    """Options of a comparison. If `gold_edits` is None, the types in the gold decide.

    `types` holds patterns of error types. An empty list means all types, None no table of types.
    """

    metrics: tuple[str, ...] = ("errant", "m2")
    match: Matching = "cs"
    gold_edits: GoldEdits | None = None
    beta: float = BETA
    tier: int = 3
    types: tuple[str, ...] | None = ()
    resamples: int = 10_000
    seed: int = 1
    alpha: float = 0.05
    all_pairs: bool = False
    margin: float | None = None
    language: str = "en"


@dataclass(frozen=True)
class Inputs:
    """All inputs of a comparison. The first output is the baseline."""

    gold: GoldInput
    outputs: tuple[Output, ...]
    settings: Settings
    maege: str
    notes: tuple[Note, ...] = field(default=())
