"""What a file of annotations holds, in whichever format: sentences, and edits by annotator."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

NOOP = "noop"
# As some files write it.
NOOP_TYPES = {NOOP, "no_op", "no-op"}
ALTERNATIVE_SEPARATOR = "||"
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


class Edit(NamedTuple):
    """An edit of one annotator, or the no-op of one who changed nothing (span -1 -1).

    `edit_index` counts an annotator's edits of a sentence; None for a no-op. `error_group` is the
    error that the edit belongs to, where the format groups edits (the I-measure's XML). `kind` and
    `edit_index` are as in `maege.ingest.formats.edit_kinds` once a file is read.
    `out_of_range` says that the span is none of the sentence, and what became of the edit:
    `skipped` (it has no index then) or `kept`.
    """

    line: int
    sentence_id: int
    annotator: str
    edit_index: int | None
    start_token: int
    end_token: int
    error_type: str
    correction: str
    required: str
    comment: str
    error_group: str | None = None
    out_of_range: Literal["skipped", "kept"] | None = None
    kind: Kind = "correction"


class LeftOut(NamedTuple):
    """Something of a file that is not used, and why."""

    line: int
    kind: str
    detail: str


@dataclass
class AnnotationFile:
    """The sentences and edits of a file, in file order, and what was left out."""

    sentences: list[Sentence] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def annotators(self) -> list[str]:
        """The annotators with at least one line, sorted."""
        return sorted({edit.annotator for edit in self.edits})


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
