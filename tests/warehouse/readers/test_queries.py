"""The ready questions of analysis/queries run on the published marts of the sample."""

import csv
import io
import re
from pathlib import Path

import pytest
import yaml
from building import REPOSITORY
from small_corpus import maege
from typer.testing import CliRunner

from maege.cli import app

QUERIES = REPOSITORY / "analysis" / "queries"
PATHS = {path.stem: path for path in sorted(QUERIES.rglob("*.sql"))}
DESCRIBED = {
    query["name"]: query
    for path in QUERIES.rglob("*.yml")
    for query in yaml.safe_load(path.read_text())["analyses"]
}
SCREEN_ROWS = 100


def test_every_query_is_described() -> None:
    assert DESCRIBED.keys() == PATHS.keys()


@pytest.mark.parametrize("name", PATHS)
def test_query_answers_within_a_screen(name: str, sample_warehouse: Path) -> None:
    result = maege(sample_warehouse, "sql", "--file", PATHS[name], "--format", "csv")
    assert result.exit_code == 0, result.output
    rows = list(csv.reader(io.StringIO(result.stdout)))[1:]
    reason_for_none = DESCRIBED[name].get("config", {}).get("meta", {}).get("empty_on_sample")
    assert bool(rows) == (reason_for_none is None)
    assert len(rows) <= SCREEN_ROWS


def test_page_prints_the_rows_of_its_queries(sample_warehouse: Path, tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "reading-the-marts.md").read_text()
    blocks = re.findall(r"```sql\n([^`]+)```\n```\n([^`]+)```", page)
    assert len(blocks) == 27
    for sql, printed in blocks:
        (tmp_path / "query.sql").write_text(sql)
        result = CliRunner(env={"MAEGE_WAREHOUSE": str(sample_warehouse), "COLUMNS": "140"}).invoke(
            app, ["sql", "--file", str(tmp_path / "query.sql")]
        )
        # Lines between records are as long as the terminal is wide.
        rows, expected = (re.sub("-{20,}", "", text).split() for text in (result.stdout, printed))
        assert rows == expected, sql
