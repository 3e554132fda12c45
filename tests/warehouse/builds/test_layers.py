"""Layers of the models: each reads only itself and earlier layers."""

import json
from pathlib import Path
from typing import Any

import pytest
from building import query

# Results may read each other; a mart is a result that is published.
RESULTS = ("meta_evaluation", "judgments", "systems", "coverage", "marts")
LAYERS = (
    ("staging",),
    ("corpora",),
    ("edits",),
    ("lattices",),
    ("pairs",),
    ("caches",),
    ("scores",),
    RESULTS,
)
PLACE = {layer: place for place, row in enumerate(LAYERS) for layer in row}


@pytest.fixture(scope="module")
def models(sample_warehouse: Path) -> dict[str, dict[str, Any]]:
    manifest = json.loads((sample_warehouse / "dbt" / "manifest.json").read_text())
    return {
        name: node for name, node in manifest["nodes"].items() if node["resource_type"] == "model"
    }


def layer_of(model: dict[str, Any]) -> str:
    return str(model["fqn"][1])


def test_every_model_is_in_the_folder_of_its_layer(models: dict[str, dict[str, Any]]) -> None:
    assert len(models) > 100
    assert {layer_of(model) for model in models.values()} == set(PLACE)


def test_a_layer_reads_itself_and_earlier_layers(models: dict[str, dict[str, Any]]) -> None:
    arrows = [
        (layer_of(models[read]), layer_of(model), f"{models[read]['name']} -> {model['name']}")
        for model in models.values()
        for read in model["depends_on"]["nodes"]
        if read in models
    ]
    assert len(arrows) > 300
    backwards = [name for read, reader, name in arrows if PLACE[read] > PLACE[reader]]
    assert backwards == []


def test_marts_have_the_types_of_their_contract(
    models: dict[str, dict[str, Any]], sample_warehouse: Path
) -> None:
    contract = {
        (model["name"], column["name"]): (
            column["data_type"],
            all(rule["type"] != "not_null" for rule in column["constraints"]),
        )
        for model in models.values()
        if layer_of(model) == "marts" and model["config"]["materialized"] == "table"
        for column in model["columns"].values()
    }
    assert ("coverage", "expected_share") in contract  # of a Python model
    rows = query(
        sample_warehouse,
        "select columns.table_name, column_name, lower(data_type), is_nullable "
        "from duckdb_columns() as columns "
        "inner join duckdb_tables() using (schema_name, table_oid) "
        "where schema_name in ('marts', 'stored')",
    )
    assert {(table, column): (kind, empty) for table, column, kind, empty in rows} == contract
