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
def test_query_answers_within_a_screen(name: str, published_sample: Path) -> None:
    result = maege(published_sample, "sql", "--file", PATHS[name], "--format", "csv")
    assert result.exit_code == 0, result.output
    rows = list(csv.reader(io.StringIO(result.stdout)))[1:]
    reason_for_none = DESCRIBED[name].get("config", {}).get("meta", {}).get("empty_on_sample")
    assert bool(rows) == (reason_for_none is None)
    assert len(rows) <= SCREEN_ROWS


def test_texts_and_scores_where_two_metrics_disagree_are_one_query(
    published_sample: Path, tmp_path: Path
) -> None:
    page = (REPOSITORY / "docs" / "reading-the-marts.md").read_text()
    start = page.index("where GLEU and ERRANT disagree most")
    sql = page[start:].split("```sql\n", 1)[1].split("```", 1)[0]
    file = tmp_path / "disagreement.sql"
    file.write_text(sql)
    result = maege(published_sample, "sql", "--file", file, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [
        (row["sentence_id"], row["errant_careful"], row["errant_overeager"]) for row in rows
    ] == [
        ("42", "0.63", "0.0"),
        ("8", "0.83", "0.5"),
    ]
    assert rows[0]["source_text"].startswith("Two years ago I have moved")
    assert rows[0]["reference_text"] == (
        "Two years ago I moved from Sevilla to Zürich to study a master 's degree ."
    )
    assert all(float(row["gleu_difference"]) < 0 for row in rows)


def test_page_prints_the_rows_of_its_queries(published_sample: Path, tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "reading-the-marts.md").read_text()
    blocks = re.findall(r"```sql\n([^`]+)```\n```\n([^`]+)```", page)
    assert len(blocks) == 27
    for sql, printed in blocks:
        (tmp_path / "query.sql").write_text(sql)
        result = CliRunner(env={"MAEGE_WAREHOUSE": str(published_sample), "COLUMNS": "140"}).invoke(
            app, ["sql", "--file", str(tmp_path / "query.sql")]
        )
        # Lines between records are as long as the terminal is wide.
        rows, expected = (re.sub("-{20,}", "", text).split() for text in (result.stdout, printed))
        assert rows == expected, sql
