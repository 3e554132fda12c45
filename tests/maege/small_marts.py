"""Handmade published marts, and the page of a report."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest

from maege.report.build import Report, render
from maege.report.vega import drawing

STATEMENTS = Path(__file__).with_suffix(".sql")


def publish(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    with duckdb.connect(folder / "marts.duckdb") as marts:
        marts.execute(STATEMENTS.read_text())
        # Numbers with a point are decimals in a literal, and doubles in a mart.
        for table, column in marts.execute(
            "select table_name, column_name from duckdb_columns() where data_type like 'DECIMAL%'"
        ).fetchall():
            marts.execute(f"alter table {table} alter {column} type double")
    return folder


@cache
def _handmade() -> "TemporaryDirectory[str]":
    folder = TemporaryDirectory()
    publish(Path(folder.name))
    return folder


@pytest.fixture(scope="session")
def handmade() -> Path:
    return Path(_handmade().name)


def rendered(report: Report) -> str:
    with drawing() as process:
        return render(report, lambda _: None, process)
