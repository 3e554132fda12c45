"""The raw tables, without what fills them: a build makes those that a newer version has."""

from pathlib import Path

import duckdb

from maege.ingest.warehouse import Warehouse, open_build, transaction


def make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the raw tables that are not there, and add the columns that are not."""
    schema = Path(__file__).with_name("raw_schema.sql")
    connection.execute(schema.read_text(encoding="utf-8"))


def add_missing_tables(warehouse: Warehouse) -> None:
    """Make the tables and columns that an older version lacks, where it has a corpus."""
    corpora = "from duckdb_tables() where schema_name = 'raw' and table_name = 'corpora'"
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        if connection.execute(corpora).fetchall():
            make_tables(connection)
