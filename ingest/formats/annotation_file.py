"""The annotations that all readers return: sentences, edits and kinds of edits."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from maege.analysis.edits import BARS, Edit

# --- Sentences, and edits by annotator ---

NOOP = "noop"
# Some files write the type in this way.
NOOP_TYPES = {NOOP, "no_op", "no-op"}
# The text of a correction without words in a file.
NOTHING = "-NONE-"
DIGITS = "0123456789"
LONGEST_NUMBER = 18

# Treatment of edits whose span is outside their sentence: a finding; skipped; or kept as gold that
# nothing can match, if they end beyond the sentence.
BadEdits = Literal["refuse", "skip", "keep"]


# An edit changes the text, marks an error without correcting it, or says that there is no error.
Kind = Literal["correction", "detection", "none"]


class Sentence(NamedTuple):
    line: int
    text: str
    tokens: list[str]


class EditLine(NamedTuple):
    """An edit of one annotator, with its line and details in a file.

    `edit_index` numbers an annotator's edits of a sentence; None for a no-op and for an edit that
    is `skipped`. `with_kinds` sets `kind` and `edit_index` after a file is read. `out_of_range` is
    set if the span is outside the sentence.
    """

    line: int
    sentence_id: int
    annotator: str
    edit: Edit
    required: str = ""
    comment: str = ""
    out_of_range: Literal["skipped", "kept"] | None = None
    edit_index: int | None = None
    kind: Kind = "correction"

    @property
    def correction(self) -> str:
        return BARS.join(self.edit.corrections)

    @property
    def columns(self) -> tuple[object, ...]:
        start, end, error_type, *_ = self.edit
        about = self.required, self.comment
        return self.edit_index, start, end, error_type, self.correction, *about


def edit_of(
    start: int, end: int, error_type: str, correction: str, error_group: str | None = None
) -> Edit:
    """Return the edit of a raw row; without an error group, bars separate alternatives."""
    texts = _alternatives(correction) if error_group is None else [correction]
    return Edit(start, end, error_type, tuple(texts), error_group or "")


def stored_line(line: int, sentence_id: int, annotator: str, *columns: Any) -> EditLine:  # noqa: ANN401
    """Return the edit of a raw table's row: the columns of `edit_of`, then `required` to `kind`."""
    return EditLine(line, sentence_id, annotator, edit_of(*columns[:5]), *columns[5:])


def _alternatives(correction: str) -> list[str]:
    return ["" if text.strip() == NOTHING else text for text in correction.split(BARS)]


def no_op(line: int, sentence_id: int, annotator: str, required: str = "") -> EditLine:
    return EditLine(line, sentence_id, annotator, Edit(-1, -1, NOOP, ("",)), required, kind="none")


# Kinds of remarks that the sentence was not annotated, or not corrected.
MARKED_ABSENT = "not_annotated"


# Kind of a repeated edit in an annotator's lines for a sentence.
REPEATED_EDIT = "repeated_edit"


class LeftOut(NamedTuple):
    """Content of a file that is not used or looks wrong, and why."""

    line: int
    kind: str
    detail: str


@dataclass
class AnnotationFile:
    sentences: list[Sentence] = field(default_factory=list)
    edits: list[EditLine] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def annotators(self) -> list[str]:
        return sorted({edit.annotator for edit in self.edits})


def repeated_edits(edits: Iterable[EditLine]) -> LeftOut | None:
    """Return the number of repeated edits, at the first, or None; published scorers count all."""
    keys: set[tuple[int, str, int, int, tuple[str, ...]]] = set()
    repeated: list[EditLine] = []
    for line in edits:
        edit = line.edit
        key = line.sentence_id, line.annotator, edit.start, edit.end, edit.corrections
        if line.kind == "correction" and key in keys:
            repeated.append(line)
        keys.add(key)
    if not repeated:
        return None
    first, n_repeated = repeated[0], len(repeated)
    detail = (
        f"{n_repeated:,} edit{'s repeat' if n_repeated > 1 else ' repeats'} an edit of the same "
        f"annotator, here tokens {first.edit.start} to {first.edit.end} of sentence "
        f"{first.sentence_id}; metrics count every line, so M2 may be above 1"
    )
    return LeftOut(first.line, REPEATED_EDIT, detail)


class UnwritableError(ValueError):
    """A text contains something that a format cannot represent; the message says where."""


def is_noop_type(error_type: str) -> bool:
    return error_type.lower() in NOOP_TYPES


def annotator_order(annotator: str) -> tuple[str, int, str]:
    """Return the key that sorts annotators as the warehouse does: A2 before A10."""
    stem = annotator.rstrip(DIGITS)
    digits = annotator[len(stem) :]
    return stem, int(digits) if 0 < len(digits) <= LONGEST_NUMBER else -1, annotator


def out_of_range(start: int, end: int, bad_edits: BadEdits) -> Literal["skipped", "kept"] | None:
    """Return the treatment of an edit with a bad span; None if it is rejected."""
    if bad_edits == "skip":
        return "skipped"
    return "kept" if bad_edits == "keep" and 0 <= start <= end else None


def span_fault(start: int, end: int, tokens: int) -> tuple[str, str, str] | None:
    """Return found, expected and remedy of a faulty span; None for a good span."""
    if 0 <= start <= end <= tokens:
        return None
    return (
        f"the span {start} {end} in a sentence of {tokens} tokens",
        f"a start from 0, and an end from the start to {tokens}; -1 -1 for the type noop",
        "Correct the span, or check that the edit stands under its own sentence; or leave such "
        "edits out: maege ingest --bad-edits skip.",
    )


# --- Kinds of edits: correction, detection without correction, none ---
#
# An edit without a correction is stored and shown, but is not part of any text, lattice or gold.

# ERRANT's type for an error that an annotator marked and did not correct.
UNKNOWN = "UNK"


def edit_kind(edit: Edit, tokens: Sequence[str], *, unknown_corrects: bool = False) -> Kind:
    """Return the kind of an edit of the tokens of a source.

    The first of several alternatives counts, because texts are built from it. An edit of type UNK
    without text is a detection, or a deletion if programs write UNK for any type
    (`unknown_corrects`). NUCLE's type `Um` is like other types: the official texts apply it.
    """
    words = edit.corrections[0].split()
    is_noop = is_noop_type(edit.error_type)
    if (is_noop and edit.start < 0) or words == list(tokens[edit.start : edit.end]):
        return "none" if is_noop else "detection"
    if edit.error_type == UNKNOWN and not words and not unknown_corrects:
        return "detection"
    return "correction"


def unknown_corrects(lines: Iterable[EditLine]) -> bool:
    """Return whether UNK is the only type and some edits have text: it is any type then."""
    edits = [line for line in lines if line.kind != "none"]
    has_text = any(line.kind == "correction" and any(line.edit.corrections) for line in edits)
    return has_text and {line.edit.error_type for line in edits} == {UNKNOWN}


def with_kinds(parsed: AnnotationFile) -> AnnotationFile:
    """Return the file with the kind of every edit, and an index for each except no-ops."""
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
    tokens = [sentence.tokens for sentence in parsed.sentences]
    return [
        line._replace(
            kind=edit_kind(line.edit, tokens[line.sentence_id], unknown_corrects=corrects)
        )
        for line in parsed.edits
    ]


# --- Languages without blanks between words ---

# Words and numbers in Latin letters are not split.
CHARACTERS = re.compile(r"[A-Za-z]+|[0-9]+|\S")


def characters(text: str) -> list[str]:
    return CHARACTERS.findall(text)


def in_characters(text: str) -> str:
    return " ".join(characters(text))
