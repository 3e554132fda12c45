"""The ad hoc queries of analysis/queries compile, run and answer on a built sample warehouse."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import yaml
from building import REPOSITORY, run

from analysis.sql_registration import register

QUERIES = REPOSITORY / "analysis" / "queries"
NAMES = sorted(path.stem for path in QUERIES.glob("*.sql"))
DESCRIBED = {
    query["name"]: query
    for query in yaml.safe_load((QUERIES / "_queries.yml").read_text())["analyses"]
}
SCREEN_ROWS = 100


@pytest.fixture(scope="module")
def compiled(sample_warehouse: Path) -> Path:
    """The folder with the queries as dbt compiles them."""
    run("dbt", sample_warehouse, "compile", "--select", "path:analysis/queries")
    return sample_warehouse / "dbt" / "compiled" / "maege" / "analysis" / "queries"


@pytest.fixture(scope="module")
def connection(sample_warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The built sample, read-only, with the functions that queries may use."""
    with duckdb.connect(sample_warehouse / "build.duckdb", read_only=True) as opened:
        register(opened)
        yield opened


def test_every_query_is_described() -> None:
    assert sorted(DESCRIBED) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_query_answers_within_a_screen(
    name: str, compiled: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    rows = connection.execute((compiled / f"{name}.sql").read_text()).fetchall()
    reason_for_none = DESCRIBED[name].get("config", {}).get("meta", {}).get("empty_on_sample")
    assert bool(rows) == (reason_for_none is None)
    assert len(rows) <= SCREEN_ROWS


@pytest.mark.parametrize("name", NAMES)
def test_query_opens_with_its_question(name: str) -> None:
    lines = (QUERIES / f"{name}.sql").read_text().splitlines()
    opening = " ".join(line.removeprefix("--") for line in lines[:3] if line.startswith("--"))
    assert "?" in opening
