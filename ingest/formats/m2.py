"""M2: a sentence with the edits of its annotators (Dahlmeier and Ng 2012; docs/corpora.md).

    S This are a sentence .
    A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0

Blocks end at a blank line or at the next S line. ChERRANT groups the edits of an annotator by the
target text that they produce (`T0-A0`, and `T0-A1` for other edits with the same target). Each
group becomes an annotator, `0` and `0-A1`.
"""

import re
from collections.abc import Sequence

from maege.ingest.findings import Add, FaultError, quote
from maege.ingest.formats.annotation_file import (
    MARKED_ABSENT,
    NOOP,
    NOTHING,
    AnnotationFile,
    BadEdits,
    EditLine,
    LeftOut,
    Sentence,
    edit_of,
    is_noop_type,
    out_of_range,
    span_fault,
    with_kinds,
)
from maege.ingest.formats.common import DETAILED, SENTENCE, other_kind

SPAN = re.compile(r"(-?[0-9]{1,9})[ \t]+(-?[0-9]{1,9})", re.ASCII)
BARS = re.compile(r"\|{2,}")
# Separators of stored edits; no text of a sentence contains them.
SEPARATORS = re.compile("[\x1c-\x1f]")
# ChERRANT's line above the edits that produce one target in one way.
TARGET = re.compile(r"T[0-9]+(?:-A([0-9]+))?(?:[ \t].*)?", re.ASCII | re.DOTALL)
# ChERRANT's type if an annotator did not annotate the sentence.
NOT_ANNOTATED = "NA"
REQUIRED = "REQUIRED"
ERRANT_TYPE = re.compile(r"[MRU]:[A-Z]+(?::[A-Z]+)*")


def parse_m2(lines: Sequence[str], add: Add, bad_edits: BadEdits = "refuse") -> AnnotationFile:
    """Return the content; overlapping and repeated edits of an annotator are data, not faults."""
    text = [line for line in lines if line.strip()]
    if text and not any(SENTENCE.match(line) or DETAILED.match(line) for line in text):
        kind = other_kind(lines) or f"{len(lines)} lines of text"
        add(
            0,
            f"{kind}, such as {quote(text[0])}",
            "M2",
            "Write M2; or name texts under references, and have their edits extracted: "
            "annotations: {NAME: {extracted_from: SET}}.",
        )
        return AnnotationFile()
    reader = _Reader(bad_edits)
    for number, line in enumerate(lines, start=1):
        try:
            reader.read(number, line.lstrip("\ufeff \t"))
        except FaultError as error:
            add(number, *error.fault)
    return with_kinds(reader.parsed)


def _fault(problem: str, line: str) -> FaultError:
    return FaultError(
        f"{problem}: {quote(line)}",
        'M2: "S " and a sentence, then its edits as A start end|||type|||correction|||REQUIRED|||'
        "-NONE-|||annotator; or a blank line",
        "Correct or remove the line: write all six fields in this order, separated by three bars, "
        "and count tokens from 0. Only a noop has the span -1 -1.",
    )


class _Reader:
    def __init__(self, bad_edits: BadEdits) -> None:
        self.parsed = AnnotationFile()
        self._bad_edits = bad_edits
        self._sentence: Sentence | None = None
        # Number of the way in which the edits produce ChERRANT's target.
        self._way = ""

    def read(self, number: int, line: str) -> None:
        target = TARGET.fullmatch(line)
        if line.startswith(("A ", "A\t")):
            self._read_edit(number, line)
        elif line.startswith(("S ", "S\t")) or line == "S":
            text = line[2:]
            self._sentence = Sentence(number, text, text.split())
            self._way = ""
            self.parsed.sentences.append(self._sentence)
        elif not line.strip():
            self._sentence = None
        elif target is not None and self._sentence is not None:
            self._way = target[1] or ""
        else:
            raise _fault("a line that starts neither with S nor with A", line)

    def _read_edit(self, number: int, line: str) -> None:
        if self._sentence is None:
            raise _fault("an A line that no S line precedes", line)
        start, end, error_type, correction, required, comment, annotator = _edit_fields(line)
        if error_type == NOT_ANNOTATED and start < 0:
            detail = f"annotator {annotator} did not annotate the sentence"
            self.parsed.left_out.append(LeftOut(number, MARKED_ABSENT, detail))
            return
        is_swapped = error_type in (REQUIRED, NOTHING) or (
            ERRANT_TYPE.fullmatch(correction) and not ERRANT_TYPE.fullmatch(error_type)
        )
        if not error_type or not annotator or is_swapped:
            raise _fault("an edit without type or annotator, or with swapped fields", line)
        if SEPARATORS.search(line):
            raise _fault("a control character", line)
        changes_nothing = is_noop_type(error_type) and (start, end) == (-1, -1)
        if error_type == NOOP and not changes_nothing:
            raise _fault("a noop with a span", line)
        treatment = None
        fault = span_fault(start, end, len(self._sentence.tokens))
        if fault is not None and not changes_nothing:
            treatment = out_of_range(start, end, self._bad_edits)
            if treatment is None:
                raise FaultError(*fault)
        self.parsed.edits.append(
            EditLine(
                number,
                len(self.parsed.sentences) - 1,
                annotator if self._way in ("", "0") else f"{annotator}-A{self._way}",
                edit_of(start, end, error_type, correction),
                required,
                comment,
                treatment,
            )
        )


def _edit_fields(line: str) -> tuple[int, int, str, str, str, str, str]:
    fields = _fields(line[2:].strip())
    span = None if fields is None else SPAN.fullmatch(fields[0].strip())
    if fields is None or span is None:
        raise _fault("no span of two whole numbers, or not six fields", line)
    _, error_type, correction, required, comment, annotator = fields
    others = (correction, required, comment, annotator.strip())
    return int(span[1]), int(span[2]), error_type.strip(), *others


def _fields(line: str) -> list[str] | None:
    """Return the six fields of an edit line, or None.

    The correction is everything between the first two fields and the last three, because an empty
    alternative at its edge, as in `the||`, touches the bars that separate fields. Some programs
    omit the last fields. The edit is then required, has no comment, and belongs to annotator 0 or
    to the annotator whose number is the last field.
    """
    fields = line.split("|||")
    if 3 <= len(fields) < 6:
        last = fields.pop() if len(fields) > 3 and fields[-1].strip().isdecimal() else "0"
        return [*fields, *(REQUIRED, NOTHING)[len(fields) - 3 :], last]
    before = line.split("|||", 2)
    after = before[-1].rsplit("|||", 3)
    fields = [*before[:-1], *after]
    if len(before) < 3 or len(after) < 4:
        return None
    has_more = any(len(bars) % 2 for bars in BARS.findall(after[0]))
    return None if has_more else fields
