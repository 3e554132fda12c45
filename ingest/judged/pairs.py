"""Pairwise preferences: which of two outputs a judge thought better, or neither."""

from typing import NamedTuple

from maege.ingest.findings import listing, quote
from maege.ingest.judged.table import Reading, TableRow


class Pair(NamedTuple):
    """What was said of two outputs: 1 prefers a, -1 prefers b, 0 neither; `label` is the word."""

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
    """Return the pairs, also those of two equal texts; each fault becomes a finding."""
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
        "Say under winners which words name a, b or a tie.",
    )
    return None
