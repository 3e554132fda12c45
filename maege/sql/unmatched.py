"""Find values in a query that a column never has, such as `metric = 'errant_f0.5'`."""

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from maege.ingest.findings import listing
from maege.names import did_you_mean
from maege.sql.quoting import literal

# Columns with more values hold texts, not names.
MOST_NAMES = 10_000


def unmatched_names(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    """Return a line for each text that the query compares with a column that never has it."""
    try:
        # As text: to bind a parameter, DuckDB imports pandas.
        ((tree,),) = connection.execute(f"select json_serialize_sql({literal(query)})").fetchall()
    except duckdb.Error:
        return []
    nodes = [*_nodes(json.loads(tree))]
    tables = [*dict.fromkeys(n["table_name"] for n in nodes if n.get("type") == "BASE_TABLE")]
    # A column that the query makes may have other values.
    aliases = {node.get("alias") for node in nodes}
    lines = []
    for column, name in dict.fromkeys(pair for node in nodes for pair in _compared(node)):
        names = set() if column in aliases else _names(connection, tables, column)
        if names and name not in names:
            shown = did_you_mean(name, names) or f"There is {listing(sorted(names))}."
            lines.append(f"No {column} is '{name}' in {', '.join(tables)}. {shown}")
    return lines


def _nodes(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 (JSON)
    """Yield every object of a syntax tree."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _nodes(inner)


def _compared(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a column and each text that it must be equal to."""
    if node.get("type") == "COMPARE_EQUAL":
        operands = [node["left"], node["right"]]
    elif node.get("type") == "COMPARE_IN":
        operands = node["children"]
    else:
        return
    columns = [one["column_names"][-1] for one in operands if one.get("class") == "COLUMN_REF"]
    texts = [one["value"]["value"] for one in operands if one.get("class") == "CONSTANT"]
    if len(columns) == 1:
        yield from ((columns[0], text) for text in texts if isinstance(text, str))


def _names(connection: duckdb.DuckDBPyConnection, tables: list[str], column: str) -> set[str]:
    """Return the distinct texts of a column in the tables; nothing if there are too many."""
    found: set[str] = set()
    rows = connection.execute(
        "select distinct table_name, column_name from duckdb_columns() where data_type = 'VARCHAR'"
    ).fetchall()
    for table, name in rows:
        if table in tables and name.lower() == column.lower():
            values = connection.table(table).select(duckdb.ColumnExpression(name)).distinct()
            found |= {text for (text,) in values.limit(MOST_NAMES).fetchall() if text is not None}
    return found if len(found) < MOST_NAMES else set()
