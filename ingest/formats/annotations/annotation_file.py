"""What a file of annotations holds, in whichever format: sentences, and edits by annotator."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from maege.analysis.edits import BARS, Edit

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
    """Where an edit of one annotator stands in a file, and what the file says of it.

    `edit_index` counts an annotator's edits of a sentence; None for a no-op, an edit of the span
    -1 -1. `kind` and `edit_index` are as in `maege.ingest.formats.annotations.edit_kinds` once a
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


# The kind of what says that nobody annotated, or corrected, the sentence.
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
