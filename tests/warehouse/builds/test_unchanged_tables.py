"""A build does not rebuild tables whose inputs are unchanged."""

import os
from pathlib import Path

import pytest
from building import REPOSITORY, change, copy_of, query, ran, run, value

TABLE = "marts.scores_by_error_count"
# Tables in SQL and Python, with wrong values.
SPOILT = {
    "marts.scores_by_error_count": "mean_score = 99",
    "systems.system_corpus_scores": "corpus_score = 99",
}
# A table that depends on raw tables through others, and one without a stored fingerprint.
EDITS = "marts.gold_edits"
UNKNOWN = "marts.sentence_exclusions"


@pytest.fixture
def emptied(sample_warehouse: Path, tmp_path: Path) -> Path:
    """The sample with one table emptied without dbt: its rows show whether it is rebuilt."""
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, f"delete from {TABLE}")
    return warehouse


@pytest.fixture(scope="module")
def built_again(sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, rebuilt with two emptied tables and a changed edit that one depends on."""
    folder = tmp_path_factory.mktemp("built_again")
    warehouse = copy_of(sample_warehouse, folder / "warehouse")
    for table in (EDITS, UNKNOWN):
        change(warehouse, f"delete from {table}")
    change(
        warehouse, "delete from ops.fingerprints where contains(relation, 'sentence_exclusions')"
    )
    change(warehouse, "update raw.m2_edits set correction = correction || 's' where line = 2")
    run("dbt", warehouse, "run", "--select", "+gold_edits", "sentence_exclusions")
    return warehouse


@pytest.fixture(scope="module")
def rebuilt_with_another_scipy(
    sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The sample with wrong numbers in some tables, rebuilt with another version of SciPy."""
    folder = tmp_path_factory.mktemp("another_scipy")
    warehouse = copy_of(sample_warehouse, folder / "warehouse")
    for table, wrong in SPOILT.items():
        change(warehouse, f"update {table} set {wrong}")
    described = folder / "packages" / "scipy-99.0.dist-info" / "METADATA"
    described.parent.mkdir(parents=True)
    described.write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 99.0\n")
    models = [table.split(".")[1] for table in SPOILT]
    path = f"{folder / 'packages'}{os.pathsep}{REPOSITORY}"
    run("dbt", warehouse, "run", "--select", *models, PYTHONPATH=path)
    return warehouse


def rows(warehouse: Path, table: str) -> int:
    return int(value(warehouse, f"select count(*) from {table}"))


def test_changed_rows_and_missing_fingerprints_are_noticed(
    built_again: Path, sample_warehouse: Path
) -> None:
    assert rows(built_again, EDITS) == rows(sample_warehouse, EDITS) > 0
    assert rows(built_again, UNKNOWN) == rows(sample_warehouse, UNKNOWN) > 0


def test_another_seed_rebuilds_sampled_tables(another_seed: Path, sample_warehouse: Path) -> None:
    # The originals' scores depend on the sampled sources.
    scores = f"from {TABLE} where metric = 'gleu' order by all"
    rows = query(another_seed, scores)
    assert len(rows) > 0
    assert rows != query(sample_warehouse, scores)


def test_full_refresh_builds_anyway(emptied: Path, sample_warehouse: Path) -> None:
    run("dbt", emptied, "run", "--select", "1+scores_by_error_count", "--full-refresh")
    assert rows(emptied, TABLE) == rows(sample_warehouse, TABLE)


@pytest.mark.parametrize(("table", "wrong"), SPOILT.items())
def test_another_package_version_rebuilds_dependent_tables(
    rebuilt_with_another_scipy: Path, table: str, wrong: str
) -> None:
    assert value(rebuilt_with_another_scipy, f"select count(*) from {table} where {wrong}") == 0
    assert value(rebuilt_with_another_scipy, f"select count(*) from {table}") > 0


def test_deleted_or_changed_tables_are_rebuilt(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, "drop view staging.stg_corpus__sentences")
    change(warehouse, "drop table marts.scores_by_error_count")
    change(warehouse, "delete from seeds.error_type_descriptions")
    # Rebuilt with the same rows: tables that read it are not rebuilt.
    change(warehouse, "delete from ops.fingerprints where contains(relation, 'type_sums')")
    models = ("scores_by_error_count", "stg_corpus__sentences", "error_type_descriptions")
    between = ("type_sums", "type_ratios")
    assert ran(warehouse, "--select", *models, *between) == {"scores_by_error_count", "type_sums"}
    assert value(warehouse, "select count(*) from staging.stg_corpus__sentences") > 0
    assert value(warehouse, "select count(*) from seeds.error_type_descriptions") > 0
