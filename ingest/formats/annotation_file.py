"""Annotations as all readers return them: sentences, edits, kinds of edits."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from maege.analysis.edits import BARS, Edit

# --- Sentences, and edits by annotator ---

NOOP = "noop"
# As some files write it.
NOOP_TYPES = {NOOP, "no_op", "no-op"}
# What a file writes for a correction without text.
NOTHING = "-NONE-"
DIGITS = "0123456789"
LONGEST_NUMBER = 18

# What becomes of edits whose span is none of their sentence: a finding; left out; gold that nothing
# can match, where they end beyond the sentence.
BadEdits = Literal["refuse", "skip", "keep"]


# An edit changes the text, marks an error without correcting it, or says that there is none.
Kind = Literal["correction", "detection", "none"]


class Sentence(NamedTuple):
    """A source sentence: its line in the file, its text and its tokens."""

    line: int
    text: str
    tokens: list[str]


class EditLine(NamedTuple):
    """An edit of one annotator, with its place and details in a file.

    `edit_index` counts an annotator's edits of a sentence; None for a no-op, an edit of the span
    -1 -1. `kind` and `edit_index` are as in `maege.ingest.formats.annotation_file` once a
    file is read. `out_of_range` says that the span is none of the sentence, and what became of the
    edit: `skipped` (it has no index then) or `kept`.
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
        """The text of the correction as raw tables hold it: alternatives with bars between."""
        return BARS.join(self.edit.corrections)

    @property
    def columns(self) -> tuple[object, ...]:
        """The columns of raw tables from `edit_index` to `comment`."""
        start, end, error_type, *_ = self.edit
        about = self.required, self.comment
        return self.edit_index, start, end, error_type, self.correction, *about


def edit_of(
    start: int, end: int, error_type: str, correction: str, error_group: str | None = None
) -> Edit:
    """Return the edit of a raw table; bars separate alternatives unless it has an error group."""
    texts = alternatives(correction) if error_group is None else [correction]
    return Edit(start, end, error_type, tuple(texts), error_group or "")


def stored_line(line: int, sentence_id: int, annotator: str, *columns: Any) -> EditLine:  # noqa: ANN401
    """Return the edit of a row: as for `edit_of`, then required to kind."""
    return EditLine(line, sentence_id, annotator, edit_of(*columns[:5]), *columns[5:])


def alternatives(correction: str) -> list[str]:
    """Return the alternatives that M2 writes so, `-NONE-` as no text."""
    return ["" if text.strip() == NOTHING else text for text in correction.split(BARS)]


def no_op(line: int, sentence_id: int, annotator: str, required: str = "") -> EditLine:
    """Return the line of an annotator who changed nothing."""
    return EditLine(line, sentence_id, annotator, Edit(-1, -1, NOOP, ("",)), required, kind="none")


# The kind of a remark that the sentence was not annotated, or not corrected.
MARKED_ABSENT = "not_annotated"


# The kind of an edit that an annotator's lines for a sentence have twice.
REPEATED_EDIT = "repeated_edit"


class LeftOut(NamedTuple):
    """Something of a file that is not used or looks wrong, and why."""

    line: int
    kind: str
    detail: str


@dataclass
class AnnotationFile:
    """The sentences and edits of a file, in file order, and what was left out."""

    sentences: list[Sentence] = field(default_factory=list)
    edits: list[EditLine] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def annotators(self) -> list[str]:
        """The annotators with at least one line, sorted."""
        return sorted({edit.annotator for edit in self.edits})


def repeated_edits(edits: Iterable[EditLine]) -> LeftOut | None:
    """Return how many edits repeat one of the same annotator and sentence, at the first of them.

    None if there is none. All of them count, as in the published scorers.
    """
    known: set[tuple[int, str, int, int, tuple[str, ...]]] = set()
    repeated: list[EditLine] = []
    for line in edits:
        edit = line.edit
        key = line.sentence_id, line.annotator, edit.start, edit.end, edit.corrections
        if line.kind == "correction" and key in known:
            repeated.append(line)
        known.add(key)
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
    """A text has what a format cannot hold; the message says where."""


def is_noop_type(error_type: str) -> bool:
    """Return whether the type says that there is nothing to correct."""
    return error_type.lower() in NOOP_TYPES


def annotator_order(annotator: str) -> tuple[str, int, str]:
    """Return the key that sorts annotators as the warehouse does: A2 before A10."""
    stem = annotator.rstrip(DIGITS)
    digits = annotator[len(stem) :]
    return stem, int(digits) if 0 < len(digits) <= LONGEST_NUMBER else -1, annotator


def out_of_range(start: int, end: int, bad_edits: BadEdits) -> Literal["skipped", "kept"] | None:
    """Return what becomes of an edit with a bad span; None where it is refused."""
    if bad_edits == "skip":
        return "skipped"
    return "kept" if bad_edits == "keep" and 0 <= start <= end else None


def span_fault(start: int, end: int, tokens: int) -> tuple[str, str, str] | None:
    """Return what was found, what was expected and the remedy; None for a good span."""
    if start > end:
        return (
            f"the span {start} {end}, which runs backwards",
            "a start that is at most the end",
            "Exchange the two numbers.",
        )
    if end > tokens:
        return (
            f"the span {start} {end}, which ends beyond the sentence",
            f"an end of at most {tokens}, the sentence's number of tokens",
            "Correct the span, or check that the edit stands under its own sentence; or leave such "
            "edits out: maege ingest --bad-edits skip.",
        )
    return None


# --- Kinds of edits: correction, detection without correction, none ---
#
# An edit without a correction is stored and shown, but is in no text, no lattice and no gold.

# ERRANT's type for an error that an annotator marked and did not correct.
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


# --- Languages without blanks between words ---

# Words and numbers in Latin letters stay whole.
CHARACTERS = re.compile(r"[A-Za-z]+|[0-9]+|\S")


def characters(text: str) -> list[str]:
    """Return the characters of the text, and its words and numbers in Latin letters."""
    return CHARACTERS.findall(text)


def in_characters(text: str) -> str:
    """Return the text with a blank between its characters."""
    return " ".join(characters(text))
