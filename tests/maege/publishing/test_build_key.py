"""Changes that `maege build` detects, and changes that it ignores."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from maege.building.run import build_key
from maege.ingest.warehouse import Warehouse, WarehouseError

MINE = "metrics:\n  mine: {function: 'parts.mine:score', inputs: [hypothesis]}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one model, a warehouse with one file, and a user metric."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAEGE_METRICS", str(tmp_path / "metrics.yml"))
    for name, text in {
        "dbt_project.yml": "vars: {seed: 1}\n",
        "models/one.sql": "select 1\n",
        "metrics.yml": MINE,
        "parts/__init__.py": "raise ImportError('nobody imports it')\n",
        "parts/mine.py": "def score(hypothesis): return 1\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with duckdb.connect(tmp_path / "build.duckdb") as build:
        build.execute("create schema raw")
        build.execute(
            "create table raw.files as select 'c' corpus, 'p' path, 'n' as name, 'a' sha256"
        )
        build.execute("create table raw.last_change as select timestamp '2026-01-01' as changed_at")
    return tmp_path


def key(project: Path) -> str:
    return build_key(Warehouse(project), project)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dbt_project.yml", "vars: {seed: 2}\n"),
        ("models/one.sql", "select 2\n"),
        ("models/one.sql", None),
        ("models/two.sql", "select 1\n"),
        ("metrics.yml", MINE.replace("hypothesis", "source")),
        ("parts/mine.py", "def score(hypothesis): return 2\n"),
    ],
)
def test_code_variables_and_own_metrics_count(project: Path, name: str, text: str | None) -> None:
    before = key(project)
    assert key(project) == before
    if text is None:
        (project / name).unlink()
    else:
        (project / name).write_text(text)
    assert key(project) != before


@pytest.mark.parametrize(
    "change",
    [
        "update raw.last_change set changed_at = '2026-01-02'",
        "update raw.files set sha256 = 'b'",
        "insert into raw.files values ('other', 'p', 'n', 'a')",
    ],
)
def test_ingested_files_and_tools_count(
    project: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key(project)
    with duckdb.connect(project / "build.duckdb") as build:
        build.execute(change)
    after = key(project)
    assert after != before
    monkeypatch.setenv("LANGUAGETOOL_URL", "http://localhost:1")
    assert key(project) != after


def test_message_without_corpus_names_ingest(tmp_path: Path) -> None:
    duckdb.connect(tmp_path / "build.duckdb").close()
    with pytest.raises(WarehouseError, match="maege ingest corpora/sample"):
        build_key(Warehouse(tmp_path), tmp_path)


def test_reading_commands_import_neither_dbt_nor_numerics(repository: Path) -> None:
    program = "import sys, maege.building.run; print({'dbt', 'numba', 'numpy'} & set(sys.modules))"
    process = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == "set()\n"
