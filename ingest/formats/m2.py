"""M2: a sentence with the edits of its annotators (Dahlmeier and Ng 2012).

    S This are a sentence .
    A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0

`start end` are token positions, counted from 0, with an exclusive end; start = end inserts. An
empty correction or `-NONE-` deletes. `||` separates alternatives. The type `noop` with the span `-1
-1` says that the annotator changed nothing. Edits without a correction have their own kind
(ingest/formats/annotation_file.py). Blocks end at a blank line or at the next S line.

ChERRANT groups the edits of an annotator by the target text that they produce (`T0-A0`, and `T0-A1`
for other edits with the same target). Each group becomes an annotator, `0` and `0-A1`.
"""

import re
from collections.abc import Sequence

from maege.ingest.findings import FaultError, Findings, quote
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
from maege.ingest.formats.common import Dialect, dialect_of, may_be_m2, refuse_dialect, shown_start

SPAN = re.compile(r"(-?[0-9]{1,9})[ \t]+(-?[0-9]{1,9})", re.ASCII)
BARS = re.compile(r"\|{2,}")
# Separators of stored edits; no text of a sentence contains them.
SEPARATORS = re.compile("[\x1c-\x1f]")
# ChERRANT's line above the edits that produce one target in one way.
TARGET = re.compile(r"T[0-9]+(?:-A([0-9]+))?(?:[ \t].*)?", re.ASCII | re.DOTALL)
# ChERRANT's type if an annotator did not annotate the sentence.
NOT_ANNOTATED = "NA"
FIELDS = "start end|||type|||correction|||REQUIRED|||-NONE-|||annotator"
REQUIRED = "REQUIRED"
ERRANT_TYPE = re.compile(r"[MRU]:[A-Z]+(?::[A-Z]+)*")


def parse_m2(
    lines: Sequence[str], shown: str, findings: Findings, bad_edits: BadEdits = "refuse"
) -> AnnotationFile:
    """Return the sentences and edits of an M2 file. Faulty lines are skipped, with a finding each.

    Overlapping and duplicated edits of one annotator are data, not faults. `bad_edits` decides what
    happens to edits whose span is outside their sentence. A file that is not M2, or has its fields
    in another order, gets one finding.
    """
    if not may_be_m2(lines) and any(line.strip() for line in lines):
        text = Dialect(
            f"{len(lines)} lines of text, such as {shown_start(lines)}",
            "Name it as texts of a reference set, and have its edits extracted: "
            "annotations: {NAME: {extracted_from: SET}}.",
        )
        refuse_dialect(dialect_of(lines) or text, shown, "M2", findings)
        return AnnotationFile()
    reader = _Reader(bad_edits)
    for number, line in enumerate(lines, start=1):
        try:
            reader.read(number, line.lstrip("\ufeff \t"))
        except FaultError as error:
            reader.faults[number] = error.fault
    for number, fault in reader.all_faults().items():
        findings.add(shown, number, *fault)
    return with_kinds(reader.parsed)


