"""The corpora of the warehouse, as far as rankings of their outputs need them."""

import duckdb

from maege.ingest.corpora.rankings import JudgedCorpus
from maege.ingest.findings import Findings, listing
from maege.ingest.reading import TextFile
from maege.ingest.warehouse import Warehouse, open_build


def find_judged_corpus(
    warehouse: Warehouse, corpus: str, manifest: TextFile, findings: Findings
) -> JudgedCorpus | None:
    """Return a corpus of the warehouse; None and a finding where it is not there.

    Raises WarehouseError where the database cannot be read.
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
    """Return the systems and sentences that the raw tables hold of a corpus."""
    systems = connection.execute(
        "select distinct name from raw.files where corpus = $corpus and role = 'system'",
        {"corpus": corpus},
    ).fetchall()
    sentences = connection.execute(
        "select n_sentences from raw.corpora where corpus = $corpus", {"corpus": corpus}
    ).fetchone()
    return JudgedCorpus({name for (name,) in systems}, sentences[0] if sentences else 0)


def corpus_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the corpora in order, none where nothing was ever ingested."""
    try:
        rows = connection.execute("select corpus from raw.corpora order by all").fetchall()
    except duckdb.CatalogException:
        return []
    return [name for (name,) in rows]


def judgment_set_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the sets of judgments that have a manifest of their own, in order."""
    try:
        # The first column, which older versions call `corpus`.
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
