"""A build does not rebuild tables whose inputs are unchanged."""

import os
from pathlib import Path

from building import REPOSITORY, change, copy_of, query, ran, run, value, variables

TABLE = "marts.scores_by_error_count"
# Tables in SQL and Python, with wrong values.
SPOILT = {
    "marts.scores_by_error_count": "mean_score = 99",
    "systems.system_corpus_scores": "corpus_score = 99",
}
# A table that depends on raw tables through others, and one without a stored fingerprint.
EDITS = "marts.gold_edits"
UNKNOWN = "marts.sentence_exclusions"


def rows(warehouse: Path, table: str) -> int:
    return int(value(warehouse, f"select count(*) from {table}"))


def test_changed_rows_and_missing_fingerprints_are_noticed(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    for table in (EDITS, UNKNOWN):
        change(warehouse, f"delete from {table}")
    change(
        warehouse, "delete from ops.fingerprints where contains(relation, 'sentence_exclusions')"
    )
    change(warehouse, "update raw.m2_edits set correction = correction || 's' where line = 2")
    run("dbt", warehouse, "run", "--select", "+gold_edits", "sentence_exclusions")
    for table in (EDITS, UNKNOWN):
        assert rows(warehouse, table) == rows(sample_warehouse, table) > 0


def test_another_seed_draws_other_chains_and_scores_them(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    settings = variables(seed=2, metrics=["gleu"], corpus_draws=1, workers=1)
    run("dbt", warehouse, "run", "--select", "+scores_by_error_count", *settings)
    annotations = "select annotation_id, n_edits from lattices.lattice_chains order by all"
    assert query(warehouse, annotations) == query(sample_warehouse, annotations)
    for changed in (
        "select annotation_id, permutation from lattices.lattice_chains order by all",
        "select annotation_id, source_position from lattices.lattice_chains order by all",
        # The originals' scores depend on the sampled sources.
        f"from {TABLE} where metric = 'gleu' order by all",
    ):
        rows = query(warehouse, changed)
        assert len(rows) > 0
        assert rows != query(sample_warehouse, changed)


def test_full_refresh_builds_anyway(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    # Emptied without dbt: its rows show whether it is rebuilt.
    change(warehouse, f"delete from {TABLE}")
    run("dbt", warehouse, "run", "--select", "1+scores_by_error_count", "--full-refresh")
    assert rows(warehouse, TABLE) == rows(sample_warehouse, TABLE)


def test_another_package_version_rebuilds_dependent_tables(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    for table, assignment in SPOILT.items():
        change(warehouse, f"update {table} set {assignment}")
    described = tmp_path / "packages" / "scipy-99.0.dist-info" / "METADATA"
    described.parent.mkdir(parents=True)
    described.write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 99.0\n")
    models = [table.split(".")[1] for table in SPOILT]
    path = f"{tmp_path / 'packages'}{os.pathsep}{REPOSITORY}"
    run("dbt", warehouse, "run", "--select", *models, PYTHONPATH=path)
    for table, condition in SPOILT.items():
        assert rows(warehouse, f"{table} where {condition}") == 0
        assert rows(warehouse, table) > 0


def test_deleted_or_changed_tables_are_rebuilt(sample_warehouse: Path, tmp_path: Path) -> None:
    warehouse = copy_of(sample_warehouse, tmp_path / "warehouse")
    change(warehouse, "drop view staging.stg_corpus__sentences")
    change(warehouse, "drop table marts.scores_by_error_count")
    change(warehouse, "delete from seeds.error_type_descriptions")
    # Rebuilt with the same rows: tables that read it are not rebuilt.
    change(warehouse, "delete from ops.fingerprints where contains(relation, 'type_sums')")
    models = ("scores_by_error_count", "stg_corpus__sentences", "error_type_descriptions")
    intermediate = ("type_sums", "type_ratios")
    assert ran(warehouse, "--select", *models, *intermediate) == {
        "scores_by_error_count",
        "type_sums",
    }
    assert value(warehouse, "select count(*) from staging.stg_corpus__sentences") > 0
    assert value(warehouse, "select count(*) from seeds.error_type_descriptions") > 0
