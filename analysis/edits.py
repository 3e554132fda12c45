"""Edits of a sentence: the class that all modules share, and its serialisation as text.

An annotation is the list of one annotator's edits of a sentence. It is empty if the annotator read
the sentence and changed nothing. The gold of a sentence holds one annotation per annotator, or None
for an annotator without a line in the file.

In a serialised annotation, record separators stand between edits, unit separators between the
fields of one edit, and file separators between alternative corrections. Group separators stand
between the annotations of several systems in one text. All four characters are white space, so no
token contains them. M2's separator `||` may occur in any text and is used in M2 files only.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

EDIT_SEPARATOR = "\x1e"
FIELD_SEPARATOR = "\x1f"
ALTERNATIVE_SEPARATOR = "\x1c"
ANNOTATION_SEPARATOR = "\x1d"
# M2's separator of alternative corrections. Programs that do not know it read one text with bars.
BARS = "||"
# Marks an annotator without a line who found no error (macros/texts/annotations.sql).
SILENT = "\x1a"


class Edit(NamedTuple):
    """An edit that replaces the source tokens from `start` to `end` by one of `corrections`.

    `end` is exclusive. The edit inserts if `start == end` and deletes if the correction is empty.
    `error_group` is the id of the error that contains the edit in the I-measure's XML, else ''.
    """

    start: int
    end: int
    error_type: str
    corrections: tuple[str, ...]
    error_group: str = ""


Annotation = tuple[Edit, ...]


def format_annotation(edits: Iterable[Edit]) -> str:
    """Return the edits as one text; '' for an annotation without edits."""
    return EDIT_SEPARATOR.join(
        FIELD_SEPARATOR.join(
            (
                str(edit.start),
                str(edit.end),
                edit.error_type,
                ALTERNATIVE_SEPARATOR.join(edit.corrections),
                edit.error_group,
            )
        )
        for edit in edits
    )


# Several families read the edits of the same sentence one after the other.
@lru_cache(maxsize=4096)
def parse_annotation(text: str) -> Annotation:
    """Parse text that `format_annotation` or the SQL equivalent wrote."""
    return tuple(map(parse_edit, filter(None, text.split(EDIT_SEPARATOR))))


# The paths to the nodes of a lattice are subsets of the same edits.
@lru_cache(maxsize=1 << 14)
def parse_edit(line: str) -> Edit:
    start, end, error_type, corrections, error_group = line.split(FIELD_SEPARATOR)
    alternatives = tuple(corrections.split(ALTERNATIVE_SEPARATOR))
    return Edit(int(start), int(end), error_type, alternatives, error_group)


def within(annotation: Annotation, source: str) -> Annotation:
    """Return the edits that end within the source. Nothing can match gold edits beyond its end."""
    return _up_to(len(source.split()), annotation)


def gold_annotations(gold: Iterable[str | None], source: str) -> list[Annotation | None]:
    """Return the annotations of a source without edits beyond its end; None without a line."""
    n_tokens = len(source.split())
    return [None if text is None else _up_to(n_tokens, parse_annotation(text)) for text in gold]


def resolve_silence(gold: Iterable[str | None], silence: str | None) -> tuple[str | None, ...]:
    """Replace the marker of annotators without a line who found no error by `silence`."""
    return tuple(silence if text == SILENT else text for text in gold)


def split_weighed(
    annotations: Sequence[str | None],
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    *gold, outputs = annotations
    return tuple(gold), tuple((outputs or "").split(ANNOTATION_SEPARATOR))


def _up_to(n_tokens: int, annotation: Annotation) -> Annotation:
    if all(edit.end <= n_tokens for edit in annotation):
        return annotation
    return tuple(edit for edit in annotation if edit.end <= n_tokens)
