"""A load that ends early leaves the tables as before."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from small_corpus import ingest, load, maege, raw_tables, write_corpus

MANIFEST = """\
corpus: long
title: Many sentences
licence: CC0-1.0
origin: written for tests
source: source.txt
references:
  texts: {texts: [ref.txt]}
systems: {good: good.txt}
"""
SENTENCES = 5_000


def write_version(folder: Path, version: str) -> Path:
    lines = f"Version {version} of a sentence .\n" * SENTENCES
    return write_corpus(
        folder, manifest_yml=MANIFEST, source_txt=lines, ref_txt=lines, good_txt=lines
    )


def versions(warehouse: Path) -> dict[str, set[str]]:
    """Return the versions in each table; every table must have all of its rows."""
    tables = raw_tables(warehouse)
    texts = {"sentences": 4, "references": 5, "outputs": 5}
    assert {len(tables[table]) for table in texts} == {SENTENCES}
    return {t: {str(row[column]).split()[1] for row in tables[t]} for t, column in texts.items()}


def all_of(version: str) -> dict[str, set[str]]:
    return {table: {version} for table in ("sentences", "references", "outputs")}


@pytest.fixture(scope="module")
def first_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a warehouse with the first version."""
    folder = tmp_path_factory.mktemp("first")
    ingest(folder / "warehouse", write_version(folder / "corpus", "one"))
    return folder / "warehouse"


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_load_that_is_killed_leaves_all_old_or_all_new(
    first_version: Path, tmp_path: Path, how: signal.Signals
) -> None:
    warehouse = shutil.copytree(first_version, tmp_path / "warehouse")
    write_version(tmp_path / "corpus", "two")
    command = [sys.executable, "-c", "from maege.cli import main; main()"]
    with subprocess.Popen(
        [*command, "ingest", str(tmp_path / "corpus")],
        env={**os.environ, "MAEGE_WAREHOUSE": str(warehouse)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("loading long: 3 of 4 files")
        process.send_signal(how)
    stored_versions = versions(warehouse)
    assert stored_versions in [all_of("one"), all_of("two")]
    ingest(warehouse, tmp_path / "corpus")
    assert versions(warehouse) == all_of("two")


def test_a_file_that_is_no_database_is_said_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "warehouse").mkdir()
    (tmp_path / "warehouse" / "build.duckdb").write_bytes(b"not a database" * 1000)
    result = maege(tmp_path / "warehouse", "ingest", write_corpus(tmp_path / "corpus"))
    assert result.exit_code == 1
    assert "Move it away, then ingest and build again." in result.stderr


def test_a_load_that_fails_leaves_the_tables_as_before(tmp_path: Path) -> None:
    corpus, warehouse, _ = load(tmp_path)
    with duckdb.connect(warehouse / "build.duckdb") as connection:
        connection.execute("create unique index one_output on raw.outputs (text, system)")
    before = raw_tables(warehouse)
    result = maege(
        warehouse, "ingest", write_corpus(corpus, good_txt="a\na\na\n", ref0_txt="x\ny\nz\n")
    )
    assert result.exit_code == 1
    assert "The tables are as before." in result.stderr
    assert raw_tables(warehouse) == before
