"""Rows of the published marts as files that other programs open."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import duckdb

from maege.exports.spreadsheet import MOST_ROWS, sheets
from maege.whole_files import written_whole

KINDS = ("csv", "json", "parquet", "xlsx")
ROWS_AT_ONCE = 10_000


class TooLargeError(Exception):
    """The file cannot hold what was asked for; the message says what can."""


def write_answer(connection: duckdb.DuckDBPyConnection, query: str, kind: str, path: Path) -> int:
    """Write the answer of a query to a file that is there whole or not at all; return its rows.

    `kind` is one of KINDS. Raises TooLargeError where a spreadsheet has too few lines, and
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


def as_text(connection: duckdb.DuckDBPyConnection, query: str, kind: str) -> str:
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
    rows = []
    for row in _rows(answer):
        rows.append(row)
        if len(rows) >= MOST_ROWS:
            raise TooLargeError(
                f"a sheet holds {MOST_ROWS:,} lines, and there are more. Ask for fewer "
                "(maege sql ... --format xlsx), or write csv or parquet"
            )
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, text in sheets(names, rows):
            # With the date of the first archives, the same rows are the same bytes.
            archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)
    return len(rows)
