"""The time of the last change to the raw tables: marts of an older build are stale."""

from datetime import UTC, datetime

import duckdb


def record_change(connection: duckdb.DuckDBPyConnection) -> None:
    """Store that the raw tables change now; call it in the transaction that changes them."""
    connection.execute(
        "create or replace table raw.last_change as select $now::timestamp as changed_at",
        {"now": datetime.now(UTC).replace(tzinfo=None)},
    )


def last_change(connection: duckdb.DuckDBPyConnection) -> datetime | None:
    """Return the time (UTC) of the last change; None if the warehouse does not have it."""
    if not connection.execute(
        "from duckdb_tables() where schema_name = 'raw' and table_name = 'last_change'"
    ).fetchall():
        return None
    rows: list[tuple[datetime]] = connection.execute("from raw.last_change").fetchall()
    return rows[0][0]
