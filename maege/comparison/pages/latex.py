"""A comparison as LaTeX tables, which need the package booktabs and nothing else."""

from collections.abc import Iterator

from maege.analysis.compare.results import Result
from maege.comparison.numbers import SIGNS
from maege.comparison.pages.tables import Cell, Table, pairs, score_table, type_table
from maege.tables import latex_text as escaped
from maege.tables import line_of

MOST_TYPES = 12
PREAMBLE = (
    r"% In the preamble: \usepackage{booktabs}. With two columns on a page: table* for table."
)
# Significantly better, and worse, than the first system.
MARKS = {SIGNS["better"]: r"$^\dagger$", SIGNS["worse"]: r"$^\ddagger$", SIGNS["equal"]: ""}
LEGEND = (
    r" $^\dagger$: significantly better than {base}; $^\ddagger$: significantly worse. "
    r"Bold: best; underlined: statistically tied with the best."
)


def as_latex(result: Result, *, with_types: bool) -> str:
    """Return the table of scores and, if they are requested, a table of types for each pair."""
    legend = LEGEND.format(base=escaped(result.baseline.name)) if len(result.systems) > 1 else ""
    tables = [_table(score_table(result), "scores", legend)]
    for place, (a, b) in enumerate(pairs(result) if with_types else (), start=1):
        if types_table := type_table(result, a, b, MOST_TYPES):
            tables.append(_table(types_table, f"types-{place}", ""))
    return f"{PREAMBLE}\n" + "\n".join(tables)


def _table(table: Table, label: str, legend: str) -> str:
    return "".join(f"{line}\n" for line in _lines(table, label, legend))


def _lines(table: Table, label: str, legend: str) -> Iterator[str]:
    numbers = len(table.columns) - table.n_words
    yield r"\begin{table}"
    yield r"\centering\scriptsize\setlength{\tabcolsep}{2pt}"
    # A table that is wider than the text is centred on it.
    yield r"\makebox[\linewidth][c]{%"
    yield rf"\begin{{tabular}}{{@{{}}{'l' * table.n_words}{'r' * numbers}@{{}}}}"
    yield r"\toprule"
    yield line_of(map(escaped, table.columns))
    yield r"\midrule"
    for row in table.rows:
        yield line_of(map(_cell, row))
    yield r"\bottomrule"
    yield r"\end{tabular}}"
    yield rf"\caption{{{escaped(table.caption)}{legend}}}"
    yield rf"\label{{tab:maege-{label}}}"
    yield r"\end{table}"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    if text and cell.emphasis == "best":
        text = rf"\textbf{{{text}}}"
    elif text and cell.emphasis == "like_best":
        text = rf"\underline{{{text}}}"
    return text + MARKS.get(cell.mark, "")
