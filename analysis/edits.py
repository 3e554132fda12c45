"""Edits of a sentence, the one class for all that reads or makes them, and the text of them.

An annotation is what one annotator did to a sentence: a list of edits, empty where the annotator
looked and changed nothing. The gold of a sentence holds one annotation per annotator, None for
those who left no line in the file. As text, an annotation is its edits one after the other, set
apart by a record separator, the fields of an edit by unit separators, and alternative corrections
by file separators. What several systems did to a sentence is one text, too, their annotations set
apart by a group separator. All four are white space, which no token holds; M2's `||`, which may
stand in any text, is one of files alone.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

EDIT_SEPARATOR = "\x1e"
FIELD_SEPARATOR = "\x1f"
ALTERNATIVE_SEPARATOR = "\x1c"
ANNOTATION_SEPARATOR = "\x1d"
# What alternatives are to programs that read M2 and do not know them: one text with bars in it.
BARS = "||"
# Stands in gold for an annotator who left no line and saw no error (macros/texts/annotations.sql).
SILENT = "\x1a"


class Edit(NamedTuple):
    """Tokens `start` to before `end` of the source replaced by one of `corrections`.

    `start == end` inserts, an empty correction deletes. `error_group` is the error that the edit
    belongs to where the gold itself says so (the I-measure's XML), '' elsewhere.
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


# Several families read the edits of a sentence one after the other.
@lru_cache(maxsize=4096)
def parse_annotation(text: str) -> Annotation:
    """Return the edits that `format_annotation` wrote, or the same text put together in SQL."""
    return tuple(map(parse_edit, filter(None, text.split(EDIT_SEPARATOR))))


# What leads to the nodes of a lattice are choices of the same edits.
@lru_cache(maxsize=1 << 14)
def parse_edit(line: str) -> Edit:
    """Return the edit that stands in the text of an annotation."""
    start, end, error_type, corrections, error_group = line.split(FIELD_SEPARATOR)
    alternatives = tuple(corrections.split(ALTERNATIVE_SEPARATOR))
    return Edit(int(start), int(end), error_type, alternatives, error_group)


def within(annotation: Annotation, source: str) -> Annotation:
    """Return the edits that end in the source: others are gold that nothing can match."""
    return _up_to(len(source.split()), annotation)


def gold_annotations(gold: Iterable[str | None], source: str) -> list[Annotation | None]:
    """Return the annotations of a source that something can match, None for who has no line."""
    n_tokens = len(source.split())
    return [None if text is None else _up_to(n_tokens, parse_annotation(text)) for text in gold]


def heard(gold: Iterable[str | None], silence: str | None) -> tuple[str | None, ...]:
    """Return the gold with `silence` for annotators who left no line and saw no error."""
    return tuple(silence if text == SILENT else text for text in gold)


def weighed(
    annotations: Sequence[str | None],
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """Return the gold of a list of weighed_gold, and what systems did, the last of its texts."""
    *gold, outputs = annotations
    return tuple(gold), tuple((outputs or "").split(ANNOTATION_SEPARATOR))


def _up_to(n_tokens: int, annotation: Annotation) -> Annotation:
    if all(edit.end <= n_tokens for edit in annotation):
        return annotation
    return tuple(edit for edit in annotation if edit.end <= n_tokens)
