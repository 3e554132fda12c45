"""Human rankings of the warehouse as the plain CSV that every corpus may bring."""

from itertools import groupby

import duckdb

from maege.ingest.findings import check_known
from maege.ingest.formats.ranking_files import judgments_csv
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build


def export_judgments(warehouse: Warehouse, corpus: str, judgment_set: str) -> str:
    """Return the CSV of a judgment set, in the order of its file; sentences count from 0.

    Systems with the same output stand in one row, as the judge saw them. Raises UnknownNameError,
    and WarehouseError where the database cannot be read.
    """
    with open_build(warehouse, read_only=True) as connection:
        _check_names(connection, corpus, judgment_set)
        judgments = connection.execute(
            "select judge, item, sentence_id, rank, item_position, cell, system from raw.judgments "
            "where corpus = $corpus and judgment_set = $judgment_set "
            "order by item_position, cell, system",
            {"corpus": corpus, "judgment_set": judgment_set},
        ).fetchall()
    return judgments_csv(
        (judge, item, sentence_id, " ".join(row[-1] for row in rows), rank)
        for (judge, item, sentence_id, rank, *_), rows in groupby(judgments, lambda row: row[:-1])
    )


def _check_names(connection: duckdb.DuckDBPyConnection, corpus: str, judgment_set: str) -> None:
    try:
        corpora = connection.execute("select corpus from raw.corpora order by all").fetchall()
        sets = connection.execute(
            "select judgment_set from raw.judgment_sets where corpus = $corpus order by all",
            {"corpus": corpus},
        ).fetchall()
    except duckdb.CatalogException:
        raise WarehouseError(
            "No rankings are ingested yet. Run: maege ingest corpora/sample"
        ) from None
    check_known(f"corpus {corpus}", corpus, (name for (name,) in corpora))
    own = (name for (name,) in sets)
    check_known(f"judgment set {judgment_set} in {corpus}", judgment_set, own)
