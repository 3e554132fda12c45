"""A comparison as Markdown, and as LaTeX tables, which need only the package booktabs."""

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
from maege.tables import latex_text, markdown_text, table_lines, tabular

MOST_TYPES = 12

# --- Markdown ---

MARKDOWN_EMPHASIS = {"best": "**{}**", "like_best": "*{}*"}


def as_markdown(result: Result) -> str:
    """Return the verdict and the tables: the best score bold, scores tied with it in italics."""
    types = (type_table(result, a, b, MOST_TYPES) for a, b in pairs(result))
    tables = (score_table(result), totals_table(result), *types)
    parts = [
        f"{markdown_text(' '.join(verdict(result)))}\n",
        *(markdown_table(table) for table in tables if table is not None),
        "".join(f"- {markdown_text(remark)}\n" for remark in remarks(result)),
    ]
    return "\n".join(part for part in parts if part.strip())


def markdown_table(table: Table) -> str:
    lines = table_lines(
        [*map(markdown_text, table.columns)],
        ([*map(_markdown_cell, row)] for row in table.rows),
        [place >= table.n_words for place in range(len(table.columns))],
    )
    return "\n".join([markdown_text(table.caption), "", *lines]) + "\n"


def _markdown_cell(cell: Cell) -> str:
    text = MARKDOWN_EMPHASIS.get(cell.emphasis, "{}").format(markdown_text(cell.text))
    return f"{text} {cell.mark}".strip()


# --- LaTeX ---

PREAMBLE = (
    r"% In the preamble: \usepackage{booktabs}. With two columns on a page: table* for table."
)
# Significantly better, and worse, than the first system.
LATEX_MARKS = {SIGNS["better"]: r"$^\dagger$", SIGNS["worse"]: r"$^\ddagger$"}
LATEX_EMPHASIS = {"best": r"\textbf{{{}}}", "like_best": r"\underline{{{}}}"}
LEGEND = (
    r" $^\dagger$: significantly better than {base}; $^\ddagger$: significantly worse. "
    r"Bold: best; underlined: statistically tied with the best."
)
# A table that is wider than the text is centred on it.
LATEX = r"""\begin{{table}}
\centering\scriptsize\setlength{{\tabcolsep}}{{2pt}}
\makebox[\linewidth][c]{{%
{tabular}}}
\caption{{{caption}}}
\label{{tab:maege-{label}}}
\end{{table}}
"""


def as_latex(result: Result, *, with_types: bool) -> str:
    legend = LEGEND.format(base=latex_text(result.baseline.name)) if len(result.systems) > 1 else ""
    parts = [f"{PREAMBLE}\n{_latex_table(score_table(result), 'scores', legend)}"]
    for place, (a, b) in enumerate(pairs(result) if with_types else (), start=1):
        if types := type_table(result, a, b, MOST_TYPES):
            parts.append(_latex_table(types, f"types-{place}"))
    return "\n".join(parts)


def _latex_table(table: Table, label: str, legend: str = "") -> str:
    lines = tabular(
        [*map(latex_text, table.columns)],
        [place >= table.n_words for place in range(len(table.columns))],
        ([*map(_latex_cell, row)] for row in table.rows),
    )
    caption = f"{latex_text(table.caption)}{legend}"
    return LATEX.format(tabular=lines.rstrip(), caption=caption, label=label)


def _latex_cell(cell: Cell) -> str:
    text = LATEX_EMPHASIS.get(cell.emphasis, "{}").format(latex_text(cell.text))
    return text + LATEX_MARKS.get(cell.mark, "")
