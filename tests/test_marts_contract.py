"""The marts' columns compared with the last release, and the version that the changes require.

Run as a program it writes the columns of a new release (docs/marts-contract.md).
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from maege.ingest.warehouse import MARTS_VERSION

REPOSITORY = Path(__file__).resolve().parents[1]
RELEASES = REPOSITORY / "tests" / "releases"
HEADER = ("mart", "column", "data_type", "nullable", "in_key")
# Columns that docs/methods.md explains.
INFERENTIAL = re.compile(
    r"(^|_)(ci_low|ci_high|p_value|q_value)$|(^|gamma_)rank(_low|_high)?$|^(chance|draws|best)_"
    r"|^p_holm$|_best_set$"
)


@dataclass(frozen=True)
class Column:
    data_type: str
    nullable: bool
    in_key: bool


Columns = dict[tuple[str, str], Column]


def published() -> Columns:
    contract: Columns = {}
    for path in sorted((REPOSITORY / "models" / "marts").rglob("*.yml")):
        if path.parent.name != "stored":
            for model in yaml.safe_load(path.read_text())["models"]:
                contract |= columns(model)
    return contract


def columns(model: dict[str, Any]) -> Columns:
    tests = (test for test in model.get("data_tests", []) if isinstance(test, dict))
    keys = [test["keys"]["arguments"]["key"] for test in tests if "keys" in test]
    return {
        (model["name"], column["name"]): Column(
            column["data_type"],
            {"type": "not_null"} not in column.get("constraints", []),
            any(column["name"] in key for key in keys),
        )
        for column in model["columns"]
    }


def released() -> tuple[tuple[int, int], Columns]:
    versions = {number(path.stem.removeprefix("marts-")): path for path in RELEASES.glob("*.csv")}
    version = max(versions)
    with versions[version].open(newline="") as file:
        return version, {
            (row["mart"], row["column"]): Column(
                row["data_type"], row["nullable"] == "yes", row["in_key"] == "yes"
            )
            for row in csv.DictReader(file)
        }


def number(version: str) -> tuple[int, int]:
    first, second = version.split(".")
    return int(first), int(second)


def breaks(before: Columns, now: Columns) -> list[str]:
    """Return the changes that break queries on `before`, one per line."""
    marts = {mart for mart, _ in before}
    lines = [
        f"{mart}.{name}: {column} before, {now.get((mart, name), 'gone')} now"
        for (mart, name), column in before.items()
        if (current := now.get((mart, name))) is None
        or current.data_type != column.data_type
        or current.in_key != column.in_key
        or (current.nullable and not column.nullable)
    ]
    return lines + [
        f"{mart}.{name}: new in the key"
        for (mart, name), column in now.items()
        if column.in_key and mart in marts and (mart, name) not in before
    ]


def least_version(last: tuple[int, int], before: Columns, now: Columns) -> tuple[int, int]:
    first, second = last
    if breaks(before, now):
        return first + 1, 0
    return (first, second) if now.keys() == before.keys() else (first, second + 1)


def test_version_follows_from_changes_since_the_last_release() -> None:
    last, before = released()
    now = published()
    wanted = least_version(last, before, now)
    new = sorted(".".join(key) for key in now.keys() - before.keys())
    assert number(MARTS_VERSION) == wanted, (
        f"MARTS_VERSION in ingest/warehouse.py has to be {wanted[0]}.{wanted[1]}, and CHANGELOG.md "
        "has to say what changed (docs/marts-contract.md):\n"
        + "\n".join([*breaks(before, now), *(f"{name}: new" for name in new)])
    )


ONE = Column("double", nullable=False, in_key=False)
KEY = Column("varchar", nullable=False, in_key=True)
BEFORE = {("scores", "metric"): KEY, ("scores", "tau"): ONE}


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        (BEFORE, (1, 4)),
        (BEFORE | {("scores", "n"): ONE}, (1, 5)),
        (BEFORE | {("cards", "metric"): KEY}, (1, 5)),
        ({("scores", "metric"): KEY}, (2, 0)),
        (BEFORE | {("scores", "tau"): Column("float", nullable=False, in_key=False)}, (2, 0)),
        (BEFORE | {("scores", "tau"): Column("double", nullable=True, in_key=False)}, (2, 0)),
        (BEFORE | {("scores", "corpus"): KEY}, (2, 0)),
    ],
    ids=["same", "column", "mart", "gone", "type", "null", "key"],
)
def test_breaking_changes_raise_the_major_version(now: Columns, wanted: tuple[int, int]) -> None:
    assert least_version((1, 4), BEFORE, now) == wanted


def explained() -> set[tuple[str, str]]:
    """Marts and columns in the first cells of the table, `mart`, ...: `column`, ..."""
    text = (REPOSITORY / "docs" / "methods.md").read_text()
    table = text.split("## What every interval, test and rank promises")[1]
    listed = set()
    for line in table.splitlines():
        marts, is_entry, columns = line.partition("|")[2].partition("|")[0].partition(":")
        if is_entry:
            listed |= {
                (mart, column)
                for mart in re.findall(r"`(\w+)`", marts)
                for column in re.findall(r"`(\w+)`", columns)
            }
    return listed


def test_methods_explain_every_interval_test_and_rank() -> None:
    inferential = {column for column in published() if INFERENTIAL.search(column[1])}
    assert len(inferential) > 80
    assert inferential - explained() == set()
    # No entry is about a removed column.
    assert explained() - published().keys() == set()


def write() -> Path:
    path = RELEASES / f"marts-{MARTS_VERSION}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for (mart, name), column in sorted(published().items()):
            flags = ("yes" if each else "no" for each in (column.nullable, column.in_key))
            writer.writerow((mart, name, column.data_type, *flags))
    return path


if __name__ == "__main__":
    write()
