"""A build leaves tables alone while nothing that they are made of has changed."""

import os
from pathlib import Path

import pytest
from building import REPOSITORY, attempt, change, copy_of, run, value

TABLE = "marts.scores_by_error_count"
COUNT = f"select count(*) from {TABLE}"
# Tables of every kind, and what is wrong in them: plain ones in SQL and Python, incremental ones.
SPOILT = {
    "marts.scores_by_error_count": "mean_score = 99",
    "lattice.sampled_corpora_published": "mask = -1",
    "scoring.pooled_m2_scores": "score = 99",
    "validation.chosen_annotators": "position = 99",
    "validation.system_corpus_scores": "corpus_score = 99",
}
SELECTED = ("run", "--select", "+scores_by_error_count")


@pytest.fixture
def emptied(sample_warehouse: Path, tmp_path: Path) -> Path:
    """The sample with one table emptied behind dbt's back: its rows tell whether it is built."""
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, f"delete from {TABLE}")
    return warehouse


@pytest.fixture(scope="module")
def rebuilt_with_another_scipy(
    sample_warehouse: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The sample with wrong numbers in some tables, built again under another version of SciPy."""
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


def test_nothing_changed_nothing_is_built(emptied: Path) -> None:
    run("dbt", emptied, *SELECTED)
    assert value(emptied, COUNT) == 0


def test_changed_rows_are_noticed_through_all_tables_between(
    emptied: Path, sample_warehouse: Path
) -> None:
    change(
        emptied,
        "update raw.outputs set text = 'Something else .' where system = 'INPUT' "
        "and sentence_id = 0",
    )
    run("dbt", emptied, *SELECTED)
    assert value(emptied, COUNT) == value(sample_warehouse, COUNT)


def test_another_seed_builds_what_chance_decides(another_seed: Path) -> None:
    assert value(another_seed, COUNT) > 0


def test_full_refresh_builds_anyway(emptied: Path, sample_warehouse: Path) -> None:
    run("dbt", emptied, *SELECTED, "--full-refresh")
    assert value(emptied, COUNT) == value(sample_warehouse, COUNT)


def test_a_table_without_a_fingerprint_is_built_again(
    emptied: Path, sample_warehouse: Path
) -> None:
    change(
        emptied, "delete from ops.fingerprints where contains(relation, 'scores_by_error_count')"
    )
    run("dbt", emptied, *SELECTED)
    assert value(emptied, COUNT) == value(sample_warehouse, COUNT)


@pytest.mark.parametrize(("table", "wrong"), SPOILT.items())
def test_another_version_of_a_package_builds_what_is_computed_with_it(
    rebuilt_with_another_scipy: Path, table: str, wrong: str
) -> None:
    assert value(rebuilt_with_another_scipy, f"select count(*) from {table} where {wrong}") == 0
    assert value(rebuilt_with_another_scipy, f"select count(*) from {table}") > 0


def test_a_test_that_passed_is_run_again_only_if_something_that_it_reads_changed(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    select = ("--select", "assert_system_statistics_are_complete")
    # Of a plain table the fingerprint counts: rows changed behind dbt's back are for `dbt test`.
    change(warehouse, "update marts.statistic_places set statistic = 'other' where place = 1")
    run("dbt", warehouse, "build", *select)
    assert "assert_system_statistics" in attempt("dbt", warehouse, "test", *select).stdout
    # What failed is run again.
    assert attempt("dbt", warehouse, "build", *select).returncode == 1


def test_a_test_notices_changed_rows_through_a_view(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, "delete from marts.statistic_lists where sentence_id = 0")
    select = ("--select", "assert_system_statistics_are_complete")
    assert attempt("dbt", warehouse, "build", *select).returncode == 1
