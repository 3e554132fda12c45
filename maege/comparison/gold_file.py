"""From an M2 file as it was read to the gold of a comparison, and to the edits of an output."""

from collections.abc import Mapping, Sequence

from maege.analysis.compare.gold import Gold, filled
from maege.analysis.metrics.edits import ALTERNATIVE_SEPARATOR, Annotation, Edit
from maege.ingest.formats import annotation_file
from maege.ingest.formats.annotation_file import AnnotationFile, annotator_order
from maege.ingest.formats.edit_kinds import NOTHING, unknown_corrects

# Who left a sentence alone that nobody has a line for, in a file without any.
NOBODY = "0"


def gold_of(read: AnnotationFile, annotators: Sequence[str] = ()) -> Gold:
    """Return what the annotators of a file did, each sentence in the order of its lines.

    Annotators are those named, or those with a line.
    """
    annotators = tuple(sorted(annotators or read.annotators, key=annotator_order)) or (NOBODY,)
    return Gold(
        sources=tuple(sentence.text for sentence in read.sentences),
        annotators=annotators,
        annotations=tuple(filled(annotations_of(read), annotators[0])),
        unknown_corrects=unknown_corrects(read.edits),
    )


def annotations_of(read: AnnotationFile) -> Sequence[Mapping[str, Annotation]]:
    """Return what each annotator with a line did to each sentence."""
    by_sentence: list[dict[str, list[Edit]]] = [{} for _ in read.sentences]
    for edit in read.edits:
        of_annotator = by_sentence[edit.sentence_id].setdefault(edit.annotator, [])
        if edit.kind != "none":
            of_annotator.append(_edit(edit))
    return [
        {annotator: tuple(edits) for annotator, edits in of_sentence.items()}
        for of_sentence in by_sentence
    ]


def _edit(edit: annotation_file.Edit) -> Edit:
    alternatives = edit.correction.split(ALTERNATIVE_SEPARATOR)
    return Edit(
        edit.start_token,
        edit.end_token,
        edit.error_type,
        tuple("" if text == NOTHING else text for text in alternatives),
    )
