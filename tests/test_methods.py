"""docs/methods.md explains every inferential column of the marts."""

import re
from pathlib import Path

import yaml

INFERENTIAL = re.compile(
    r"(^|_)(ci_low|ci_high|p_value|q_value)$|(^|gamma_)rank(_low|_high)?$|^(chance|draws|best)_"
    r"|^p_holm$|_best_set$"
)


def columns_of_marts(repository: Path) -> set[tuple[str, str]]:
    """Return the columns of every mart's contract."""
    return {
        (model["name"], column["name"])
        for contract in sorted((repository / "models" / "marts").rglob("*.yml"))
        for model in yaml.safe_load(contract.read_text())["models"]
        for column in model["columns"]
    }


def entries(repository: Path) -> set[tuple[str, str]]:
    """Marts and columns in the first cells of the table, `mart`, ...: `column`, ..."""
    text = (repository / "docs" / "methods.md").read_text()
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


def test_every_interval_test_and_rank_has_its_entry(repository: Path) -> None:
    columns = columns_of_marts(repository)
    inferential = {column for column in columns if INFERENTIAL.search(column[1])}
    assert len(inferential) > 80
    assert inferential - entries(repository) == set()
    # No entry is about a removed column.
    assert entries(repository) - columns == set()
