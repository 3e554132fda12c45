"""The Superset dashboard in bi/superset uses only existing marts and columns."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from bi.superset.pack import DASHBOARD, pack

# A column in a filter, a metric or a list of columns; functions are words before a bracket.
WORD = re.compile(r"[a-z_]+(?!\w*\s*\()")
KEYWORDS = {"over", "partition", "by"}


def documents(folder: str) -> list[dict[str, Any]]:
    """Return the YAML files of a folder of the dashboard."""
    return [yaml.safe_load(path.read_text()) for path in sorted(DASHBOARD.glob(f"{folder}/**/*"))
            if path.suffix == ".yaml"]  # fmt: skip


@pytest.fixture(scope="module")
def contracts(repository: Path) -> dict[str, dict[str, str]]:
    """The columns of every mart, with their types."""
    types_by_mart = {}
    for path in (repository / "models" / "marts").rglob("*.yml"):
        for model in yaml.safe_load(path.read_text())["models"]:
            types_by_mart[model["name"]] = {
                column["name"]: column["data_type"] for column in model.get("columns", [])
            }
    return types_by_mart


def test_charts_name_columns_that_their_marts_have(contracts: dict[str, dict[str, str]]) -> None:
    marts = {dataset["uuid"]: dataset["table_name"] for dataset in documents("datasets")}
    charts = documents("charts")
    assert {chart["dataset_uuid"] for chart in charts} == set(marts)
    for chart in charts:
        named = set(columns_of(chart["params"]))
        (query,) = json.loads(chart["query_context"])["queries"]
        assert named, chart["slice_name"]
        assert named <= set(contracts[marts[chart["dataset_uuid"]]]), chart["slice_name"]
        # The browser's request and the saved query are the same.
        queried = set(query["columns"]) | {each["col"] for each in query["filters"]}
        assert queried <= named, chart["slice_name"]


def columns_of(params: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the columns of a chart."""
    for key in ("all_columns", "columns", "groupby", "x_axis"):
        yield from [params[key]] if isinstance(params.get(key), str) else params.get(key, [])
    for condition in params["adhoc_filters"]:
        yield condition["subject"]
    for metric in [*params.get("metrics", []), *filter(None, [params.get("metric")])]:
        if metric["expressionType"] == "SIMPLE":
            yield metric["column"]["column_name"]
        else:
            yield from set(WORD.findall(metric["sqlExpression"])) - KEYWORDS


def test_dashboard_shows_every_chart_once_and_filters_by_a_column(
    contracts: dict[str, dict[str, str]],
) -> None:
    (dashboard,) = documents("dashboards")
    shown = [
        part["meta"]["uuid"]
        for part in dashboard["position"].values()
        if isinstance(part, dict) and part["type"] == "CHART"
    ]
    assert sorted(shown) == sorted(chart["uuid"] for chart in documents("charts"))
    by_uuid = {dataset["uuid"]: dataset for dataset in documents("datasets")}
    for choice in dashboard["metadata"]["native_filter_configuration"]:
        for target in choice["targets"]:
            mart = by_uuid[target["datasetUuid"]]["table_name"]
            assert target["column"]["name"] in contracts[mart]


def test_packed_dashboard_has_the_path_and_the_columns_of_the_marts(
    contracts: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "marts.duckdb"
    shown = {dataset["table_name"] for dataset in documents("datasets")}
    with duckdb.connect(path) as marts:
        for name in shown:
            columns = (f'"{column}" {kind}' for column, kind in contracts[name].items())
            marts.execute(f"create table {name} ({', '.join(columns)})")
    pack(path, tmp_path / "dashboard.zip")
    with zipfile.ZipFile(tmp_path / "dashboard.zip") as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    (database,) = (yaml.safe_load(text) for name, text in texts.items() if "/databases/" in name)
    assert database["sqlalchemy_uri"] == f"duckdb:///{path}"
    assert database["extra"]["engine_params"]["connect_args"] == {"read_only": True}
    datasets = [yaml.safe_load(text) for name, text in texts.items() if "/datasets/" in name]
    assert {dataset["table_name"] for dataset in datasets} == shown
    for dataset in datasets:
        types = {column["column_name"]: column["type"] for column in dataset["columns"]}
        assert types == {
            column: kind.upper() for column, kind in contracts[dataset["table_name"]].items()
        }
    assert "maege/metadata.yaml" in texts
    assert not any("${" in text or "/home/" in text for text in texts.values())
