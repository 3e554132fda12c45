"""Verdicts on single edits: each is a source, the source with the edit, and what judges said."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from maege.ingest.findings import listing, quote
from maege.ingest.judged.places import applied, changed_span, placed_edits
from maege.ingest.judged.table import Reading, TableRow


class EditVerdict(NamedTuple):
    """What was said of one edit: the word, and what it is worth; spans are in characters.

    `edited` is the source with this edit alone; span and text are None where the edit cannot be
    placed. `slot` counts the verdicts of an edit from 1 where nobody is named.
    """

    line: int
    task: str
    item: str
    edit: int
    start_char: int | None
    end_char: int | None
    original: str
    correction: str
    edited: str | None
    judge: str | None
    slot: int | None
    verdict: str
    value: float


class _Edit(NamedTuple):
    row: TableRow
    start: int | None
    end: int | None
    original: str
    correction: str
    edited: str | None


def read_verdicts(reading: Reading) -> list[EditVerdict]:
    """Return the verdicts; each fault becomes a finding.

    What holds no edit, is there twice or cannot be placed is a row of what is left out.
    """
    rows = reading.rows()
    edits = (
        _whole(reading, rows) if reading.task.columns.original is None else _parts(reading, rows)
    )
    numbers: dict[str, int] = {}
    found: list[EditVerdict] = []
    for edit in edits:
        item = edit.row.item
        reading.texts.output(item, edit.row.text(reading.task.columns.source), ())
        if edit.edited is not None:
            reading.texts.output(item, edit.edited, ())
        number = numbers.setdefault(item, 0)
        numbers[item] += 1
        words = list(_words(reading, edit.row))
        if not words:
            reading.left_out.append((edit.row.line, "blank", "an edit without a verdict"))
        for slot, word in words:
            value = reading.task.verdicts.get(word)
            if value is None:
                reading.fault(
                    edit.row.line,
                    f"the verdict {quote(word)}",
                    f"one of {listing(list(reading.task.verdicts))}",
                    "Say under verdicts what it is worth.",
                )
                continue
            judge = edit.row.get(reading.task.columns.judge)
            found.append(
                EditVerdict(
                    *(edit.row.line, reading.name, item, number, *edit[1:], judge, slot),
                    *(word, value),
                )
            )
    return found


def _words(reading: Reading, row: TableRow) -> Iterator[tuple[int | None, str]]:
    text = row.get(reading.task.columns.verdict) or ""
    if reading.task.judges in ("bag", "positional"):
        yield from enumerate(text.replace(",", " ").split(), start=1)
    elif text:
        yield None, text


def _whole(reading: Reading, rows: Iterator[TableRow]) -> Iterator[_Edit]:
    """Yield edits of a file where each row has the source with its edit alone."""
    seen: dict[tuple[str, str, str | None, str | None], int] = {}
    columns = reading.task.columns
    for row in rows:
        source, edited = row.values[str(columns.source)], row.values[str(columns.hypothesis)]
        key = (row.item, edited, row.get(columns.verdict), row.get(columns.judge))
        if source == edited:
            reading.left_out.append((row.line, "no_edit", "the text is the source"))
        elif (first := seen.setdefault(key, row.line)) != row.line:
            reading.left_out.append((row.line, "repetition", f"as on line {first}"))
        else:
            start, end, correction = changed_span(source, edited)
            yield _Edit(row, start, end, source[start:end], correction, edited)


def _parts(reading: Reading, rows: Iterator[TableRow]) -> Iterator[_Edit]:
    """Yield edits of a file where the rows of an item are edits of one text."""
    columns = reading.task.columns
    for _, group in groupby(rows, key=lambda row: row.item):
        of_item = list(group)
        edits = []
        for row in of_item:
            edit = row.values[str(columns.original)], row.values[str(columns.correction)]
            if edit == ("", ""):
                reading.left_out.append((row.line, "no_edit", "the sentence was left alone"))
            else:
                edits.append((row, edit))
        if not edits:
            continue
        source = of_item[0].values[str(columns.source)]
        hypothesis = of_item[0].values[str(columns.hypothesis)]
        places = placed_edits(source, hypothesis, [edit for _, edit in edits])
        for (row, (old, new)), place in zip(edits, places, strict=True):
            if place is None:
                reading.left_out.append(
                    (row.line, "not_placed", f"{quote(old)} stands in no or several places")
                )
                yield _Edit(row, None, None, old, new, None)
            else:
                yield _Edit(row, *place, old, new, applied(source, *place, new))
