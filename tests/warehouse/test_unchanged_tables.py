"""A build leaves tables alone while nothing that they are made of has changed."""

import json
import os
from pathlib import Path

import pytest
from building import REPOSITORY, attempt, change, copy_of, query, run, value, variables

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
# `dbt build` need not compile a node to see that it is unchanged; `dbt run` compares compiled code.
COMMANDS = ("run", "build")
SELECTED = ("--select", "+scores_by_error_count")


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


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_changed_nothing_is_built(emptied: Path, command: str) -> None:
    run("dbt", emptied, command, *SELECTED)
    assert value(emptied, COUNT) == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_changed_rows_are_noticed_through_all_tables_between(
    emptied: Path, sample_warehouse: Path, command: str
) -> None:
    change(
        emptied,
        "update raw.outputs set text = 'Something else .' where system = 'INPUT' "
        "and sentence_id = 0",
    )
    run("dbt", emptied, command, *SELECTED)
    assert value(emptied, COUNT) == value(sample_warehouse, COUNT)


def test_another_seed_builds_what_chance_decides(another_seed: Path) -> None:
    assert value(another_seed, COUNT) > 0


def test_full_refresh_builds_anyway(emptied: Path, sample_warehouse: Path) -> None:
    run("dbt", emptied, "run", "--select", "1+scores_by_error_count", "--full-refresh")
    assert value(emptied, COUNT) == value(sample_warehouse, COUNT)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_table_without_a_fingerprint_is_built_again(
    emptied: Path, sample_warehouse: Path, command: str
) -> None:
    change(
        emptied, "delete from ops.fingerprints where contains(relation, 'scores_by_error_count')"
    )
    run("dbt", emptied, command, "--select", "scores_by_error_count")
    assert value(emptied, COUNT) == value(sample_warehouse, COUNT)


@pytest.mark.parametrize(("table", "wrong"), SPOILT.items())
def test_another_version_of_a_package_builds_what_is_computed_with_it(
    rebuilt_with_another_scipy: Path, table: str, wrong: str
) -> None:
    assert value(rebuilt_with_another_scipy, f"select count(*) from {table} where {wrong}") == 0
    assert value(rebuilt_with_another_scipy, f"select count(*) from {table}") > 0


def ran(warehouse: Path, *arguments: str) -> set[str]:
    """Return the names of the nodes that a build did not pass at once."""
    run("dbt", warehouse, "build", *arguments, DBT_WRITE_JSON="true")
    results = json.loads((warehouse / "dbt" / "run_results.json").read_text())["results"]
    nodes = [result["unique_id"].split(".") for result in results if result["adapter_response"]]
    return {node[-1] if node[0] == "unit_test" else node[2] for node in nodes}


def test_nothing_changed_only_models_that_ask_what_is_installed_run(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    asking = {"edit_extractor", "metric_registry"}
    # Tables that have all rows of the spool since the last build empty it in the next.
    spools = {"metric_statistics", "text_edits", "text_parses", "unseen_estimates"}
    assert ran(warehouse) == asking | spools
    assert ran(warehouse) == asking


def test_what_is_gone_or_changed_is_made_again(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, "drop view staging.stg_corpus__outputs")
    change(warehouse, "drop table marts.scores_by_error_count")
    change(warehouse, "delete from seeds.maege_published")
    models = ["scores_by_error_count", "stg_corpus__outputs"]
    assert ran(warehouse, "--select", *models, "maege_published", "corpora") == {
        *models,
        "maege_published",
    }
    assert value(warehouse, "select count(*) from seeds.maege_published") > 0


def test_unit_tests_run_again_with_another_variable(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    select = ("--select", "stg_m2__edits", "--exclude-resource-type", "test")
    assert ran(warehouse, *select) == set()
    assert ran(warehouse, *select, *variables(seed=2)) == {
        "stg_m2__edits",
        "alternatives_that_delete_are_empty",
    }


def test_a_test_that_passed_is_run_again_only_if_something_that_it_reads_changed(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    select = ("--select", "assert_system_statistics_are_complete")
    # Of a plain table the fingerprint counts: rows changed behind dbt's back are for `dbt test`.
    change(warehouse, "update marts.statistic_places set statistic = 'other' where place = 1")
    run("dbt", warehouse, "build", *select)
    failed = attempt("dbt", warehouse, "test", *select).stdout
    assert "assert_system_statistics" in failed
    n_places = value(sample_warehouse, "select count(*) from marts.statistic_places")
    expected = f"expected the {n_places:,} rows that were written"
    assert f"marts.statistic_places: found other values, {expected}" in failed
    # What failed is run again.
    again = attempt("dbt", warehouse, "build", *select)
    assert again.returncode == 1
    assert "Mend: dbt build --full-refresh --select statistic_places+" in again.stdout
    run("dbt", warehouse, "run", "--full-refresh", "--select", "statistic_places")
    run("dbt", warehouse, "test", *select)
    assert "as they were written" in run("maege", warehouse, "doctor", "--deep")


def test_a_cache_changed_by_hand_is_found_even_after_builds_that_append_to_it(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    select = ("--select", "unseen_estimates")
    change(warehouse, "delete from coverage.unseen_estimates where redraw = 0")
    run("dbt", warehouse, "build", *select)
    doctor = attempt("maege", warehouse, "doctor", "--deep")
    assert doctor.returncode == 1
    assert "coverage.unseen_estimates: found" in doctor.stdout
    assert "Mend: dbt run-operation forget_cache" in " ".join(doctor.stdout.split())
    run("dbt", warehouse, "run-operation", "forget_cache", "--args", "name: unseen_estimates")
    run("dbt", warehouse, "build", *select)
    assert "as they were written" in run("maege", warehouse, "doctor", "--deep")
    rows = "from coverage.unseen_estimates order by all"
    assert query(warehouse, rows) == query(sample_warehouse, rows)


def test_a_test_notices_changed_rows_through_a_view(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, "delete from marts.statistic_lists where sentence_id = 0")
    complete = ("--select", "assert_system_statistics_are_complete")
    assert attempt("dbt", warehouse, "build", *complete).returncode == 1
    negative = "list_transform(statistics, lambda x: -x)"
    change(warehouse, f"update marts.statistic_lists set statistics = {negative}")
    through_a_view = ("--select", "assert_statistics_add_up_to_scores")
    assert attempt("dbt", warehouse, "build", *through_a_view).returncode == 1
