"""Every model, column, source, macro and variable has a description for dbt's docs."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

# Macros that dispatch or dbt calls are described under the name of their caller.
VARIANT = re.compile(r"^(default|duckdb)__|^test_|^materialization_")


def properties(repository: Path, kind: str) -> Iterator[dict[str, Any]]:
    """Yield all entries of a kind, such as `models`, of all property files."""
    for folder in ("analysis/queries", "macros", "models", "seeds"):
        for path in sorted((repository / folder).rglob("*.yml")):
            yield from described(path).get(kind, [])


@cache
def described(path: Path) -> dict[str, Any]:
    """Return the content of a property file, which all tests here read."""
    return yaml.safe_load(path.read_text()) or {}


def undescribed(entries: list[dict[str, Any]]) -> set[str]:
    """Return the names of entries, and of their columns, without a description."""
    lacking = {entry["name"] for entry in entries if not entry.get("description", "").strip()}
    for entry in entries:
        parts = [*entry.get("columns", []), *entry.get("arguments", [])]
        lacking |= {
            f"{entry['name']}.{part['name']}"
            for part in parts
            if not part.get("description", "").strip()
        }
    return lacking


@pytest.mark.parametrize(
    ("kind", "folder"),
    [("models", "models"), ("seeds", "seeds"), ("analyses", "analysis/queries")],
)
def test_every_node_is_described_with_its_columns(repository: Path, kind: str, folder: str) -> None:
    entries = list(properties(repository, kind))
    suffixes = {".sql", ".py", ".csv"}
    files = {p.stem for p in (repository / folder).rglob("*") if p.suffix in suffixes}
    assert files - {entry["name"] for entry in entries} == set()
    assert undescribed(entries) == set()


def test_marts_sources_and_macros_are_described(repository: Path) -> None:
    marts = {path.stem for path in (repository / "models" / "marts").rglob("*.sql")}
    columns = {e["name"]: e.get("columns", []) for e in properties(repository, "models")}
    assert {mart for mart in marts if not columns[mart]} == set()

    sources = list(properties(repository, "sources"))
    assert undescribed(sources) == set()
    assert undescribed([table for source in sources for table in source["tables"]]) == set()

    texts = [path.read_text() for path in (repository / "macros").rglob("*.sql")]
    macros = {name for text in texts for name in re.findall(r"{%-? *macro +(\w+)", text)}
    entries = list(properties(repository, "macros"))
    assert {m for m in macros if not VARIANT.match(m)} - {e["name"] for e in entries} == set()
    assert undescribed(entries) == set()


def test_every_variable_has_a_comment_above_it(repository: Path) -> None:
    lines = (repository / "dbt_project.yml").read_text().splitlines()
    first = lines.index("vars:") + 1
    variables = lines[first : lines.index("models:")]
    silent = []
    for number, line in enumerate(variables):
        variable = re.match(r"  (\w+):", line)
        # Two related variables share the comment above the first.
        above = [text.lstrip()[:1] for text in variables[max(number - 2, 0) : number]]
        if variable and "#" not in above:
            silent.append(variable[1])
    assert silent == []
