"""Write rows as a table: on the terminal, and as CSV, JSON, Markdown, LaTeX, Parquet or XLSX."""

import csv
import io
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import chain, count, zip_longest
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

from rich.cells import cell_len, chop_cells

from maege.page_texts import with_minus
from maege.rows import column_names
from maege.visible import on_one_line, visible

if TYPE_CHECKING:
    import duckdb
    from xlsxwriter.worksheet import Worksheet

Row = Sequence[Any]
Kind = Literal["csv", "json", "markdown", "latex", "parquet", "xlsx"]
# Suffixes of formats whose name is not their suffix.
SUFFIXES = {"markdown": "md", "latex": "tex"}

# --- Cells ---

NOTHING = "NULL"
# Smaller numbers are not shown with three decimals.
_SMALL = 0.001


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def cell(value: object) -> str:
    """Return the value as text: numbers with three decimals and separated thousands."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:,.3f}" if value == 0 or abs(value) >= _SMALL else f"{value:.2e}"
    return f"{value:,}" if _is_number(value) else str(value)


def _numeric(names: Sequence[str], rows: Sequence[Row]) -> list[bool]:
    return [any(_is_number(row[n]) for row in rows) for n in range(len(names))]


# --- Terminal: a table if it fits, otherwise record by record, with all columns ---

GAP = 2


def lines_of(names: Sequence[str], rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield the lines of the result; no line is wider than the terminal."""
    names = [on_one_line(name) for name in names]
    cells = [[visible(cell(value)) for value in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    is_one_line = all("\n" not in text for row in cells for text in row)
    if is_one_line and sum(widths) + GAP * (len(names) - 1) <= width:
        numeric = _numeric(names, rows)
        for row in (names, *cells):
            padded = [
                f"{_spaces(text, size)}{text}" if right else f"{text}{_spaces(text, size)}"
                for text, size, right in zip(row, widths, numeric, strict=True)
            ]
            yield (" " * GAP).join(padded).rstrip()
    elif rows:
        yield from _records(names, cells, width)
    else:
        yield from names


def _records(names: Sequence[str], cells: list[list[str]], width: int) -> Iterator[str]:
    name_width = min(max(map(cell_len, names), default=0), max(width // 3, 1))
    value_width = max(width - name_width - GAP, 1)
    for number, row in enumerate(cells, start=1):
        yield f"-- {number:,} {'-' * width}"[:width]
        for name, text in zip(names, row, strict=True):
            values = [line for part in text.split("\n") for line in _cut(part, value_width)]
            for label, value in zip_longest(_cut(name, name_width), values, fillvalue=""):
                yield f"{label}{_spaces(label, name_width + GAP)}{value}".rstrip()


def _spaces(text: str, width: int) -> str:
    return " " * (width - cell_len(text))


def _cut(text: str, width: int) -> list[str]:
    lines = textwrap.wrap(
        text, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=False
    ) or [""]
    return [piece for line in lines for piece in (chop_cells(line, width) or [""])]


# --- Files ---

ROWS_AT_ONCE = 10_000
# Limits of Excel: lines of a sheet including the header, and characters of a cell.
MOST_ROWS = 1_048_576
LONGEST_TEXT = 32_767
# A fixed date, so that the same rows give the same bytes.
CREATED = datetime(2000, 1, 1, tzinfo=UTC)


class TooLargeError(Exception):
    """The result is too large for the file format; the message names other formats."""


def write_rows(connection: "duckdb.DuckDBPyConnection", query: str, kind: Kind, path: Path) -> int:
    """Write rows to a file and return their number; TooLargeError if a sheet is too small."""
    if kind == "parquet":
        relation = connection.sql(query)
        if relation is None:
            from duckdb import InvalidInputException

            raise InvalidInputException("The statement has no rows to write.")
        relation.write_parquet(str(path))
        ((n_rows,),) = connection.execute(
            "select count(*) from read_parquet(?)", [str(path)]
        ).fetchall()
        return int(n_rows)
    answer = connection.execute(query)
    if kind == "xlsx":
        return _write_spreadsheet(answer, path)
    with path.open("w", encoding="utf-8", newline="") as file:
        return _write_text(answer, kind, file)


def as_text(connection: "duckdb.DuckDBPyConnection", query: str, kind: Kind) -> str:
    """Return the result of a query as text: csv, json (an object per row), markdown or latex."""
    stream = io.StringIO()
    _write_text(connection.execute(query), kind, stream)
    return stream.getvalue()


def _write_text(answer: "duckdb.DuckDBPyConnection", kind: Kind, file: TextIO) -> int:
    names = column_names(answer)
    counter = count()
    rows = (row for row, _ in zip(_rows(answer), counter, strict=False))
    if kind == "csv":
        csv.writer(file, lineterminator="\n").writerows(chain([names], rows))
    elif kind == "json":
        _write_json(names, rows, file)
    else:
        listed = list(rows)
        are_numbers = _numeric(names, listed)
        if kind == "markdown":
            cells = (list(map(_in_markdown, row)) for row in listed)
            lines = table_lines(list(map(_in_markdown, names)), cells, are_numbers)
            file.writelines(f"{line}\n" for line in lines)
        else:
            cells = (list(map(_in_latex, row)) for row in listed)
            file.write(tabular(list(map(latex_text, names)), are_numbers, cells))
    return next(counter)


def _rows(answer: "duckdb.DuckDBPyConnection") -> Iterator[Row]:
    while rows := answer.fetchmany(ROWS_AT_ONCE):
        yield from rows


def _write_json(names: list[str], rows: Iterable[Row], file: TextIO) -> None:
    keys: list[str] = []
    for name in names:
        key, number = name, 0
        while key in keys or (number and key in names):
            number += 1
            key = f"{name}_{number}"
        keys.append(key)
    start = "[\n "
    for row in rows:
        values = dict(zip(keys, map(_finite, row), strict=True))
        text = json.dumps(values, ensure_ascii=False, allow_nan=False, default=str)
        file.write(f"{start}{visible(text)}")
        start = ",\n "
    file.write("\n]\n" if start == ",\n " else "[]\n")


def _finite(value: Any) -> Any:  # noqa: ANN401 - what DuckDB returns
    """Return the value with null for NaN and infinity, which JSON does not have."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, list):
        return [_finite(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    return value


def _write_spreadsheet(answer: "duckdb.DuckDBPyConnection", path: Path) -> int:
    from xlsxwriter import Workbook

    rows = answer.fetchmany(MOST_ROWS)
    if len(rows) == MOST_ROWS:
        raise TooLargeError(
            f"a sheet has at most {MOST_ROWS:,} lines, and the result has more. Select fewer "
            "(maege sql ... --format xlsx), or write csv or parquet"
        )
    with Workbook(str(path), {"constant_memory": True}) as book:
        book.set_properties({"created": CREATED})
        sheet = book.add_worksheet("rows")
        sheet.freeze_panes(1, 0)
        for line, cells in enumerate([column_names(answer), *rows]):
            for column, value in enumerate(cells):
                _write_cell(sheet, line, column, value)
    return len(rows)


def _write_cell(sheet: "Worksheet", line: int, column: int, value: object) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(line, column, value)
    elif isinstance(value, int | float) and isfinite(value):
        sheet.write_number(line, column, value)
    elif value is not None:
        sheet.write_string(line, column, str(value)[:LONGEST_TEXT])


# --- LaTeX with booktabs ---

LATEX_MINUS = "$-$"
_WRITTEN = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "−": LATEX_MINUS, "\n": " ",
})  # fmt: skip
# LaTeX joins two of these characters to a dash, a quotation mark or an inverted mark.
_LIGATURE = re.compile(r"([-`',])(?=\1)|[?!](?=`)")
# At the start of a line, \\ and the rules of booktabs in the line before take this as an argument.
_READ_BY_LINE_BEFORE = re.compile(r"^(\s*)([\[*])")


def tabular(names: Sequence[str], are_numbers: Sequence[bool], rows: Iterable[list[str]]) -> str:
    """Return the tabular environment with one line per row; names and cells are LaTeX code."""
    columns = "".join("r" if number else "l" for number in are_numbers)
    head = rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _line_of(names), r"\midrule"
    lines = *head, *map(_line_of, rows), r"\bottomrule", r"\end{tabular}"
    return "".join(f"{line}\n" for line in lines)


def _line_of(cells: Iterable[str]) -> str:
    return _READ_BY_LINE_BEFORE.sub(r"\1{\2}", " & ".join(cells)) + r" \\"


def latex_text(text: str) -> str:
    """Return the text with special characters escaped for LaTeX."""
    return _LIGATURE.sub(r"\g<0>{}", visible(text).translate(_WRITTEN))


def _in_latex(value: object) -> str:
    if value is None:
        return ""
    return latex_text(with_minus(cell(value)) if _is_number(value) else cell(value))


# --- Markdown ---

# Characters with a meaning anywhere in a line, including those of HTML tags and entities.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$&#]")
_WITHIN_A_WORD = re.compile(r"(?<=[^\W_])\\_(?=[^\W_])")


def markdown_text(text: str) -> str:
    """Return the text escaped for Markdown, also inside tables."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def table_lines(
    columns: Sequence[str], rows: Iterable[Sequence[str]], are_numbers: Sequence[bool]
) -> Iterator[str]:
    """Yield the lines of a table, with numbers on the right; names and cells are Markdown."""
    rule = ["---:" if is_number else "---" for is_number in are_numbers]
    for row in (columns, rule, *rows):
        yield f"| {' | '.join(text.strip() for text in row)} |"


def _in_markdown(value: object) -> str:
    if value is None:
        return ""
    # Underscores within words, as in names, need no escape.
    return _WITHIN_A_WORD.sub("_", markdown_text(cell(value))).replace("\n", "<br>")
