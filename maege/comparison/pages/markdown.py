"""A comparison as Markdown: the verdict, the tables of scores and of types, and notes."""

from collections.abc import Iterator

from maege.analysis.compare.results import Result
from maege.comparison.pages.tables import (
    Cell,
    Table,
    pairs,
    remarks,
    score_table,
    totals_table,
    type_table,
)
from maege.comparison.verdict import verdict
from maege.exports.markdown import escaped

MOST_TYPES = 12


def as_markdown(result: Result) -> str:
    """Return the verdict and the tables: the best score bold, scores tied with it in italics."""
    parts = [*_verdict(result), markdown_table(score_table(result))]
    if edits := totals_table(result):
        parts.append(markdown_table(edits))
    for a, b in pairs(result):
        if of_types := type_table(result, a, b, MOST_TYPES):
            parts.append(markdown_table(of_types))
    listed = "".join(f"- {escaped(remark)}\n" for remark in remarks(result))
    return "\n".join([*parts, *([listed] if listed else [])])


def _verdict(result: Result) -> list[str]:
    sentences = verdict(result)
    return [f"{escaped(' '.join(sentences))}\n"] if sentences else []


def markdown_table(table: Table) -> str:
    """Return the caption and the table."""
    return f"{escaped(table.caption)}\n\n" + "".join(f"{line}\n" for line in _lines(table))


def _lines(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(map(escaped, table.columns))} |"
    numbers = len(table.columns) - table.n_words
    yield "|" + "|".join(["---"] * table.n_words + ["---:"] * numbers) + "|"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    if text and cell.emphasis == "best":
        text = f"**{text}**"
    elif text and cell.emphasis == "like_best":
        text = f"*{text}*"
    return f"{text} {cell.mark}".strip()
