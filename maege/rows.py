"""Rows of query results, data frames, and names and strings in SQL."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def column_names(answer: "duckdb.DuckDBPyConnection") -> list[str]:
    """Return the names of the columns of a result."""
    return [column[0] for column in answer.description or ()]


def records(answer: "duckdb.DuckDBPyConnection") -> list[Row]:
    """Return the rows of a result as dictionaries by column name."""
    names = column_names(answer)
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def quoted(name: str) -> str:
    """Return the name as SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return the text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def pandas() -> Any:  # noqa: ANN401 (a module)
    """Return pandas. Raises ModuleNotFoundError with the command that installs it, if missing."""
    try:
        return import_module("pandas")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "pandas, which data frames need, is not installed: pip install 'maege[notebook]'"
        ) from error
