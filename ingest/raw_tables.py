"""Tables of the schema raw: what they contain, their creation, and the removal of rows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from maege.ingest.findings import BadInputError, Findings, check_known, listing
from maege.ingest.reading import TextFile
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build, transaction

# Tables with rows of rankings; judgment_sets is last, because it selects the rows of the others.
RANKING_TABLES = (
    "judgments",
    "judgment_systems",
    "judgment_system_sets",
    "judgment_conflicts",
    "judgment_sets",
)

# --- Time of the last change to the raw tables ---


def record_change(connection: duckdb.DuckDBPyConnection) -> None:
    """Record that the raw tables change now; call it in the transaction that changes them."""
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


# --- Corpora of the warehouse, for rankings of their outputs ---


@dataclass(frozen=True)
class JudgedCorpus:
    """The systems and sentences of a corpus; `rows` maps rows of a file that it selects from."""

    systems: Collection[str]
    sentences: int
    rows: Mapping[int, int] | None = None


def find_judged_corpus(warehouse: Warehouse, corpus: str, manifest: TextFile) -> JudgedCorpus:
    stored: list[str] = []
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection:
            stored = [] if outdated_corpora(connection) else _names(connection, "corpora")
            if corpus in stored:
                systems = connection.execute(
                    "select distinct name from raw.files where corpus = $1 and role = 'system'",
                    [corpus],
                ).fetchall()
                ((n_sentences,),) = connection.execute(
                    "select n_sentences from raw.corpora where corpus = $1", [corpus]
                ).fetchall()
                return JudgedCorpus({name for (name,) in systems}, n_sentences)
    findings = Findings()
    findings.add(
        manifest.shown,
        next((n for n, text in enumerate(manifest.lines, 1) if "rankings_of" in text), 0),
        f"rankings of {corpus}, which is not in {warehouse.build}",
        f"a corpus that was ingested: {listing(stored) or 'there is none'}",
        f"Ingest {corpus} first, with its own manifest: maege ingest corpora/{corpus}; then this "
        "folder again.",
    )
    raise BadInputError(findings)


def _names(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    try:
        # The first column, whose name differs between versions.
        rows = connection.execute(f"select distinct #1 from raw.{table} order by all")  # noqa: S608
    except duckdb.CatalogException:
        return []
    return [name for (name,) in rows.fetchall()]


def outdated_corpora(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the corpora in raw tables of version 1.0 and earlier, whose columns differ."""
    outdated = connection.execute(
        "select 1 from duckdb_columns() where schema_name = 'raw' "
        "and (table_name, column_name) in (('corpora', 'sentences'), ('lattices', 'mode'))"
    ).fetchall()
    if not outdated:
        return []
    return _names(connection, "corpora") + _names(connection, "judgment_tasks")


# --- Creation of the raw tables ---


def make_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Create the raw tables that do not exist; return the corpora that have to be ingested again.

    Tables of an older version are dropped; caches and the scores of user metrics remain.
    """
    dropped = outdated_corpora(connection)
    if dropped:
        for table in (*_corpus_columns(connection), "stored_rows"):
            connection.execute(f'drop table if exists raw."{table}"')
    schema = Path(__file__).with_name("raw_schema.sql")
    connection.execute(schema.read_text(encoding="utf-8"))
    return dropped


def ingest_again(corpora: list[str]) -> str:
    return (
        "an older version of maege ingested these corpora, whose tables have other columns; "
        f"ingest their folders again: {', '.join(corpora)}"
    )


def add_missing_tables(warehouse: Warehouse) -> None:
    """Create the raw tables that an older version lacks; WarehouseError if columns differ."""
    corpora = "from duckdb_tables() where schema_name = 'raw' and table_name = 'corpora'"
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        if names := outdated_corpora(connection):
            raise WarehouseError(
                f"{warehouse.build}: {ingest_again(names)}. Run: maege ingest FOLDER..."
            )
        if connection.execute(corpora).fetchall():
            make_tables(connection)


def _corpus_columns(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    return dict(
        connection.execute(
            "select table_name, min(column_name) from duckdb_columns() where schema_name = 'raw' "
            "and column_name in ('corpus', 'judgment_set') group by table_name order by table_name"
        ).fetchall()
    )


# --- Removal of a corpus, or of one set of rankings ---


def delete_rows(
    connection: duckdb.DuckDBPyConnection,
    conditions: Mapping[str, str],
    parameters: Mapping[str, str | None],
) -> dict[str, int]:
    rows: dict[str, int] = {}
    for table, condition in conditions.items():
        deleted = connection.execute(
            f'delete from raw."{table}" where {condition}',  # noqa: S608
            {name: value for name, value in parameters.items() if f"${name}" in condition},
        ).fetchone()
        if deleted and deleted[0]:
            rows[table] = int(deleted[0])
    return rows


@dataclass(frozen=True)
class Removed:
    corpus: str
    judgment_set: str | None
    rows: dict[str, int]


def remove_corpus(warehouse: Warehouse, corpus: str) -> Removed:
    """Remove every row of the corpus, including its rankings; return what was removed.

    Caches by content remain, and the texts of a metric that was trained on the corpus. Raises
    UnknownError, and WarehouseError if there is no warehouse; nothing is removed then.
    """
    with open_build(warehouse, read_only=True) as connection:
        names = _names(connection, "corpora") + _names(connection, "judgment_tasks")
        check_known(f"corpus {corpus}", corpus, names)
        columns = _corpus_columns(connection)
    conditions = {table: f"{column} = $corpus" for table, column in columns.items()}
    return _remove(warehouse, corpus, None, conditions)


def remove_judgments(warehouse: Warehouse, corpus: str, judgment_set: str) -> Removed:
    """Remove one set of rankings and its file, with the errors of `remove_corpus`."""
    with open_build(warehouse, read_only=True) as connection:
        check_known(f"corpus {corpus}", corpus, _names(connection, "corpora"))
        sets = connection.execute(
            "select judgment_set from raw.judgment_sets where corpus = $1 order by all", [corpus]
        ).fetchall()
    names = (name for (name,) in sets)
    check_known(f"judgment set of {corpus} {judgment_set}", judgment_set, names)
    conditions = dict.fromkeys(RANKING_TABLES, "corpus = $corpus and judgment_set = $judgment_set")
    # A manifest of rankings without remaining sets is removed as well.
    conditions["files"] = (
        "corpus = $corpus and (name = $judgment_set and role = 'judgments' or manifest <> corpus "
        "and manifest not in (select loaded_from from raw.judgment_sets where corpus = $corpus))"
    )
    return _remove(warehouse, corpus, judgment_set, conditions)


def _remove(
    warehouse: Warehouse, corpus: str, judgment_set: str | None, conditions: dict[str, str]
) -> Removed:
    key = {"corpus": corpus, "judgment_set": judgment_set}
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        rows = delete_rows(connection, conditions, key)
        record_change(connection)
    return Removed(corpus, judgment_set, rows)
