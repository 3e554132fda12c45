"""What a file of annotations holds, in whichever format: sentences, and edits by annotator."""

from dataclasses import dataclass, field
from typing import NamedTuple

NOOP = "noop"
ALTERNATIVE_SEPARATOR = "||"
DIGITS = "0123456789"
LONGEST_NUMBER = 18


class Sentence(NamedTuple):
    """A source sentence: its line in the file, its text and its tokens."""

    line: int
    text: str
    tokens: list[str]


class Edit(NamedTuple):
    """An edit of one annotator, or the no-op of one who changed nothing (span -1 -1).

    `edit_index` counts an annotator's edits of a sentence; None for a no-op. `error_group` is the
    error that the edit belongs to, where the format groups edits (the I-measure's XML).
    """

    line: int
    sentence_id: int
    annotator: str
    edit_index: int | None
    is_noop: bool
    start_token: int
    end_token: int
    error_type: str
    correction: str
    required: str
    comment: str
    error_group: str | None = None


@dataclass
class AnnotationFile:
    """The sentences and edits of a file, in file order."""

    sentences: list[Sentence] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)

    @property
    def annotators(self) -> list[str]:
        """The annotators with at least one line, sorted."""
        return sorted({edit.annotator for edit in self.edits})


def annotator_order(annotator: str) -> tuple[str, int, str]:
    """Return the key that sorts annotators as the warehouse does: A2 before A10."""
    stem = annotator.rstrip(DIGITS)
    digits = annotator[len(stem) :]
    return stem, int(digits) if 0 < len(digits) <= LONGEST_NUMBER else -1, annotator


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
            "Correct the span, or check that the edit stands under its own sentence.",
        )
    return None
