"""From an M2 file as it was read to the gold of a comparison, and to the edits of an output."""

from collections.abc import Mapping, Sequence

from maege.analysis.compare.edits.gold import Gold, filled
from maege.analysis.edits import Annotation, Edit
from maege.ingest.formats.annotations.annotation_file import AnnotationFile, annotator_order
from maege.ingest.formats.annotations.edit_kinds import unknown_corrects

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
    for line in read.edits:
        of_annotator = by_sentence[line.sentence_id].setdefault(line.annotator, [])
        if line.kind != "none":
            # By overlap, as in M2, whatever the file itself says of its errors.
            of_annotator.append(line.edit._replace(error_group=""))
    return [
        {annotator: tuple(edits) for annotator, edits in of_sentence.items()}
        for of_sentence in by_sentence
    ]
