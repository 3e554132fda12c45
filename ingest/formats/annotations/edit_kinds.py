"""What an edit of a file is: a correction, a detection that corrects nothing, or nothing at all.

What is no correction is stored and shown, and stands in no text, no lattice and no gold.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from maege.analysis.edits import Edit
from maege.ingest.formats.annotations.annotation_file import (
    AnnotationFile,
    EditLine,
    Kind,
    is_noop_type,
)

# ERRANT's type for an error that somebody found and did not correct.
UNKNOWN = "UNK"


def edit_kind(edit: Edit, tokens: Sequence[str], *, unknown_corrects: bool = False) -> Kind:
    """Return the kind of an edit of the tokens of a source.

    Of alternatives the first counts, because texts are made with it. What UNK marks and gives no
    text was found and not corrected; with `unknown_corrects` it is deleted, as by programs that
    write UNK for any type. NUCLE's `Um` is like other types: the official texts apply it.
    """
    words = edit.corrections[0].split()
    is_noop = is_noop_type(edit.error_type)
    if (is_noop and edit.start < 0) or words == list(tokens[edit.start : edit.end]):
        return "none" if is_noop else "detection"
    if edit.error_type == UNKNOWN and not words and not unknown_corrects:
        return "detection"
    return "correction"


def unknown_corrects(lines: Iterable[EditLine]) -> bool:
    """Return whether UNK stands for any type: nothing else does, and some put in other words."""
    types: set[str] = set()
    has_text = False
    for line in lines:
        if line.kind != "none":
            types.add(line.edit.error_type)
            is_correction = line.kind == "correction"
            has_text = has_text or (is_correction and any(line.edit.corrections))
    return types == {UNKNOWN} and has_text


def with_kinds(parsed: AnnotationFile) -> AnnotationFile:
    """Return the file with the kind of every edit, and the place of all that are not nothing."""
    lines = _lines_with_kinds(parsed, corrects=False)
    if unknown_corrects(lines):
        lines = _lines_with_kinds(parsed, corrects=True)
    so_far: Counter[tuple[int, str]] = Counter()
    placed: list[EditLine] = []
    for line in lines:
        index = None
        if line.kind != "none" and line.out_of_range != "skipped":
            key = line.sentence_id, line.annotator
            index = so_far[key]
            so_far[key] += 1
        placed.append(line._replace(edit_index=index))
    return replace(parsed, edits=placed)


def _lines_with_kinds(parsed: AnnotationFile, *, corrects: bool) -> list[EditLine]:
    return [
        line._replace(
            kind=edit_kind(
                line.edit, parsed.sentences[line.sentence_id].tokens, unknown_corrects=corrects
            )
        )
        for line in parsed.edits
    ]
