"""The raw tables themselves: their creation, and how a table names the corpus of a row."""

from pathlib import Path

import duckdb

from maege.ingest.raw_tables.stored_corpora import outdated_corpora
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build, transaction


def make_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Create the raw tables that do not exist; return the corpora that have to be ingested again.

    Tables of an older version, whose columns differ, are dropped with their corpora. Caches and
    the scores of user metrics remain.
    """
    dropped = outdated_corpora(connection)
    if dropped:
        for table in (*corpus_columns(connection), "stored_rows"):
            connection.execute(f'drop table if exists raw."{table}"')
    schema = Path(__file__).with_name("raw_schema.sql")
    connection.execute(schema.read_text(encoding="utf-8"))
    return dropped


def ingest_again(corpora: list[str]) -> str:
    """Return the line that tells the user which corpora were dropped."""
    return (
        "an older version of maege ingested these corpora, whose tables have other columns; "
        f"ingest their folders again: {', '.join(corpora)}"
    )


def add_missing_tables(warehouse: Warehouse) -> None:
    """Create the raw tables that an older version lacks, where it has a corpus.

    Raises WarehouseError if the columns of its tables differ from those of today.
    """
    corpora = "from duckdb_tables() where schema_name = 'raw' and table_name = 'corpora'"
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        if names := outdated_corpora(connection):
            raise WarehouseError(
                f"{warehouse.build}: {ingest_again(names)}. Run: maege ingest FOLDER..."
            )
        if connection.execute(corpora).fetchall():
            make_tables(connection)


def corpus_columns(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the raw tables with rows of corpora, and the column that names the corpus of a row.

    Tables of judgments with a manifest of their own have `judgment_set` in place of `corpus`.
    """
    return dict(
        connection.execute(
            "select table_name, min(column_name) from duckdb_columns() where schema_name = 'raw' "
            "and column_name in ('corpus', 'judgment_set') group by table_name order by table_name"
        ).fetchall()
    )
