"""Rows of the published marts as files that other programs open."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from maege.whole_files import written_whole

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

Kind = Literal["csv", "json", "parquet", "xlsx"]
ROWS_AT_ONCE = 10_000
# Of a sheet, with the line of names; of a cell, in characters.
MOST_ROWS = 1_048_576
LONGEST_TEXT = 32_767
# With one date for all, the same rows are the same bytes.
CREATED = datetime(2000, 1, 1, tzinfo=UTC)


class TooLargeError(Exception):
    """The file cannot hold what was asked for; the message says what can."""


def write_answer(connection: duckdb.DuckDBPyConnection, query: str, kind: Kind, path: Path) -> int:
    """Write the answer of a query to a file that is there whole or not at all; return its rows.

    Raises TooLargeError where a spreadsheet has too few lines, and
    duckdb.Error where the query is none.
    """
    with written_whole(path) as copy:
        if kind == "parquet":
            asked = connection.sql(query)
            if asked is None:
                raise duckdb.InvalidInputException("The statement has no rows to write.")
            asked.write_parquet(str(copy))
            ((count,),) = connection.execute(
                "select count(*) from read_parquet(?)", [str(copy)]
            ).fetchall()
            return int(count)
        answer = connection.execute(query)
        names = [column[0] for column in answer.description or ()]
        if kind == "xlsx":
            return _write_spreadsheet(names, answer, copy)
        with copy.open("w", encoding="utf-8", newline="") as file:
            write = _write_csv if kind == "csv" else _write_json
            return write(names, answer, file)


def as_text(connection: duckdb.DuckDBPyConnection, query: str, kind: Kind) -> str:
    """Return the answer of a query as text: csv, or json with an object a row."""
    answer = connection.execute(query)
    names = [column[0] for column in answer.description or ()]
    stream = io.StringIO()
    (_write_csv if kind == "csv" else _write_json)(names, answer, stream)
    return stream.getvalue()


def _rows(answer: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := answer.fetchmany(ROWS_AT_ONCE):
        yield from rows


def _write_csv(names: list[str], answer: duckdb.DuckDBPyConnection, file: Any) -> int:  # noqa: ANN401
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    count = 0
    for row in _rows(answer):
        writer.writerow(row)
        count += 1
    return count


def _write_json(names: list[str], answer: duckdb.DuckDBPyConnection, file: Any) -> int:  # noqa: ANN401
    count = 0
    file.write("[")
    for row in _rows(answer):
        file.write(",\n " if count else "\n ")
        file.write(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, default=str))
        count += 1
    file.write("\n]\n" if count else "]\n")
    return count


def _write_spreadsheet(names: list[str], answer: duckdb.DuckDBPyConnection, path: Path) -> int:
    from xlsxwriter import Workbook

    rows = []
    for row in _rows(answer):
        rows.append(row)
        if len(rows) >= MOST_ROWS:
            raise TooLargeError(
                f"a sheet holds {MOST_ROWS:,} lines, and there are more. Ask for fewer "
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
