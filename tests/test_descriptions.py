"""Descriptions, exposures and reasons for dbt's docs and the marts are complete."""

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

# Macros that dispatch or dbt calls are described under the name of their caller.
VARIANT = re.compile(r"^(default|duckdb)__|^test_|^materialization_")
# The programs of an exposure, and what names a mart there.
CARD = ("maege/cards/*.py", r"\b(?:from|join) (\w+)")
READERS = {
    # The page of one metric begins with its card.
    "report": [("maege/report/queries/*/*.sql", r"\b(?:from|join)\s+(\w+)"), CARD],
    "card": [CARD],
    "superset": [("bi/superset/dashboard/datasets/marts/*.yaml", r"table_name: (\w+)")],
    "examples": [("maege/sql.py", r"(?:\n {8}|n_annotators )from (\w+)")],
    "ready_questions": [("analysis/queries/*/*.sql", r"\bmain\.(\w+)")],
}
# Models that insert numbers and names into the texts of the seed `reasons`, and that give others.
INSERTING = ("contents/metric_availability", "contents/sentence_exclusions")
GIVING = ("usable/unusable_sentences", "metrics/ingested_metrics")


def properties(repository: Path, kind: str) -> Iterator[dict[str, Any]]:
    for folder in ("analysis/queries", "macros", "models", "seeds"):
        for path in sorted((repository / folder).rglob("*.yml")):
            yield from described(path).get(kind, [])


@cache
def described(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text()) or {}


def undescribed(entries: list[dict[str, Any]]) -> set[str]:
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


@pytest.mark.parametrize("name", READERS)
def test_exposure_depends_on_the_marts_it_reads(repository: Path, name: str) -> None:
    files = (repository / "models").rglob("*")
    # dbt rejects exposures that depend on a disabled model.
    models = {
        path.stem
        for path in files
        if path.suffix in {".sql", ".py"} and "replication" not in path.parent.parts
    }
    read = {
        word
        for files, pattern in READERS[name]
        for path in repository.glob(files)
        for word in re.findall(pattern, path.read_text())
        if word in models
    }
    declared = yaml.safe_load((repository / "models" / "exposures.yml").read_text())
    (exposure,) = (each for each in declared["exposures"] if each["name"] == name)
    assert {re.findall(r"'(\w+)'", ref)[0] for ref in exposure["depends_on"]} == read


def test_reasons_of_the_seed_are_given_with_columns_as_placeholders(repository: Path) -> None:
    with (repository / "seeds/reasons.csv").open(newline="") as file:
        reasons = list(csv.DictReader(file))
    inserting = [(repository / f"models/marts/{name}.sql").read_text() for name in INSERTING]
    giving = [(repository / f"models/corpora/{name}.sql").read_text() for name in GIVING]
    codes = {row["reason_code"] for row in reasons}
    assert len(codes) > 20
    assert {code for code in codes if f"'{code}'" not in "".join(inserting + giving)} == set()
    calls = [text.partition("with_reasons(")[2] for text in inserting]
    columns = {name for call in calls for name in re.findall(r"'(\w+)'", call)}
    texts = [row["reason"] + row["remedy"] for row in reasons]
    placeholders = {name for text in texts for name in re.findall(r"{(\w+)}", text)}
    assert len(placeholders) > 15
    assert placeholders <= columns
