"""Rows of query results as dictionaries."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def records(answer: "duckdb.DuckDBPyConnection") -> list[Row]:
    """Return the rows of a result as dictionaries by column name."""
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
