"""A comparison as Markdown: the tables of scores and of types, and what to know of them."""

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
from maege.exports.markdown import escaped

MOST_TYPES = 12


def as_markdown(result: Result) -> str:
    """Return the tables: the best score in bold, scores that are tied with it in italics."""
    parts = [_table(score_table(result))]
    if edits := totals_table(result):
        parts.append(_table(edits))
    for a, b in pairs(result):
        if of_types := type_table(result, a, b, MOST_TYPES):
            parts.append(_table(of_types))
    listed = "".join(f"- {escaped(remark)}\n" for remark in remarks(result))
    return "\n".join([*parts, *([listed] if listed else [])])


def _table(table: Table) -> str:
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
