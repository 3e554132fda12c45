"""Read ratings, pairwise preferences and post-edits."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from maege.ingest.findings import listing, quote
from maege.ingest.judged.manifest import Aspect, Task
from maege.ingest.judged.tables import Reading, TableRow

# --- Ratings of outputs ---
#
# A row of a file may have one of these forms: a rating of one aspect (`value`), a column per
# aspect, a column per system, a column per rater (wide), several ratings in a cell (`3,4,3,4,3`,
# packed), or letters that each say yes to an aspect (`AOU`, codes).

SEPARATOR = ","


class Rating(NamedTuple):
    """One rating; `presented` is equal for ratings of the same presentation of an item."""

    line: int
    task: str
    item: str
    output_id: int
    presented: int
    systems: str
    judge: str | None
    slot: int | None
    aspect: str
    value: float
    published_z: float | None


def read_ratings(reading: Reading) -> list[Rating]:
    """Return the ratings. Each fault becomes a finding, and a blank counts as no rating."""
    numbers: dict[tuple[str, object], int] = {}
    return [
        rating
        for row in reading.rows()
        for system, cell in _shown(reading, row)
        for rating in _ratings(reading, row, system, cell, numbers)
    ]


def _shown(reading: Reading, row: TableRow) -> Iterator[tuple[str | None, str | None]]:
    task = reading.task
    if not task.systems:
        yield row.get(task.columns.system), None
    for system, column in task.systems.items():
        yield system, row.values[column]


def _ratings(
    reading: Reading,
    row: TableRow,
    system: str | None,
    cell: str | None,
    numbers: dict[tuple[str, object], int],
) -> Iterator[Rating]:
    task = reading.task
    systems = [name.strip() for name in (system or "").split(SEPARATOR) if name.strip()]
    values = list(_values(reading, row, system, cell))
    if not values:
        return
    text = row.output(task.columns.output)
    if text is None and not systems:
        reading.fault(
            row.line,
            "a rating of no output",
            "a text or the name of a system",
            "Fill in what is missing, or name the column under columns.",
        )
        return
    output_id = reading.texts.output(row.item, text, systems, task.sources)
    shared = task.judges in ("identified", "bag") or task.columns.aspect is not None
    key = (output_id, tuple(systems)) if shared else (row.line, output_id)
    presented = numbers.setdefault((row.item, key), len(numbers))
    judge = row.get(task.columns.judge)
    for rated in values:
        yield Rating(
            *(row.line, reading.name, row.item, output_id, presented, SEPARATOR.join(systems)),
            *(rated.rater or judge, rated.slot, rated.aspect, rated.value, rated.published_z),
        )


class _Value(NamedTuple):
    aspect: str
    rater: str | None
    slot: int | None
    value: float
    published_z: float | None


def _values(
    reading: Reading, row: TableRow, system: str | None, cell: str | None
) -> Iterator[_Value]:
    task, columns = reading.task, reading.task.columns
    for name, aspect in task.aspects.items():
        if columns.aspect is not None and row.get(columns.aspect) != (aspect.column or name):
            continue
        if task.values == "codes":
            text = cell if cell is not None else row.values[aspect.column or name]
            yield _Value(name, None, None, float(str(aspect.code) in text), None)
            continue
        z = row.get(aspect.z_column)
        for rater, slot, text in _cells(task, row, name, cell):
            if not text.strip():
                of = [name, system, rater or (None if slot is None else f"value {slot}")]
                detail = ", ".join(part for part in of if part)
                reading.left_out.append((row.line, "blank", f"no rating: {detail}"))
                continue
            value = _value(reading, row, name, aspect, text)
            if value is not None:
                yield _Value(name, rater, slot, value, None if z is None else _number(z))
    _check_names(reading, row, cell)


def _cells(
    task: Task, row: TableRow, name: str, cell: str | None
) -> Iterator[tuple[str | None, int | None, str]]:
    """Yield rater, slot and text of every value of an aspect; the rater is None if anonymous."""
    aspect, column = task.aspects[name], task.columns.value
    if task.values == "wide":
        for slot, (rater, of_rater) in enumerate(aspect.raters.items(), start=1):
            yield rater if task.judges == "identified" else None, slot, row.values[of_rater]
        return
    text = cell if cell is not None else row.values[column or aspect.column or name]
    if task.values == "packed" and text.strip():
        for slot, part in enumerate(text.split(SEPARATOR), start=1):
            yield None, slot, part
    else:
        yield None, None, text


def _check_names(reading: Reading, row: TableRow, cell: str | None) -> None:
    """Add a finding for an aspect or a code that the manifest does not name."""
    task = reading.task
    if task.columns.aspect is not None:
        known = [aspect.column or name for name, aspect in task.aspects.items()]
        found = [] if row.get(task.columns.aspect) in known else [row.get(task.columns.aspect)]
    elif task.values == "codes":
        known = [str(aspect.code) for aspect in task.aspects.values()]
        found = [letter for letter in (cell or "").strip() if letter not in known]
    else:
        return
    for name in found:
        reading.fault(
            row.line,
            f"the aspect {quote(name or '')}",
            f"one of {listing(known)}",
            "Name it under aspects, or correct it.",
        )


def _value(reading: Reading, row: TableRow, name: str, aspect: Aspect, text: str) -> float | None:
    value = _number(text)
    low, high = (
        -math.inf if aspect.low is None else aspect.low,
        math.inf if aspect.high is None else aspect.high,
    )
    if value is not None and low <= value <= high:
        return value
    scale = "" if (aspect.low, aspect.high) == (None, None) else f" from {low:g} to {high:g}"
    reading.fault(
        row.line,
        f"{name} {quote(text)}",
        f"a number{scale}",
        "Correct the value, or the scale under aspects.",
    )
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


# --- Pairwise preferences between outputs ---


class Pair(NamedTuple):
    """A preference between two outputs: 1 for a, -1 for b, 0 for neither; `label` is its word."""

    line: int
    task: str
    item: str
    judge: str | None
    aspect: str
    output_a: int
    output_b: int
    preference: int
    label: str


def read_pairs(reading: Reading) -> list[Pair]:
    """Return the pairs, including pairs of equal texts; each fault becomes a finding."""
    pairs: list[Pair] = []
    for row in reading.rows():
        columns = reading.task.columns
        aspect, preference = _aspect(reading, row), _preference(reading, row)
        first, second = (
            reading.texts.output(row.item, row.output(text), [system] if system else [])
            for text, system in (
                (columns.output_a, row.get(columns.system_a) or reading.task.system_a),
                (columns.output_b, row.get(columns.system_b)),
            )
        )
        if aspect is None or preference is None:
            continue
        label = row.get(columns.winner) or ""
        judge = row.get(columns.judge)
        about = (row.line, reading.name, row.item, judge, aspect)
        pairs.append(Pair(*about, first, second, preference, label))
    return pairs


def _aspect(reading: Reading, row: TableRow) -> str | None:
    aspects = reading.task.aspects
    if reading.task.columns.aspect is None:
        return next(iter(aspects))
    found = row.get(reading.task.columns.aspect)
    for name, aspect in aspects.items():
        if found == (aspect.column or name):
            return name
    reading.fault(
        row.line,
        f"the aspect {quote(found or '')}",
        f"one of {listing(list(aspects))}",
        "Name it under aspects, or correct it.",
    )
    return None


def _preference(reading: Reading, row: TableRow) -> int | None:
    task, columns = reading.task, reading.task.columns
    found = row.get(columns.winner)
    systems = (row.get(columns.system_a) or task.system_a, row.get(columns.system_b))
    winners = task.winners
    for system, words, worth in (
        (systems[0], winners.get("a", []), 1),
        (systems[1], winners.get("b", []), -1),
        (None, winners.get("tie", []), 0),
    ):
        if found is not None and (found == system or found in words):
            return worth
    known = [name for name in systems if name]
    known += [word for words in winners.values() for word in words]
    reading.fault(
        row.line,
        f"the winner {quote(found or '')}",
        f"one of {listing(known)}",
        "Add it under winners: a, b or tie.",
    )
    return None


# --- Post-edits of outputs ---


class PostEdit(NamedTuple):
    """An output and its edited text, numbered like an output; equal if unchanged."""

    line: int
    task: str
    item: str
    output_id: int
    judge: str | None
    edited_id: int


def read_post_edits(reading: Reading) -> list[PostEdit]:
    """Return the post-edits. Each fault becomes a finding, and a blank counts as none."""
    edits: list[PostEdit] = []
    columns = reading.task.columns
    for row in reading.rows():
        text = row.text(columns.text)
        system, output = row.get(columns.system), row.output(columns.output)
        if text is None:
            reading.left_out.append((row.line, "blank", "no post-edit"))
        elif output is None and system is None:
            reading.fault(
                row.line,
                "a post-edit of no output",
                "a text or the name of a system",
                "Fill in what is missing, or name the column under columns.",
            )
        else:
            systems = [system] if system else []
            output_id = reading.texts.output(row.item, output, systems, reading.task.sources)
            edited_id = reading.texts.output(row.item, text, ())
            judge = row.get(columns.judge)
            edits.append(PostEdit(row.line, reading.name, row.item, output_id, judge, edited_id))
    return edits
