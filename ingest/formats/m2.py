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

from maege.ingest.findings import Findings, quote
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
from maege.ingest.formats.common import (
    Dialect,
    dialect_of,
    may_be_m2,
    refuse_dialect,
    shown_start,
)

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
# Above this number of lines with the same fault, there is only one finding.
MOST_ALIKE = 3

# Found, expected and remedy of a fault.
Fault = tuple[str, str, str]


def parse_m2(
    lines: Sequence[str], shown: str, findings: Findings, bad_edits: BadEdits = "refuse"
) -> AnnotationFile:
    """Return the sentences and edits of an M2 file. Faulty lines are skipped, with a finding each.

    Overlapping and duplicated edits of one annotator are data, not faults. `bad_edits` decides what
    happens to edits whose span is outside their sentence. A file that is not M2, or has its fields
    in another order, gets one finding.
    """
    if not may_be_m2(lines):
        text = Dialect(
            f"{len(lines)} lines of text, such as {shown_start(lines)}",
            "Name it as texts of a reference set, and have its edits extracted: "
            "annotations: {NAME: {extracted_from: SET}}.",
        )
        is_empty = not any(line.strip() for line in lines)
        dialect = dialect_of(lines) or (None if is_empty else text)
        if refuse_dialect(dialect, shown, "M2", findings):
            return AnnotationFile()
    reader = _Reader(shown, findings, bad_edits)
    for number, line in enumerate(lines, start=1):
        reader.read(number, line.lstrip("\ufeff \t"))
    reader.report()
    return with_kinds(reader.parsed)


class _Reader:
    """Reads lines one after the other, and tracks the current sentence and target."""

    def __init__(self, shown: str, findings: Findings, bad_edits: BadEdits) -> None:
        self.parsed = AnnotationFile()
        self._shown = shown
        self._findings = findings
        self._bad_edits = bad_edits
        self._sentence: Sentence | None = None
        # The number of the way in which the edits produce the target.
        self._way = ""
        self._edit_lines = 0
        # Lines whose fields seem to be in another order; a no-op always shows it.
        self._in_other_order: dict[int, str] = {}
        self._has_other_noop = False
        self._misshapen: list[int] = []
        self._of_another_kind: list[int] = []
        # The first fault of each line, by line number.
        self._faults: dict[int, Fault] = {}

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
            self._of_another_kind.append(number)
            self._faults[number] = (
                f"a line that starts neither with S nor with A: {quote(line)}",
                'M2: "S " and a sentence, "A " and an edit, or a blank line',
                "Correct or remove the line.",
            )

    def report(self) -> None:
        """Add the findings, but only one if all edits, or many lines, have the same fault."""
        strange = sorted({*self._in_other_order, *self._misshapen})
        is_all = len(strange) == self._edit_lines and (self._in_other_order or len(strange) > 1)
        if is_all or self._has_other_noop:
            first = strange[0]
            found = self._in_other_order.get(first) or self._faults[first][0]
            self._faults = {
                first: (
                    f"M2 of another form, in all its {self._edit_lines} A lines; here {found}",
                    f"A {FIELDS}",
                    "Write the fields in this order, separated by three bars.",
                )
            }
        others = self._of_another_kind
        if len(others) > MOST_ALIKE:
            found, expected, _ = self._faults[others[0]]
            for number in others[1:]:
                self._faults.pop(number, None)
            self._faults[others[0]] = (
                f"{len(others)} lines of another kind; here {found}",
                expected,
                "Correct or remove the lines.",
            )
        for number, fault in self._faults.items():
            self._findings.add(self._shown, number, *fault)

    def _read_edit(self, number: int, line: str) -> None:
        self._edit_lines += 1
        if self._sentence is None:
            self._faults[number] = (
                f"an A line that no S line precedes: {quote(line)}",
                "an S line at the start of every block",
                "Put the sentence's S line above it, without a blank line between.",
            )
            return
        fields = _fields(line[2:].strip())
        span = None if fields is None else SPAN.fullmatch(fields[0].strip())
        if fields is None or span is None:
            self._misshapen.append(number)
            self._faults[number] = _shape_fault(line, fields)
            return
        _, error_type, correction, required, comment, annotator = fields
        error_type, annotator = error_type.strip(), annotator.strip()
        start, end = int(span[1]), int(span[2])
        if error_type == NOT_ANNOTATED and start < 0:
            detail = f"annotator {annotator} did not annotate the sentence"
            self.parsed.left_out.append(LeftOut(number, MARKED_ABSENT, detail))
            return
        if _is_in_other_order(error_type, correction, required, comment, annotator):
            self._in_other_order[number] = quote(line)
            is_nothing = error_type in ("", NOTHING) and is_noop_type(correction)
            self._has_other_noop = self._has_other_noop or (is_nothing and start < 0)
        fault = _field_fault(line, error_type, annotator)
        treatment = None
        if fault is None:
            fault = _span_fault(start, end, len(self._sentence.tokens), error_type)
            if fault is not None and error_type != NOOP:
                treatment = out_of_range(start, end, self._bad_edits)
        if fault is not None and treatment is None:
            self._faults[number] = fault
            return
        self.parsed.edits.append(
            EditLine(
                number,
                len(self.parsed.sentences) - 1,
                self._annotator(annotator),
                edit_of(start, end, error_type, correction),
                required,
                comment,
                treatment,
            )
        )

    def _annotator(self, written: str) -> str:
        return written if self._way in ("", "0") else f"{written}-A{self._way}"


def _shape_fault(line: str, fields: list[str] | None) -> Fault:
    if fields is None:
        return (
            f"{len(line.split('|||'))} fields: {quote(line)}",
            f"6 fields: {FIELDS}",
            "Write all six fields, separated by three bars.",
        )
    return (
        f"the span {quote(fields[0])}",
        "two whole numbers: the first token and the one after the last",
        "Count the sentence's tokens from 0 and write start and end.",
    )


def _field_fault(line: str, error_type: str, annotator: str) -> Fault | None:
    if not error_type or not annotator:
        empty = "annotator" if error_type else "error type"
        return f"an empty {empty}: {quote(line)}", f"an {empty}", f"Fill in the {empty}."
    separator = SEPARATORS.search(line)
    if separator is not None:
        return (
            f"the control character {separator[0]!r}",
            "an edit of printable text",
            "Remove the character.",
        )
    return None


def _is_in_other_order(error_type: str, correction: str, required: str, *others: str) -> bool:
    if REQUIRED in (error_type, correction, *others) and required != REQUIRED:
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
