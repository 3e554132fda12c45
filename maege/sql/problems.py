"""Convert DuckDB's errors about a query to one line, with suggestions for wrong names."""

import re

import duckdb

from maege.analysis.sql_registration import FUNCTIONS, functions_of
from maege.ingest.findings import listing
from maege.names import did_you_mean

LISTED = '; maege sql "show tables" lists them'
_TABLE = re.compile(r"Table with name (\S+) does not exist")
_COLUMN = re.compile(
    r'Referenced column "([^"]+)" (?:not found|was not found)|'
    r'(?:does not have a column named|Table "[^"]+" does not have a column named) "([^"]+)"'
)
_FUNCTION = re.compile(r"Function with name (\S+) does not exist")
_SYNTAX = re.compile(r'syntax error at or near "([^"]*)"')
_FILE = re.compile(r'Cannot access (?:file|directory) "([^"]*)"')
_WORDS = ["select", "from", "where", "group", "order", "having", "limit", "join", "using", "with"]


def problem(connection: duckdb.DuckDBPyConnection, error: duckdb.Error) -> str:
    """Return the message for an error."""
    message = str(error)
    if found := _TABLE.search(message):
        said = f"there is no mart {found[1]}{_like(found[1], _marts(connection)) or LISTED}"
    elif found := _COLUMN.search(message):
        said = _column(connection, found[1] or found[2], message)
    elif found := _FUNCTION.search(message):
        known = sorted({*functions_of(connection), *(name for name, *_ in FUNCTIONS)})
        said = f"there is no function {found[1]}{_scores(found[1]) or _like(found[1], known)}"
    elif found := _FILE.search(message):
        said = (
            f"{found[1]}: maege sql reads the published marts and no other file; a program that "
            "opens them read-only can join other files (docs/connect.md)"
        )
    elif found := _SYNTAX.search(message):
        said = f'syntax error at or near "{found[1]}"{_where(message)}{_like(found[1], _WORDS)}'
    else:
        first = message.splitlines()[0]
        said = f"{first.partition(': ')[2] or first}{_where(message)}"
    return " ".join(said.split())


def _column(connection: duckdb.DuckDBPyConnection, name: str, message: str) -> str:
    """Return similar columns of the marts in the query, or all their columns if none is similar."""
    asked = message.partition("LINE ")[2]
    rows = connection.execute(
        "select table_name, column_name from duckdb_columns() where not internal "
        "order by table_name, column_index"
    ).fetchall()
    of_named = [pair for pair in rows if re.search(rf"\b{re.escape(pair[0])}\b", asked)]
    offered = re.search(r"Candidate bindings: (.*)", message)
    known = [column for _, column in of_named or rows] + (
        [binding.split(".")[-1] for binding in re.findall(r'"([^"]+)"', offered[1])]
        if offered
        else []
    )
    there = f"; there is {listing(list(dict.fromkeys(known)))}" if of_named else ""
    return f"there is no column {name}{_like(name, known) or there}"


def _like(name: str, known: list[str]) -> str:
    near = did_you_mean(name, known, 3)
    return f". {near}" if near else ""


def _scores(name: str) -> str:
    """Return a hint about the functions of metrics, if the name is a metric."""
    from maege.analysis.metrics.registry import METRICS

    return " here: metrics are functions of maege.connect(), in Python" if name in METRICS else ""


def _marts(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute("select name from (show tables)").fetchall()
    return [name for (name,) in rows]


def _where(message: str) -> str:
    """Return the line of the query in DuckDB's message, if it names one."""
    found = re.search(r"^LINE (\d+): (.*)$", message, re.MULTILINE)
    return f" in line {found[1]}: {found[2].strip()[:60]}" if found else ""
