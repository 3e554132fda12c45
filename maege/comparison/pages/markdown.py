"""A comparison as Markdown: the verdict, the tables of scores and of types, and notes."""

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
from maege.tables import markdown_text as escaped
from maege.tables import table_lines

MOST_TYPES = 12


def as_markdown(result: Result) -> str:
    """Return the verdict and the tables: the best score bold, scores tied with it in italics."""
    parts = [*_verdict(result), markdown_table(score_table(result))]
    if edits := totals_table(result):
        parts.append(markdown_table(edits))
    for a, b in pairs(result):
        if types_table := type_table(result, a, b, MOST_TYPES):
            parts.append(markdown_table(types_table))
    listed = "".join(f"- {escaped(remark)}\n" for remark in remarks(result))
    return "\n".join([*parts, *([listed] if listed else [])])


def _verdict(result: Result) -> list[str]:
    sentences = verdict(result)
    return [f"{escaped(' '.join(sentences))}\n"] if sentences else []


def markdown_table(table: Table) -> str:
    """Return the caption and the table."""
    lines = table_lines(
        [*map(escaped, table.columns)],
        ([*map(_cell, row)] for row in table.rows),
        [place >= table.n_words for place in range(len(table.columns))],
    )
    return "\n".join([escaped(table.caption), "", *lines]) + "\n"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    if text and cell.emphasis == "best":
        text = f"**{text}**"
    elif text and cell.emphasis == "like_best":
        text = f"*{text}*"
    return f"{text} {cell.mark}".strip()
