"""Edits of a sentence: the class that all modules share, and its serialisation as text.

An annotation is the list of one annotator's edits of a sentence; it is empty if the annotator
changed nothing. The gold of a sentence holds one annotation per annotator, or None for an annotator
without a line in the file.

The separators of a serialised annotation are white space, so no token contains them.
"""

from collections.abc import Iterable
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
    return tuple(map(parse_edit, filter(None, text.split(EDIT_SEPARATOR))))


# The paths to the nodes of a lattice are subsets of the same edits.
@lru_cache(maxsize=1 << 14)
def parse_edit(line: str) -> Edit:
    start, end, error_type, corrections, error_group = line.split(FIELD_SEPARATOR)
    alternatives = tuple(corrections.split(ALTERNATIVE_SEPARATOR))
    return Edit(int(start), int(end), error_type, alternatives, error_group)


def within(annotation: Annotation, source: str) -> Annotation:
    """Return the edits that end within the source. Nothing can match gold edits beyond its end."""
    n_tokens = len(source.split())
    return tuple(edit for edit in annotation if edit.end <= n_tokens)


def gold_annotations(gold: Iterable[str | None], source: str) -> list[Annotation | None]:
    return [None if text is None else within(parse_annotation(text), source) for text in gold]


def resolve_silence(gold: Iterable[str | None], silence: str | None) -> tuple[str | None, ...]:
    """Replace the marker of annotators without a line who found no error by `silence`."""
    return tuple(silence if text == SILENT else text for text in gold)
