"""What an edit of a file is: a correction, a detection that corrects nothing, or nothing at all.

What is no correction is stored and shown, and stands in no text, no lattice and no gold.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from maege.ingest.formats.annotation_file import (
    ALTERNATIVE_SEPARATOR,
    AnnotationFile,
    Edit,
    Kind,
    is_noop_type,
)

NOTHING = "-NONE-"
# ERRANT's type for an error that somebody found and did not correct.
UNKNOWN = "UNK"


def edit_kind(
    start: int,
    end: int,
    error_type: str,
    correction: str,
    tokens: Sequence[str],
    *,
    unknown_corrects: bool = False,
) -> Kind:
    """Return the kind of an edit of the tokens of a source.

    Of alternatives the first counts, because texts are made with it. What UNK marks and gives no
    text was found and not corrected; with `unknown_corrects` it is deleted, as by programs that
    write UNK for any type. NUCLE's `Um` is like other types: the official texts apply it.
    """
    first = correction.split(ALTERNATIVE_SEPARATOR, 1)[0]
    words = [] if first == NOTHING else first.split()
    is_noop = is_noop_type(error_type)
    if (is_noop and start < 0) or words == list(tokens[start:end]):
        return "none" if is_noop else "detection"
    if error_type == UNKNOWN and not words and not unknown_corrects:
        return "detection"
    return "correction"


def unknown_corrects(edits: Iterable[Edit]) -> bool:
    """Return whether UNK stands for any type: nothing else does, and some have a text."""
    types: set[str] = set()
    has_text = False
    for edit in edits:
        if edit.kind != "none":
            types.add(edit.error_type)
            has_text = has_text or edit.correction not in ("", NOTHING)
    return types == {UNKNOWN} and has_text


def with_kinds(parsed: AnnotationFile) -> AnnotationFile:
    """Return the file with the kind of every edit, and the place of all that are not nothing."""
    corrects = unknown_corrects(parsed.edits)
    edits: list[Edit] = []
    so_far: Counter[tuple[int, str]] = Counter()
    for edit in parsed.edits:
        kind = edit_kind(
            edit.start_token,
            edit.end_token,
            edit.error_type,
            edit.correction,
            parsed.sentences[edit.sentence_id].tokens,
            unknown_corrects=corrects,
        )
        index = None
        if kind != "none" and edit.out_of_range != "skipped":
            key = edit.sentence_id, edit.annotator
            index = so_far[key]
            so_far[key] += 1
        edits.append(edit._replace(kind=kind, edit_index=index))
    return replace(parsed, edits=edits)
