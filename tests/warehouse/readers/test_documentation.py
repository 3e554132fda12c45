"""Examples of README and docs/ run on the published sample: SQL, Python, and reading commands."""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from building import REPOSITORY
from documents import Block, Shown, blocks, calls, commands, typed_lines
from sqlalchemy import Engine
from typer.testing import CliRunner

from maege.cli import app
from maege.tables import cell

SQL = blocks("sql")
PYTHON = blocks("python")
PAGES = sorted({block.page for block in PYTHON})
# Commands that read only published marts or texts, and take no longer than a moment.
READERS = {"card", "compare", "export", "results", "sql", "examples"}
# The sample has no ratings of systems.
SHOWN = [
    shown
    for shown in commands()
    if shown.words[0] in READERS and "mt-metrics-eval" not in shown.words
]
# Names in a page that belong to the reader, and their replacements in the sample.
SAMPLE = "corpora/sample"
IN_THE_SAMPLE = {
    "AMU,CAMB": "careful,spellfix",
    "AMU,CAMB,RoRo": "careful,spellfix,overeager",
    "bn10": "texts",
    "conll14": "sample",
    "gjg15": "sample_judges",
    "jfleg_dev": "sample",
    "mine": "sample_judges",
    "mymetric": "gleu",
    "nucle": "sample",
    "overlap": "gleu",
    "rewritings": "sample",
}
FILES = {
    "gold.m2": "sample.m2",
    "src.txt": "outputs/INPUT.txt",
    "ref0.txt": "references/ref0.txt",
    "ref1.txt": "references/ref1.txt",
    "base.txt": "outputs/spellfix.txt",
    "ours.txt": "outputs/careful.txt",
    "a.txt": "outputs/spellfix.txt",
    "b.txt": "outputs/careful.txt",
    "c.txt": "outputs/overeager.txt",
    "d.txt": "outputs/thorough.txt",
}
TEXTS: dict[str, Any] = {
    "sources": ["He go home ."],
    "hypotheses": {"careful": ["He goes home ."], "idle": ["He go home ."]},
    "references": [["He goes home .", "He went home ."]],
}
# `make` does not install these.
WITH_POLARS = find_spec("polars") is not None


@pytest.fixture
def desk(sample_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, source in FILES.items():
        shutil.copy(REPOSITORY / SAMPLE / source, tmp_path / name)
    (tmp_path / "warehouse").symlink_to(sample_warehouse)
    for name in ("analysis", "corpora"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    monkeypatch.setenv("MAEGE_WAREHOUSE", "warehouse")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", SQL, ids=lambda block: block.place)
def test_a_query_runs_in_any_client(block: Block, sample_warehouse: Path) -> None:
    """Without our functions: as in the browser, a notebook or a dashboard tool."""
    with duckdb.connect(sample_warehouse / "marts.duckdb", read_only=True) as marts:
        marts.execute(block.text).fetchall()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, desk: Path) -> None:
    names: dict[str, Any] = {"__name__": "page", **TEXTS}
    for block in PYTHON:
        if block.page == page and (WITH_POLARS or "polars" not in block.text.lower()):
            text = block.text.replace("/srv/marts", str(desk / "srv"))
            exec(compile(text, block.place, "exec"), names)  # noqa: S102
    for left_open in names.values():
        if isinstance(left_open, duckdb.DuckDBPyConnection):
            left_open.close()
        elif isinstance(left_open, Engine):
            left_open.dispose()


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: f"{shown.place} {shown.words[:3]}")
def test_a_command_that_reads_answers(shown: Shown, desk: Path) -> None:
    words = [IN_THE_SAMPLE.get(word, word) for word in shown.words if word[0] not in "[."]
    stdin = "from metrics" if words[:1] == ["sql"] else None
    result = CliRunner().invoke(app, words, input=stdin)
    assert result.exit_code == 0, f"{shown.place}: maege {' '.join(words)}\n{result.output}"
    assert list(desk.iterdir())


def test_readmes_first_query_answers_as_printed(sample_warehouse: Path) -> None:
    page = REPOSITORY / "README.md"
    (query,) = (block.text for block in SQL if block.page == page)
    answer = page.read_text().partition(query)[2].split("```")[2]
    with duckdb.connect(sample_warehouse / "marts.duckdb", read_only=True) as marts:
        rows = marts.execute(query).fetchall()
    assert answer.split()[5:] == [cell(value) for row in rows for value in row]


def test_a_comparison_answers_as_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    page = REPOSITORY / "docs" / "compare.md"
    block = next(block for block in blocks("console") if block.page == page)
    (words,) = (words for line in typed_lines(block.text) for words in calls(line))
    result = CliRunner().invoke(app, words)
    printed = [line for line in block.text.splitlines()[1:] if line != "..."]
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert printed == lines[: len(printed)]
    assert len(printed) > 10
