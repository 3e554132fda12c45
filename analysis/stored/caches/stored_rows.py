"""Rows of the build file that were changed by other hands than dbt's and `maege`'s.

Whoever writes a table notes what its rows hash to, by which query, and which command mends them:
dbt in ops.stored_rows (macros/building/stored_rows.sql), `maege` in raw.stored_rows
(ingest/raw_tables/stored_rows.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import duckdb

_NOTES = ("ops", "raw")
_NOTED = """
    select relation, part, rows, query, mend, expected, found
    from {schema}.stored_rows
    where rows is not null and engine = version()
"""
_NOT_NOTED = """
    select count(distinct schema_name || '.' || table_name)
    from duckdb_tables()
    where schema_name <> 'ops' and table_name <> 'stored_rows' and estimated_size > 0
        and schema_name || '.' || table_name not in (
            select relation from ({noted})
        )
"""


@dataclass(frozen=True)
class ChangedRows:
    """A table whose rows are not those that were written; `part` is the corpus, '' for all rows."""

    relation: str
    part: str
    found: str
    expected: str
    mend: str

    def __str__(self) -> str:
        part = f" ({self.part})" if self.part else ""
        said = f"{self.relation}{part}: found {self.found}, expected {self.expected}."
        return f"{said} Mend: {self.mend}"


@dataclass(frozen=True)
class Compared:
    """Tables that differ, and the numbers of tables that were compared and that could not be."""

    changed: list[ChangedRows]
    compared: int
    not_compared: int


class _Note(NamedTuple):
    relation: str
    part: str
    rows: str
    query: str
    mend: str
    expected: str | None
    found: str | None


def compare_rows(connection: duckdb.DuckDBPyConnection) -> Compared:
    """Return what all rows of the build file are, beside what they were when they were written.

    What older versions of this project or other versions of DuckDB wrote is not compared.
    """
    notes = _notes(connection)
    noted = " union all ".join(_NOTED.format(schema=schema) for schema in _schemas(connection))
    query = _NOT_NOTED.format(noted=noted or "select '' as relation")
    (not_compared,) = connection.execute(query).fetchall()[0]
    compared = len({note.relation for note in notes})
    return Compared(_changed(connection, notes), compared, int(not_compared))


def _changed(connection: duckdb.DuckDBPyConnection, notes: Iterable[_Note]) -> list[ChangedRows]:
    differing = (_difference(connection, note) for note in notes)
    return [changed for changed in differing if changed is not None]


def _difference(connection: duckdb.DuckDBPyConnection, note: _Note) -> ChangedRows | None:
    try:
        (found,) = connection.execute(note.query).fetchall()[0]
    except duckdb.CatalogException:
        found = "no such table"
    except duckdb.BinderException:
        found = "other columns"
    if found != note.rows:
        return _described(note, str(found), note.rows, "that were written")
    if note.found is not None and note.expected is not None:
        return _described(note, note.found, note.expected, "before later builds added to them")
    return None


def _described(note: _Note, found: str, expected: str, when: str) -> ChangedRows:
    n_found, n_expected = _number(found), _number(expected)
    said = "other values" if n_found == n_expected else n_found
    return ChangedRows(note.relation, note.part, said, f"the {n_expected} {when}", note.mend)


def _number(rows: str) -> str:
    """Return how many rows there are, which comes before the sum of their hashes, or what is."""
    number = rows.partition(" ")[0]
    return f"{int(number):,} rows" if number.isdecimal() else rows


def _notes(connection: duckdb.DuckDBPyConnection) -> list[_Note]:
    return [
        _Note(*row)
        for schema in _schemas(connection)
        for row in connection.execute(_NOTED.format(schema=schema) + " order by all").fetchall()
    ]


def _schemas(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the schemas that hold notes: none in warehouses of older versions."""
    rows = connection.execute(
        "select schema_name from duckdb_tables() where table_name = 'stored_rows' order by all"
    ).fetchall()
    return [schema for (schema,) in rows if schema in _NOTES]
