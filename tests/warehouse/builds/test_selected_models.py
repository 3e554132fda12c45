"""A part of the models can be built alone, on an empty warehouse."""

from pathlib import Path

from building import BUILD, parsed_like, run


def test_mart_and_its_inputs_build_on_an_empty_warehouse(
    sample_warehouse: Path, tmp_path: Path
) -> None:
    warehouse = parsed_like(sample_warehouse, tmp_path / "warehouse")
    run("maege", warehouse, "ingest", "tests/corpora/toy_en")
    # Its tests pass; tests that compare it with later models do not run.
    said = run("dbt", warehouse, *BUILD, "--select", "+gold_edits")
    assert "ERROR" not in said
