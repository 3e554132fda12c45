"""What rows of raw tables hash to as they are written: `maege doctor --deep` compares.

A row for each table and corpus, or for each table and metric where a table has no corpora.
"""

import duckdb

from maege.ingest.raw_tables.tables import corpus_columns

# As ops.stored_rows, which dbt fills for its own tables.
_TABLE = """
    create table if not exists raw.stored_rows (
        relation varchar not null,
        part varchar not null,
        rows varchar not null,
        query varchar not null,
        mend varchar not null,
        engine varchar not null,
        expected varchar,
        found varchar
    )
"""


def store_corpus_rows(connection: duckdb.DuckDBPyConnection, corpus: str) -> None:
    """Note what every raw table holds of the corpus; to be called in the writer's transaction."""
    mend = (
        f"maege remove {corpus}, then maege ingest its folder, and those of its rankings, again; "
        "dbt build && maege publish"
    )
    for table, column in corpus_columns(connection).items():
        store_rows(connection, table, (column, corpus), mend)


def store_rows(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    part: tuple[str, str] | None,
    mend: str,
) -> None:
    """Note what a raw table holds, in all or where a column has a value.

    Nothing is noted of a table without such rows. To be called in the writer's transaction.
    """
    connection.execute(_TABLE)
    column, value = part or ("", "")
    relation = f"raw.{table}"
    connection.execute(
        "delete from raw.stored_rows where relation = $1 and part = $2", [relation, value]
    )
    query = _query(connection, table, column, value)
    rows = connection.execute(query).fetchall()[0][0]
    if rows != "0 0":
        connection.execute(
            "insert into raw.stored_rows "
            "select $relation, $part, $rows, $query, $mend, version(), null, null",
            {"relation": relation, "part": value, "rows": rows, "query": query, "mend": mend},
        )


def has_stored_rows(connection: duckdb.DuckDBPyConnection, corpus: str) -> bool:
    """Return whether the rows of the corpus were noted by the DuckDB that runs."""
    connection.execute(_TABLE)
    found = connection.execute(
        "select count(*) from raw.stored_rows where part = $1 and engine = version()", [corpus]
    ).fetchall()
    return bool(found[0][0])


def _query(connection: duckdb.DuckDBPyConnection, table: str, column: str, value: str) -> str:
    """Return the query for the number of rows and the sum of their hashes.

    Columns are named, so that a later version may add some.
    """
    names = connection.execute(
        "select column_name from duckdb_columns() where schema_name = 'raw' and table_name = $1 "
        "order by column_index",
        [table],
    ).fetchall()
    columns = ", ".join(f'"{name}"' for (name,) in names)
    literal = value.replace("'", "''")
    where = f" where \"{column}\" = '{literal}'" if column else ""
    return (
        f"select count(*) || ' ' || coalesce(sum(hash({columns})::hugeint), 0) "  # noqa: S608 - names of our own
        f'from raw."{table}"{where}'
    )
