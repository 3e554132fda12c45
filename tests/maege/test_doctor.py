"""Findings of `maege doctor` about an installation and a warehouse."""

import json
import os
import re
from datetime import UTC, datetime, timedelta
from importlib.metadata import metadata, version
from pathlib import Path
from typing import Any

import duckdb
import pytest
from holding import locked
from small_corpus import ingest, load, maege, refusal, write_corpus

from maege.commands.doctor import libraries, tools

NOW = datetime.now(UTC).replace(tzinfo=None)


def finish_build(warehouse: Path, status: str, finished_at: datetime) -> None:
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("create schema if not exists ops")
        connection.execute(
            "create or replace table ops.node_results as select 'model.a' as node, "
            "'model' as resource_type, $status as status, $at::timestamp as finished_at, "
            "'x' as invocation_id",
            {"status": status, "at": finished_at},
        )


def finish_publish(warehouse: Path, moment: datetime) -> None:
    path = warehouse / "marts.duckdb"
    duckdb.connect(path).close()
    seconds = moment.replace(tzinfo=UTC).timestamp()
    os.utime(path, (seconds, seconds))


def state(warehouse: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(maege(warehouse, "doctor", "--json").stdout)["warehouse"]
    return record


def test_version_is_printed_with_those_of_engines(tmp_path: Path) -> None:
    result = maege(tmp_path, "--version")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"maege {version('maege')} (duckdb {duckdb.__version__}, ")


def test_libraries_are_checked_and_missing_tools_name_what_installs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = {library["name"]: library for library in libraries()}
    assert {"python", "duckdb", "dbt-core", "typer"} <= checked.keys()
    assert not {"pytest", "spacy"} & checked.keys()
    assert all(library["good"] for library in checked.values())
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    remedies = {tool["name"]: tool["remedy"] for tool in tools()}
    assert {"dbt", "java", "languagetool", "pocketsphinx", "transformers"} <= remedies.keys()
    # Extras that are named exist.
    named = set(re.findall(r"maege\[(\w+)\]", str(remedies)))
    assert named == {"fluency", "kenlm", "meaning", "meteor", "transformer", "warehouse"}
    assert named <= set(metadata("maege").get_all("Provides-Extra") or [])


def test_ingested_corpora_are_counted(tmp_path: Path) -> None:
    nothing = maege(tmp_path / "warehouse", "doctor")
    assert nothing.exit_code == 0
    assert "Nothing is ingested yet: make build" in nothing.stdout
    ingest(tmp_path / "warehouse", write_corpus(tmp_path / "corpus"))
    record = state(tmp_path / "warehouse")
    corpus = record["corpora"][0]
    assert datetime.fromisoformat(corpus.pop("ingested_at")) >= NOW
    counts = {"annotation_sets": 2, "reference_sets": 2, "systems": 2}
    assert corpus == {"corpus": "small", "sentences": 3, **counts}
    assert record["build"]["status"] == "never"
    assert record["advice"] == ["Nothing is built yet. Run: maege build"]


def test_a_failed_build_is_not_healthy(tmp_path: Path) -> None:
    warehouse = tmp_path / "a_folder_with_a_long_name" / "warehouse"
    ingest(warehouse, write_corpus(tmp_path / "corpus"))
    finish_build(warehouse, "error", NOW + timedelta(days=1))
    result = maege(warehouse, "doctor")
    assert result.exit_code == 1
    assert "Last build: failed" in result.stdout
    assert "error: model.a" in result.stdout
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


def test_an_interrupted_build_is_to_be_run_again(tmp_path: Path) -> None:
    ingest(tmp_path, write_corpus(tmp_path / "corpus"))
    finish_build(tmp_path, "error", NOW)
    with duckdb.connect(tmp_path / "build.duckdb") as connection:
        connection.execute(
            "insert into ops.node_results values ('build', 'build', 'running', $1, 'y')", [NOW]
        )
    result = maege(tmp_path, "doctor")
    assert result.exit_code == 1
    assert "Last build: interrupted" in result.stdout
    assert "The last build was interrupted. Run it again: maege build" in result.stdout
    assert "Correct the cause" not in result.stdout
    assert "was interrupted" in refusal(tmp_path, "publish", code=1)
    with locked(tmp_path / "build.duckdb") as process:
        during = maege(tmp_path, "doctor")
    running = " ".join(during.stdout.split())
    assert during.exit_code == 0
    assert "database in use" in running
    assert f"is in use by process {process}" in running
    assert "Run it again" not in running


def test_data_and_marts_that_are_newer_or_older_than_the_build_are_reported(
    tmp_path: Path,
) -> None:
    warehouse = load(tmp_path).warehouse
    finish_build(warehouse, "success", NOW + timedelta(days=2))
    assert state(warehouse)["advice"] == ["The marts are not published yet: maege publish"]
    finish_publish(warehouse, NOW + timedelta(days=1))
    older = "The published marts are older than the last build: maege publish"
    assert state(warehouse)["advice"] == [older]
    finish_publish(warehouse, NOW + timedelta(days=3))
    assert state(warehouse)["advice"] == []
    finish_build(warehouse, "success", NOW - timedelta(days=1))
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("create schema marts; create table marts.a (n integer)")
    (newer,) = state(warehouse)["advice"]
    assert newer.startswith("1 mart is older than the ingested data or the models: a. Run: maege")


def test_broken_and_unreadable_files_are_not_healthy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(tmp_path, write_corpus(tmp_path / "corpus"))
    (tmp_path / "marts.duckdb").write_bytes(b"no database" * 1000)

    def doctor() -> str:
        result = maege(tmp_path, "doctor")
        assert result.exit_code == 1
        return " ".join(result.stdout.split())

    assert "Publish again: maege publish" in doctor()
    assert "Publish again: maege publish" in refusal(tmp_path, "card", "gleu", code=1)
    (tmp_path / "build.duckdb").write_bytes(b"not a database" * 1000)
    assert "Move it away" in doctor()
    # The user who runs the tests may have all permissions.
    monkeypatch.setattr("os.access", lambda *_: False)
    output = doctor()
    assert "permission denied. Ask its owner for the right to read it" in output
    assert "Move it away" not in output
