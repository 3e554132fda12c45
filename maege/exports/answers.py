"""Write query results to files for other programs."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from maege.exports.latex import escaped, number, tabular
from maege.exports.markdown import cell_text
from maege.sql.screen import cell, is_number
from maege.visible import visible
from maege.whole_files import written_whole

if TYPE_CHECKING:
    import duckdb
    from xlsxwriter.worksheet import Worksheet

Kind = Literal["csv", "json", "markdown", "latex", "parquet", "xlsx"]
# Suffixes of formats whose name is not their suffix.
SUFFIXES = {"markdown": "md", "latex": "tex"}
ROWS_AT_ONCE = 10_000
# Limits of Excel: lines of a sheet including the header, and characters of a cell.
MOST_ROWS = 1_048_576
LONGEST_TEXT = 32_767
# A fixed date, so that the same rows give the same bytes.
CREATED = datetime(2000, 1, 1, tzinfo=UTC)


class TooLargeError(Exception):
    """The result is too large for the file format; the message names other formats."""


def write_answer(
    connection: "duckdb.DuckDBPyConnection", query: str, kind: Kind, path: Path
) -> int:
    """Write the result of a query to a file, completely or not at all; return the number of rows.

    Raises TooLargeError if a spreadsheet has too few lines, and duckdb.Error if the query is
    invalid.
    """
    with written_whole(path) as copy:
        return write_rows(connection, query, kind, copy)


def write_rows(connection: "duckdb.DuckDBPyConnection", query: str, kind: Kind, path: Path) -> int:
    """Write the result of a query to a new file; return the number of rows.

    Raises the same errors as `write_answer`.
    """
    if kind == "parquet":
        asked = connection.sql(query)
        if asked is None:
            from duckdb import InvalidInputException

            raise InvalidInputException("The statement has no rows to write.")
        asked.write_parquet(str(path))
        ((count,),) = connection.execute(
            "select count(*) from read_parquet(?)", [str(path)]
        ).fetchall()
        return int(count)
    answer = connection.execute(query)
    names = [column[0] for column in answer.description or ()]
    if kind == "xlsx":
        return _write_spreadsheet(names, answer, path)
    with path.open("w", encoding="utf-8", newline="") as file:
        return _WRITERS[kind](names, answer, file)


def as_text(connection: "duckdb.DuckDBPyConnection", query: str, kind: Kind) -> str:
    """Return the result of a query as text: csv, json (an object per row), markdown or latex."""
    answer = connection.execute(query)
    names = [column[0] for column in answer.description or ()]
    stream = io.StringIO()
    _WRITERS[kind](names, answer, stream)
    return stream.getvalue()


def _rows(answer: "duckdb.DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    while rows := answer.fetchmany(ROWS_AT_ONCE):
        yield from rows


def _write_csv(names: list[str], answer: "duckdb.DuckDBPyConnection", file: Any) -> int:  # noqa: ANN401
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    count = 0
    for row in _rows(answer):
        writer.writerow(row)
        count += 1
    return count


def _write_json(names: list[str], answer: "duckdb.DuckDBPyConnection", file: Any) -> int:  # noqa: ANN401
    count = 0
    file.write("[")
    keys = _distinct(names)
    for row in _rows(answer):
        file.write(",\n " if count else "\n ")
        values = dict(zip(keys, map(_finite, row), strict=True))
        row_text = json.dumps(values, ensure_ascii=False, allow_nan=False, default=str)
        file.write(visible(row_text))
        count += 1
    file.write("\n]\n" if count else "]\n")
    return count


def _distinct(names: list[str]) -> list[str]:
    keys: list[str] = []
    for name in names:
        key, number = name, 0
        while key in keys or (number and key in names):
            number += 1
            key = f"{name}_{number}"
        keys.append(key)
    return keys


def _finite(value: Any) -> Any:  # noqa: ANN401 - what DuckDB returns
    """Return the value with null for NaN and infinity, which JSON does not have."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, list):
        return [_finite(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    return value


def _write_markdown(names: list[str], answer: "duckdb.DuckDBPyConnection", file: Any) -> int:  # noqa: ANN401
    rows = list(_rows(answer))
    rules = ("--:" if number else "---" for number in _numeric(names, rows))
    for cells in (map(_in_markdown, names), rules, *(map(_in_markdown, row) for row in rows)):
        file.write(f"| {' | '.join(cells)} |\n")
    return len(rows)


def _in_markdown(value: object) -> str:
    return "" if value is None else cell_text(cell(value))


def _write_latex(names: list[str], answer: "duckdb.DuckDBPyConnection", file: Any) -> int:  # noqa: ANN401
    rows = list(_rows(answer))
    cells = (list(map(_in_latex, row)) for row in rows)
    file.write(tabular([escaped(name) for name in names], _numeric(names, rows), cells))
    return len(rows)


def _in_latex(value: object) -> str:
    if value is None:
        return ""
    return number(cell(value)) if is_number(value) else escaped(cell(value))


def _numeric(names: list[str], rows: list[tuple[Any, ...]]) -> list[bool]:
    return [any(is_number(row[n]) for row in rows) for n in range(len(names))]


_WRITERS: dict[Kind, Callable[[list[str], "duckdb.DuckDBPyConnection", Any], int]] = {
    "csv": _write_csv,
    "json": _write_json,
    "markdown": _write_markdown,
    "latex": _write_latex,
}


def _write_spreadsheet(names: list[str], answer: "duckdb.DuckDBPyConnection", path: Path) -> int:
    from xlsxwriter import Workbook

    rows = []
    for row in _rows(answer):
        rows.append(row)
        if len(rows) >= MOST_ROWS:
            raise TooLargeError(
                f"a sheet has at most {MOST_ROWS:,} lines, and the result has more. Select fewer "
                "(maege sql ... --format xlsx), or write csv or parquet"
            )
    with Workbook(str(path), {"constant_memory": True}) as book:
        book.set_properties({"created": CREATED})
        sheet = book.add_worksheet("rows")
        sheet.freeze_panes(1, 0)
        for line, cells in enumerate([tuple(names), *rows]):
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
