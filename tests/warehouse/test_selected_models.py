"""A part of the models builds alone, on a warehouse that holds nothing else."""

from pathlib import Path

from building import BUILD, ingested_sample, run


def test_one_mart_and_what_it_is_made_of_build_on_an_empty_warehouse(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = ingested_sample(sample_warehouse, tmp_path / "warehouse")
    # Its tests pass; those that compare it with models further on are not run.
    said = run("dbt", warehouse, *BUILD, "--select", "+gold_edits")
    assert "ERROR" not in said
