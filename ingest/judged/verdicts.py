"""Read verdicts on edits, and find the positions of the edits in texts."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from maege.ingest.findings import listing, quote
from maege.ingest.judged.tables import Reading, TableRow

# --- Positions of edits without offsets ---

# The search stops after two alignments, because the position is then ambiguous.
ENOUGH = 2


def placed_edits(
    source: str, hypothesis: str, edits: Sequence[tuple[str, str]]
) -> list[tuple[int, int] | None]:
    """Return the span of each edit in the source, in characters; None if it is unknown.

    Edits are substrings with their replacements, in order. An alignment copies equal characters or
    applies the next edit, from the source to the hypothesis. If there is exactly one alignment, it
    gives the positions. Otherwise an edit has a position only if its substring is unique.
    """
    ways = _ways(source, hypothesis, edits)
    if len(ways) == 1:
        starts = ways[0]
        return [(at, at + len(old)) for at, (old, _) in zip(starts, edits, strict=True)]
    return [_unique(source, old) for old, _ in edits]


def changed_span(source: str, edited: str) -> tuple[int, int, str]:
    """Return the smallest changed span of whole words: start, end, and the new text."""
    start = 0
    while start < min(len(source), len(edited)) and source[start] == edited[start]:
        start += 1
    end = 0
    rest = min(len(source), len(edited)) - start
    while end < rest and source[-1 - end] == edited[-1 - end]:
        end += 1
    while _is_inside(source, start) or _is_inside(edited, start):
        start -= 1
    while _is_inside(source, len(source) - end) or _is_inside(edited, len(edited) - end):
        end -= 1
    return start, len(source) - end, edited[start : len(edited) - end]


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and not any(map(str.isspace, text[place - 1 : place + 1]))


def _ways(source: str, hypothesis: str, edits: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Return the starts of all edits for at most ENOUGH alignments, by depth-first search.

    State (i, j, k): applying the edits from k on turns the source from i on into the hypothesis
    from j on. States without a solution are not visited again.
    """
    found: list[list[int]] = []
    dead: set[tuple[int, int, int]] = set()
    stack: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]
    trail: list[tuple[int, int, int, int]] = []
    while stack:
        i, j, k, starts = stack.pop()
        if i < 0:
            if len(found) == trail.pop()[3]:
                dead.add((~i, j, k))
            continue
        if (i, j, k) in dead:
            continue
        if i == len(source) and j == len(hypothesis) and k == len(edits):
            found.append(list(starts))
            if len(found) == ENOUGH:
                break
            continue
        trail.append((i, j, k, len(found)))
        stack.append((~i, j, k, ()))
        if k < len(edits):
            old, new = edits[k]
            if (old or new) and source.startswith(old, i) and hypothesis.startswith(new, j):
                stack.append((i + len(old), j + len(new), k + 1, (*starts, i)))
        if i < len(source) and j < len(hypothesis) and source[i] == hypothesis[j]:
            stack.append((i + 1, j + 1, k, starts))
    return found


def _unique(source: str, old: str) -> tuple[int, int] | None:
    at = source.find(old)
    return (at, at + len(old)) if old and at >= 0 and source.find(old, at + 1) < 0 else None


def applied(source: str, start: int, end: int, correction: str) -> str:
    """Apply one edit to the source."""
    return source[:start] + correction + source[end:]


# --- Verdicts on single edits ---


class EditVerdict(NamedTuple):
    """A verdict on one edit: its word and its value; spans are in characters.

    `edited` is the source with this edit alone. Span and text are None if the position of the edit
    is unknown. `slot` numbers the verdicts of an edit from 1 if no judge is named.
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

    Rows without an edit, repeated rows and edits without a position are reported as unused.
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
                    "Add its value under verdicts.",
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
    columns = reading.task.columns
    for _, group in groupby(rows, key=lambda row: row.item):
        item_rows = list(group)
        edits = []
        for row in item_rows:
            edit = row.values[str(columns.original)], row.values[str(columns.correction)]
            if edit == ("", ""):
                reading.left_out.append(
                    (row.line, "no_edit", "the output does not change the sentence")
                )
            else:
                edits.append((row, edit))
        if not edits:
            continue
        source = item_rows[0].values[str(columns.source)]
        hypothesis = item_rows[0].values[str(columns.hypothesis)]
        places = placed_edits(source, hypothesis, [edit for _, edit in edits])
        for (row, (old, new)), place in zip(edits, places, strict=True):
            if place is None:
                reading.left_out.append(
                    (row.line, "not_placed", f"{quote(old)} does not occur exactly once")
                )
                yield _Edit(row, None, None, old, new, None)
            else:
                yield _Edit(row, *place, old, new, applied(source, *place, new))
