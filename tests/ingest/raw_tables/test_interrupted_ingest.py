"""A load that ends early leaves the tables as before."""

from pathlib import Path

import duckdb
import pytest
from small_corpus import load, maege, raw_tables, write_corpus


def test_an_interrupted_load_leaves_the_tables_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, warehouse, before = load(tmp_path)

    def interrupt(_: duckdb.DuckDBPyConnection) -> None:
        raise KeyboardInterrupt

    # The last step before the commit.
    monkeypatch.setattr("maege.ingest.load.record_change", interrupt)
    assert maege(warehouse, "ingest", write_corpus(corpus, good_txt="a\nb\nc\n")).exit_code != 0
    assert raw_tables(warehouse) == before


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
