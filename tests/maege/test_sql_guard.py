"""`maege sql` runs queries, and opens only the published marts and its output file."""

from pathlib import Path

import duckdb
import pytest
from small_corpus import maege
from small_marts import handmade

warehouse = handmade


@pytest.mark.parametrize(
    "statement",
    [
        "explain analyze copy (select 1) to '{marts}' (format csv)",
        "/* a */ explain analyze copy (select 1) to '{folder}/x.csv'",
        "copy (select 1) to '{folder}/x.csv'",
        "export database '{folder}/x'",
        "attach '{folder}/x.duckdb'",
        "create temp table x as select 1",
        "set enable_external_access = true",
        "call enable_logging(storage = 'file', storage_path = '{folder}/x')",
        "select 1; copy (select 1) to '{folder}/x.csv'",
    ],
)
def test_nothing_but_queries_is_run(statement: str, warehouse: Path) -> None:
    before = {path.name: path.stat().st_size for path in warehouse.iterdir()}
    query = statement.format(marts=warehouse / "marts.duckdb", folder=warehouse)
    result = maege(warehouse, "sql", query)
    assert result.exit_code == 2, result.output
    assert "are read-only" in result.stderr or "expected one query" in result.stderr
    assert {path.name: path.stat().st_size for path in warehouse.iterdir()} == before


@pytest.mark.parametrize(
    "query",
    [
        "from '{secret}'",
        "from read_text('{secret}')",
        "explain analyze from read_text('{secret}')",
        "from query('from read_text(''{secret}'')')",
        "from read_text('{marts}/../secret.csv')",
        "from read_duckdb('{folder}/other.duckdb')",
    ],
)
@pytest.mark.parametrize("out", [False, True])
def test_no_other_file_is_read(query: str, out: bool, warehouse: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("word\nhidden\n")
    duckdb.connect(tmp_path / "other.duckdb").close()
    folders = {"folder": tmp_path, "marts": warehouse / "marts.duckdb"}
    query = query.format(secret=tmp_path / "secret.csv", **folders)
    options = ["--format", "parquet", "--out", str(tmp_path / "x.parquet")] if out else []
    result = maege(warehouse, "sql", query, *options)
    assert result.exit_code == 2, result.output
    assert "reads the published marts and no other file" in result.stderr
    assert "hidden" not in result.output
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parametrize(
    "query",
    [
        "explain analyze from corpora",
        "explain (format json) select corpus from corpora",
        "explain (from corpora)",
        "show tables",
        "summarize corpora",
        "pivot (select corpus from corpora) on corpus using count(*)",
        "select corpus from corpora order by random()",
    ],
)
def test_queries_of_all_kinds_are_run(query: str, warehouse: Path) -> None:
    result = maege(warehouse, "sql", query)
    assert result.exit_code == 0, result.stderr
    assert result.stdout


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "xlsx"])
def test_answers_are_written_to_one_file(
    form: str, warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "it's here"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    for out in (folder / f"answer.{form}", Path(f"it's here/answer.{form}")):
        line = ("select corpus from corpora", "--format", form, "--out", str(out))
        result = maege(warehouse, "sql", *line)
        assert result.exit_code == 0, result.stderr
        assert [path.name for path in folder.iterdir()] == [out.name]


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
def test_unknown_name_is_suggested_in_all_formats(form: str, warehouse: Path) -> None:
    for columns in ("metric", "count(*)"):
        query = f"select {columns} from metrics where metric = 'gleu_f0.5'"
        result = maege(warehouse, "sql", query, "--format", form)
        assert result.exit_code == 0
        assert "No metric is 'gleu_f0.5' in metrics. Did you mean gleu?" in result.stderr
        assert "Did you mean" not in result.stdout


def test_names_of_a_computed_column_are_not_suggested(warehouse: Path) -> None:
    query = "select * from (select upper(metric) as metric from metrics) where metric = 'GLEU'"
    assert "Did you mean" not in maege(warehouse, "sql", query).stderr
