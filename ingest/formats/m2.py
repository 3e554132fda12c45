"""M2: a sentence with the edits of its annotators (Dahlmeier and Ng 2012).

    S This are a sentence .
    A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||0

`start end` are token positions, counted from 0, end exclusive; start = end inserts. An empty
correction or `-NONE-` deletes, `||` separates alternatives, and the type `noop` with the span
`-1 -1` says that the annotator changed nothing. Edits that correct nothing have a kind of their own
(ingest/formats/edit_kinds.py). Blocks end at a blank line or at the next S line.
"""

import re
from collections.abc import Sequence

from ingest.findings import Findings, quote
from ingest.formats.annotation_file import (
    NOOP,
    AnnotationFile,
    BadEdits,
    Edit,
    Sentence,
    is_noop_type,
    out_of_range,
    span_fault,
)
from ingest.formats.edit_kinds import NOTHING, with_kinds

SPAN = re.compile(r"(-?[0-9]{1,9}) +(-?[0-9]{1,9})", re.ASCII)
BARS = re.compile(r"\|{2,}")
# Stored edits are set apart by these; no text of a sentence holds them.
SEPARATORS = re.compile("[\x1c-\x1f]")


def parse_m2(
    lines: Sequence[str], shown: str, findings: Findings, bad_edits: BadEdits = "refuse"
) -> AnnotationFile:
    """Return the sentences and edits; each fault becomes a finding and its line is left out.

    Overlapping and duplicated edits of one annotator are data, not faults. `bad_edits` says what
    becomes of edits whose span is none of their sentence.
    """
    parsed = AnnotationFile()
    sentence: Sentence | None = None
    for number, line in enumerate(lines, start=1):
        if line.startswith("A "):
            if sentence is None:
                findings.add(
                    shown,
                    number,
                    f"an A line that no S line precedes: {quote(line)}",
                    "an S line at the start of every block",
                    "Put the sentence's S line above it, without a blank line between.",
                )
                continue
            edit = _edit(
                line, number, len(parsed.sentences) - 1, sentence, shown, findings, bad_edits
            )
            if edit is not None:
                parsed.edits.append(edit)
        elif line.startswith("S ") or line == "S":
            text = line[2:]
            sentence = Sentence(number, text, text.split())
            parsed.sentences.append(sentence)
        elif not line.strip():
            sentence = None
        else:
            findings.add(
                shown,
                number,
                f"a line that starts neither with S nor with A: {quote(line)}",
                'M2: "S " and a sentence, "A " and an edit, or a blank line',
                "Correct or remove the line.",
            )
    return with_kinds(parsed)


def _edit(
    line: str,
    number: int,
    sentence_id: int,
    sentence: Sentence,
    shown: str,
    findings: Findings,
    bad_edits: BadEdits,
) -> Edit | None:
    fields = _fields(line[2:])
    if fields is None:
        findings.add(
            shown,
            number,
            f"{len(line.split('|||'))} fields: {quote(line)}",
            "6 fields: start end|||type|||correction|||REQUIRED|||-NONE-|||annotator",
            "Write all six fields, separated by three bars.",
        )
        return None
    span_text, error_type, correction, required, comment, annotator = fields
    annotator = annotator.strip()
    if not error_type.strip() or not annotator:
        empty = "annotator" if error_type.strip() else "error type"
        findings.add(
            shown,
            number,
            f"an empty {empty}: {quote(line)}",
            f"an {empty}",
            f"Fill in the {empty}.",
        )
        return None
    separator = SEPARATORS.search(line)
    if separator is not None:
        findings.add(
            shown,
            number,
            f"the control character {separator[0]!r}",
            "an edit of printable text",
            "Remove the character.",
        )
        return None
    span = SPAN.fullmatch(span_text.strip())
    if span is None:
        findings.add(
            shown,
            number,
            f"the span {quote(span_text)}",
            "two whole numbers: the first token and the one after the last",
            "Count the sentence's tokens from 0 and write start and end.",
        )
        return None
    start, end = int(span[1]), int(span[2])
    fault = _span_fault(start, end, len(sentence.tokens), error_type)
    treatment = None
    if fault is not None:
        treatment = None if error_type == NOOP else out_of_range(start, end, bad_edits)
        if treatment is None:
            findings.add(shown, number, *fault)
            return None
    return Edit(
        line=number,
        sentence_id=sentence_id,
        annotator=annotator,
        edit_index=None,
        start_token=start,
        end_token=end,
        error_type=error_type,
        correction="" if correction == NOTHING else correction,
        required=required,
        comment=comment,
        out_of_range=treatment,
    )


def _fields(line: str) -> list[str] | None:
    """Return the six fields; None where there are fewer or more.

    The correction is what the two fields before it and the three after it leave, because an empty
    alternative at its edge, as in `the||`, adjoins the bars that separate fields.
    """
    before = line.split("|||", 2)
    after = before[-1].rsplit("|||", 3)
    fields = [*before[:-1], *after]
    if len(before) < 3 or len(after) < 4:
        return None
    has_more = any(len(bars) % 2 for bars in BARS.findall(after[0]))
    return None if has_more else fields


def _span_fault(start: int, end: int, tokens: int, error_type: str) -> tuple[str, str, str] | None:
    """Return what was found, what was expected and the remedy; None for a good span."""
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
