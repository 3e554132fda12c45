"""Tables of the schema raw: what they contain, their creation, and the removal of rows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from maege.ingest.findings import Findings, check_known, listing
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
    """The corpus whose outputs were ranked: its systems, and the number of its sentences.

    `rows` maps the rows of the file from which the corpus selects its sentences to these sentences.
    """

    systems: Collection[str]
    sentences: int
    rows: Mapping[int, int] | None = None


def find_judged_corpus(
    warehouse: Warehouse, corpus: str, manifest: TextFile, findings: Findings
) -> JudgedCorpus | None:
    """Return a corpus of the warehouse; None and a finding if it does not exist.

    Raises WarehouseError if the database cannot be read.
    """
    stored: list[str] = []
    if warehouse.build.is_file():
        with open_build(warehouse, read_only=True) as connection:
            stored = [] if outdated_corpora(connection) else corpus_names(connection)
            if corpus in stored:
                return stored_corpus(connection, corpus)
    findings.add(
        manifest.shown,
        next((n for n, text in enumerate(manifest.lines, 1) if "rankings_of" in text), 0),
        f"rankings of {corpus}, which is not in {warehouse.build}",
        f"a corpus that was ingested: {listing(stored) or 'there is none'}",
        f"Ingest {corpus} first, with its own manifest: maege ingest corpora/{corpus}; then this "
        "folder again.",
    )
    return None


def stored_corpus(connection: duckdb.DuckDBPyConnection, corpus: str) -> JudgedCorpus:
    """Return the systems and sentences of a corpus in the raw tables."""
    systems = connection.execute(
        "select distinct name from raw.files where corpus = $corpus and role = 'system'",
        {"corpus": corpus},
    ).fetchall()
    sentences = connection.execute(
        "select n_sentences from raw.corpora where corpus = $corpus", {"corpus": corpus}
    ).fetchone()
    return JudgedCorpus({name for (name,) in systems}, sentences[0] if sentences else 0)


def corpus_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the corpora in order, none if nothing was ever ingested."""
    try:
        rows = connection.execute("select corpus from raw.corpora order by all").fetchall()
    except duckdb.CatalogException:
        return []
    return [name for (name,) in rows]


def judgment_set_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the judgment sets with their own manifest, in order."""
    try:
        # The first column, which is called `corpus` in older versions.
        rows = connection.execute("select distinct #1 from raw.judgment_tasks order by all")
    except duckdb.CatalogException:
        return []
    return [name for (name,) in rows.fetchall()]


def outdated_corpora(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the corpora and judgment sets in raw tables of an older version, whose columns differ.

    Version 1.0 and earlier have the column `sentences` in place of `n_sentences`, and lattices of
    several modes.
    """
    outdated = connection.execute(
        "select 1 from duckdb_columns() where schema_name = 'raw' "
        "and (table_name, column_name) in (('corpora', 'sentences'), ('lattices', 'mode'))"
    ).fetchall()
    if not outdated:
        return []
    return corpus_names(connection) + judgment_set_names(connection)


# --- Creation of the raw tables ---


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
    """Create the raw tables that an older version lacks, if it has a corpus.

    Raises WarehouseError if the columns of its tables differ from those of this version.
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
    """Return the raw tables with rows of corpora, and the column with the name of the corpus.

    Tables of judgments with their own manifest have `judgment_set` instead of `corpus`.
    """
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
    """Delete the rows of raw tables that meet a condition; return their numbers, without zeros.

    A condition may use only some of the parameters.
    """
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
    """The number of removed rows by raw table, without tables that lost none."""

    corpus: str
    judgment_set: str | None
    rows: dict[str, int]


def remove_corpus(warehouse: Warehouse, corpus: str) -> Removed:
    """Remove every row of the corpus, including its rankings; return what was removed.

    After the next build only two things remain: caches by content (parses, edits and statistics of
    texts), and the texts of a metric that was trained on the corpus. Raises UnknownError, and
    WarehouseError if there is no warehouse or it cannot be opened; nothing is removed then.
    """
    with open_build(warehouse, read_only=True) as connection:
        names = corpus_names(connection) + judgment_set_names(connection)
        check_known(f"corpus {corpus}", corpus, names)
        columns = corpus_columns(connection)
    conditions = {table: f"{column} = $corpus" for table, column in columns.items()}
    return _remove(warehouse, corpus, None, conditions)


def remove_judgments(warehouse: Warehouse, corpus: str, judgment_set: str) -> Removed:
    """Remove every row of one set of rankings of the corpus, and its file; return what was removed.

    Raises the errors of `remove_corpus`.
    """
    with open_build(warehouse, read_only=True) as connection:
        check_known(f"corpus {corpus}", corpus, corpus_names(connection))
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
