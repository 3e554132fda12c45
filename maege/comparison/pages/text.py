"""A comparison as Markdown, and as LaTeX tables, which need only the package booktabs."""

from collections.abc import Iterator

from maege.analysis.compare.results import Result
from maege.comparison.numbers import SIGNS
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
from maege.tables import latex_text, line_of, markdown_text, table_lines

MOST_TYPES = 12

# --- Markdown ---

MARKDOWN_EMPHASIS = {"best": "**{}**", "like_best": "*{}*"}


def as_markdown(result: Result) -> str:
    """Return the verdict and the tables: the best score bold, scores tied with it in italics."""
    sentences = verdict(result)
    parts = [f"{markdown_text(' '.join(sentences))}\n"] if sentences else []
    types = (type_table(result, a, b, MOST_TYPES) for a, b in pairs(result))
    tables = (score_table(result), totals_table(result), *types)
    parts += [markdown_table(table) for table in tables if table is not None]
    if listed := "".join(f"- {markdown_text(remark)}\n" for remark in remarks(result)):
        parts.append(listed)
    return "\n".join(parts)


def markdown_table(table: Table) -> str:
    """Return the caption and the table."""
    lines = table_lines(
        [*map(markdown_text, table.columns)],
        ([*map(_markdown_cell, row)] for row in table.rows),
        [place >= table.n_words for place in range(len(table.columns))],
    )
    return "\n".join([markdown_text(table.caption), "", *lines]) + "\n"


def _markdown_cell(cell: Cell) -> str:
    text = _emphasised(cell, markdown_text(cell.text), MARKDOWN_EMPHASIS)
    return f"{text} {cell.mark}".strip()


def _emphasised(cell: Cell, text: str, emphasis: dict[str, str]) -> str:
    return emphasis.get(cell.emphasis, "{}").format(text) if text else text


# --- LaTeX ---

PREAMBLE = (
    r"% In the preamble: \usepackage{booktabs}. With two columns on a page: table* for table."
)
# Significantly better, and worse, than the first system.
LATEX_MARKS = {SIGNS["better"]: r"$^\dagger$", SIGNS["worse"]: r"$^\ddagger$", SIGNS["equal"]: ""}
LATEX_EMPHASIS = {"best": r"\textbf{{{}}}", "like_best": r"\underline{{{}}}"}
LEGEND = (
    r" $^\dagger$: significantly better than {base}; $^\ddagger$: significantly worse. "
    r"Bold: best; underlined: statistically tied with the best."
)


def as_latex(result: Result, *, with_types: bool) -> str:
    """Return the table of scores and, if they are requested, a table of types for each pair."""
    legend = LEGEND.format(base=latex_text(result.baseline.name)) if len(result.systems) > 1 else ""
    lines = [PREAMBLE, *_latex_lines(score_table(result), "scores", legend)]
    for place, (a, b) in enumerate(pairs(result) if with_types else (), start=1):
        if types := type_table(result, a, b, MOST_TYPES):
            lines += ["", *_latex_lines(types, f"types-{place}", "")]
    return "\n".join(lines) + "\n"


def _latex_lines(table: Table, label: str, legend: str) -> Iterator[str]:
    numbers = len(table.columns) - table.n_words
    yield r"\begin{table}"
    yield r"\centering\scriptsize\setlength{\tabcolsep}{2pt}"
    # A table that is wider than the text is centred on it.
    yield r"\makebox[\linewidth][c]{%"
    yield rf"\begin{{tabular}}{{@{{}}{'l' * table.n_words}{'r' * numbers}@{{}}}}"
    yield r"\toprule"
    yield line_of(map(latex_text, table.columns))
    yield r"\midrule"
    for row in table.rows:
        yield line_of(map(_latex_cell, row))
    yield r"\bottomrule"
    yield r"\end{tabular}}"
    yield rf"\caption{{{latex_text(table.caption)}{legend}}}"
    yield rf"\label{{tab:maege-{label}}}"
    yield r"\end{table}"


def _latex_cell(cell: Cell) -> str:
    text = _emphasised(cell, latex_text(cell.text), LATEX_EMPHASIS)
    return text + LATEX_MARKS.get(cell.mark, "")
