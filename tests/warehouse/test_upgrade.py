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
    REPOSITORY,
    parsed_like,
    query,
    run,
    value,
    variables,
)

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

    run("maege", warehouse, "ingest", REPOSITORY / "tests" / "corpora" / "toy_en")
    run("dbt", warehouse, *BUILD, *variables(metrics=["bleu", "gleu", "m2"], workers=1))
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


def test_dbt_builds_on_a_warehouse_that_no_newer_ingest_has_touched(tmp_path: Path) -> None:
    # What sources have gained since has to be made by dbt itself: begin_build.
    made = (REPOSITORY / "macros" / "record_results.sql").read_text()
    for macro in (
        "create_metric_scores",
        "create_grammaticality_coefficients",
        "create_judgment_tables",
    ):
        made += (REPOSITORY / "macros" / f"{macro}.sql").read_text()
    with lzma.open(RELEASES[0]) as packed, (tmp_path / "build.duckdb").open("wb") as build:
        shutil.copyfileobj(packed, build)
    with duckdb.connect(tmp_path / "build.duckdb") as old, duckdb.connect() as new:
        new.execute((REPOSITORY / "ingest" / "raw_schema.sql").read_text())
        (before, now) = (set(opened.execute(COLUMNS).fetchall()) for opened in (old, new))
    tables = {table for table, _ in before}
    lacking = {
        f"{table}.{column}"
        for table, column in now - before
        if f"alter table raw.{table} add column if not exists {column} " not in made
        and (table in tables or f"create table if not exists raw.{table} (" not in made)
    }
    assert lacking == set()


def test_a_release_is_kept() -> None:
    assert [path.name for path in RELEASES] == ["0.1.0.duckdb.xz"]
