"""Layers of the models run one way: each reads itself and what stands left of it."""

import json
from pathlib import Path
from typing import Any

import pytest

RESULTS = ("meta_evaluation", "judgments", "systems", "coverage")
# What stands in one row does not read each other.
LAYERS = (
    ("staging",),
    ("corpora",),
    ("edits",),
    ("lattices",),
    ("pairs",),
    ("caches",),
    ("scores",),
    RESULTS,
    # Exhibits of papers hold results beside what was printed.
    ("replication",),
    ("marts",),
)
PLACE = {layer: place for place, row in enumerate(LAYERS) for layer in row}


@pytest.fixture(scope="module")
def models(sample_warehouse: Path) -> dict[str, dict[str, Any]]:
    """The models of the manifest that the build of the sample wrote, by their unique names."""
    manifest = json.loads((sample_warehouse / "dbt" / "manifest.json").read_text())
    return {
        name: node for name, node in manifest["nodes"].items() if node["resource_type"] == "model"
    }


def layer_of(model: dict[str, Any]) -> str:
    return str(model["fqn"][1])


def test_every_model_is_in_the_folder_of_its_layer(models: dict[str, dict[str, Any]]) -> None:
    assert len(models) > 100
    assert {layer_of(model) for model in models.values()} == set(PLACE)


def test_a_layer_reads_itself_and_those_left_of_it(models: dict[str, dict[str, Any]]) -> None:
    arrows = [
        (layer_of(models[read]), layer_of(model), f"{models[read]['name']} -> {model['name']}")
        for model in models.values()
        for read in model["depends_on"]["nodes"]
        if read in models
    ]
    assert len(arrows) > 300
    backwards = [
        name for read, reader, name in arrows if read != reader and PLACE[read] >= PLACE[reader]
    ]
    assert backwards == []


def test_marts_are_read_by_marts_alone(models: dict[str, dict[str, Any]]) -> None:
    readers = [
        f"{models[read]['name']} -> {model['name']}"
        for model in models.values()
        for read in model["depends_on"]["nodes"]
        if read in models and layer_of(models[read]) == "marts" and layer_of(model) != "marts"
    ]
    assert readers == []
