"""A warehouse that an older version built is built on, without a manual.

releases/ holds build files, compressed by xz, of the corpus toy_en with the metrics bleu, gleu and
m2: as `dbt build` of the version's last commit left them.
"""

import lzma
import shutil
from pathlib import Path

import duckdb
import pytest
from building import (
    BUILD,
    FEW_RESAMPLES,
    REPOSITORY,
    attempt,
    parsed_like,
    query,
    run,
    value,
    variables,
)

from maege.ingest.raw_tables.tables import add_missing_tables, make_tables
from maege.ingest.warehouse import Warehouse, WarehouseError

COLUMNS = "select table_name, column_name from duckdb_columns() where schema_name = 'raw'"
RELEASES = sorted((Path(__file__).parent / "releases").glob("*.duckdb.xz"))


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.partition(".duckdb")[0])
def test_a_warehouse_of_an_older_version_builds_on(
    release: Path, sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = parsed_like(sample_warehouse, tmp_path / "warehouse")
    with lzma.open(release) as packed, (warehouse / "build.duckdb").open("wb") as build:
        shutil.copyfileobj(packed, build)
    scored = value(warehouse, "select count(*) from scoring.metric_statistics")
    before: dict[str, float] = dict(
        query(warehouse, "select metric, kendall_tau from marts.sentence_correlations")
    )

    refused = attempt("dbt", warehouse, "run", "--select", "corpus_files")
    assert refused.returncode != 0
    assert "Ingest their folders again" in refused.stdout

    run("maege", warehouse, "ingest", REPOSITORY / "tests" / "corpora" / "toy_en")
    metrics = ["bleu", "gleu", "m2"]
    run("dbt", warehouse, *BUILD, *variables(**FEW_RESAMPLES, metrics=metrics))
    run("maege", warehouse, "publish")

    # What was scored stays, beside what newer code scored again; the numbers are as they were.
    assert value(warehouse, "select count(*) from caches.metric_statistics") >= scored
    after: dict[str, float] = dict(
        query(
            warehouse,
            "select metric, kendall_tau_maege from marts.sentence_correlations "
            "where not starts_with(metric, 'chance_')",
        )
    )
    assert set(after) == {"bleu", "gleu", "m2"}
    assert {metric: before[metric] for metric in after} == after
    assert value(warehouse, "select language from marts.corpora") == "en"


def test_build_refuses_tables_of_an_older_layout(tmp_path: Path) -> None:
    with lzma.open(RELEASES[0]) as packed, (tmp_path / "build.duckdb").open("wb") as build:
        shutil.copyfileobj(packed, build)
    with pytest.raises(WarehouseError, match="ingest their folders again: toy_en"):
        add_missing_tables(Warehouse(tmp_path))


def test_ingest_replaces_tables_of_an_older_layout(tmp_path: Path) -> None:
    with lzma.open(RELEASES[0]) as packed, (tmp_path / "build.duckdb").open("wb") as build:
        shutil.copyfileobj(packed, build)
    with duckdb.connect(tmp_path / "build.duckdb") as old, duckdb.connect() as new:
        scored = old.execute("select count(*) from scoring.metric_statistics").fetchall()
        assert make_tables(old) == ["toy_en"]
        assert make_tables(old) == make_tables(new) == []
        (upgraded, now) = (set(opened.execute(COLUMNS).fetchall()) for opened in (old, new))
        assert now - upgraded == set()
        assert old.execute("select count(*) from scoring.metric_statistics").fetchall() == scored


def test_a_release_is_kept() -> None:
    assert [path.name for path in RELEASES] == ["0.1.0.duckdb.xz"]
