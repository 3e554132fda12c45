"""Remove a corpus, or one set of rankings, from the raw tables, in one transaction."""

from dataclasses import dataclass

import duckdb

from maege.ingest.findings import check_known
from maege.ingest.raw_tables.load_rankings import DESCRIPTIONS
from maege.ingest.raw_tables.tables import (
    corpus_columns,
    corpus_names,
    judgment_set_names,
    record_change,
)
from maege.ingest.warehouse import Warehouse, open_build, transaction


@dataclass(frozen=True)
class Removed:
    """The number of removed rows by raw table, without tables that lost none."""

    corpus: str
    judgment_set: str | None
    rows: dict[str, int]


def remove_corpus(warehouse: Warehouse, corpus: str) -> Removed:
    """Remove every row of the corpus, including its rankings; return what was removed.

    After the next build only two things remain: caches by content (parses, edits and statistics of
    texts), and the texts of a metric that was trained on the corpus. Raises UnknownNameError, and
    WarehouseError if there is no warehouse or it cannot be opened; nothing is removed then.
    """
    with open_build(warehouse, read_only=True) as connection:
        names = corpus_names(connection) + judgment_set_names(connection)
        check_known(f"corpus {corpus}", corpus, names)
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        rows = {
            table: _delete(connection, table, f"{column} = $1", corpus)
            for table, column in corpus_columns(connection).items()
        }
        record_change(connection)
    return _removed(corpus, None, rows)


def remove_judgments(warehouse: Warehouse, corpus: str, judgment_set: str) -> Removed:
    """Remove every row of one set of rankings of the corpus, and its file; return what was removed.

    Raises the errors of `remove_corpus`.
    """
    with open_build(warehouse, read_only=True) as connection:
        check_known(f"corpus {corpus}", corpus, corpus_names(connection))
        sets = connection.execute(
            "select judgment_set from raw.judgment_sets where corpus = $1 order by all", [corpus]
        ).fetchall()
    own = (name for (name,) in sets)
    check_known(f"judgment set of {corpus} {judgment_set}", judgment_set, own)
    key = (corpus, judgment_set)
    condition = "corpus = $1 and judgment_set = $2"
    with open_build(warehouse, read_only=False) as connection, transaction(connection):
        rows = {
            table: _delete(connection, table, condition, *key)
            for table in ("judgments", *DESCRIPTIONS)
        }
        rows["files"] = _delete(
            connection, "files", "corpus = $1 and name = $2 and role = 'judgments'", *key
        )
        # A manifest of rankings without remaining sets is removed as well.
        rows["files"] += _delete(
            connection,
            "files",
            "corpus = $1 and manifest <> corpus and manifest not in "
            "(select loaded_from from raw.judgment_sets where corpus = $1)",
            corpus,
        )
        record_change(connection)
    return _removed(corpus, judgment_set, rows)


def _removed(corpus: str, judgment_set: str | None, rows: dict[str, int]) -> Removed:
    return Removed(
        corpus, judgment_set, {table: number for table, number in rows.items() if number}
    )


def _delete(connection: duckdb.DuckDBPyConnection, table: str, rows: str, *values: str) -> int:
    deleted = connection.execute(
        f'delete from raw."{table}" where {rows}',  # noqa: S608
        list(values),
    ).fetchone()
    return int(deleted[0]) if deleted else 0