class _Reader:
    """Reads lines one after the other, and tracks the current sentence and target."""

    def __init__(self, bad_edits: BadEdits) -> None:
        self.parsed = AnnotationFile()
        # The fault of each line, by line number.
        self.faults: dict[int, tuple[str, str, str]] = {}
        self._bad_edits = bad_edits
        self._sentence: Sentence | None = None
        # The number of the way in which the edits produce the target.
        self._way = ""
        self._edit_lines = 0
        # Lines whose fields seem to be in another order; a no-op always shows it.
        self._in_other_order: dict[int, str] = {}
        self._has_other_noop = False
        self._misshapen: list[int] = []

    def read(self, number: int, line: str) -> None:
        """Process one line of the file."""
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
            raise FaultError(
                f"a line that starts neither with S nor with A: {quote(line)}",
                'M2: "S " and a sentence, "A " and an edit, or a blank line',
                "Correct or remove the line.",
            )

    def all_faults(self) -> dict[int, tuple[str, str, str]]:
        """Return the faults by line, but only one if all edits are of another form."""
        strange = sorted({*self._in_other_order, *self._misshapen})
        is_all = len(strange) == self._edit_lines and (self._in_other_order or len(strange) > 1)
        if not is_all and not self._has_other_noop:
            return self.faults
        first = strange[0]
        problem = self._in_other_order.get(first) or self.faults[first][0]
        return {
            first: (
                f"M2 of another form, in all its {self._edit_lines} A lines; here {problem}",
                f"A {FIELDS}",
                "Write the fields in this order, separated by three bars.",
            )
        }

    def _read_edit(self, number: int, line: str) -> None:
        self._edit_lines += 1
        if self._sentence is None:
            raise FaultError(
                f"an A line that no S line precedes: {quote(line)}",
                "an S line at the start of every block",
                "Put the sentence's S line above it, without a blank line between.",
            )
        self._misshapen.append(number)
        (start, end), (error_type, correction, required, comment, annotator) = _edit_fields(line)
        self._misshapen.pop()
        if error_type == NOT_ANNOTATED and start < 0:
            detail = f"annotator {annotator} did not annotate the sentence"
            self.parsed.left_out.append(LeftOut(number, MARKED_ABSENT, detail))
            return
        if _is_in_other_order(error_type, correction, required, comment, annotator):
            self._in_other_order[number] = quote(line)
            is_nothing = error_type in ("", NOTHING) and is_noop_type(correction)
            self._has_other_noop = self._has_other_noop or (is_nothing and start < 0)
        if not error_type or not annotator:
            empty = "annotator" if error_type else "error type"
            raise FaultError(
                f"an empty {empty}: {quote(line)}", f"an {empty}", f"Fill in the {empty}."
            )
        if separator := SEPARATORS.search(line):
            raise FaultError(
                f"the control character {separator[0]!r}",
                "an edit of printable text",
                "Remove the character.",
            )
        treatment = None
        fault = _span_fault(start, end, len(self._sentence.tokens), error_type)
        if fault is not None:
            if error_type != NOOP:
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


def _edit_fields(line: str) -> tuple[tuple[int, int], tuple[str, str, str, str, str]]:
    """Return the span of an edit line, and its other fields; raise FaultError if it has none."""
    fields = _fields(line[2:].strip())
    if fields is None:
        raise FaultError(
            f"{len(line.split('|||'))} fields: {quote(line)}",
            f"6 fields: {FIELDS}",
            "Write all six fields, separated by three bars.",
        )
    span = SPAN.fullmatch(fields[0].strip())
    if span is None:
        raise FaultError(
            f"the span {quote(fields[0])}",
            "two whole numbers: the first token and the one after the last",
            "Count the sentence's tokens from 0 and write start and end.",
        )
    _, error_type, correction, required, comment, annotator = fields
    other_fields = (error_type.strip(), correction, required, comment, annotator.strip())
    return (int(span[1]), int(span[2])), other_fields


def _is_in_other_order(error_type: str, correction: str, required: str, *other_fields: str) -> bool:
    if REQUIRED in (error_type, correction, *other_fields) and required != REQUIRED:
        return True
    is_type = ERRANT_TYPE.fullmatch(correction) is not None or is_noop_type(correction)
    return is_type and ERRANT_TYPE.fullmatch(error_type) is None


def _fields(line: str) -> list[str] | None:
    """Return the six fields of an edit line, or None if their number is wrong.

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


def _span_fault(start: int, end: int, tokens: int, error_type: str) -> tuple[str, str, str] | None:
    """Return found, expected and remedy of a faulty span; None for a good span."""
    if is_noop_type(error_type) and (start, end) == (-1, -1):
        return None
    if error_type == NOOP:
        return (
            f"a noop with the span {start} {end}",
            "the span -1 -1, because a no-op changes nothing",
            "Write -1 -1, or give the edit its error type.",
        )
    if start < 0:
        return (
            f"the span {start} {end}, which starts before the sentence",
            "a start of 0 or more; -1 -1 belongs to the type noop",
            "Correct the span, or write the type noop.",
        )
    return span_fault(start, end, tokens)
