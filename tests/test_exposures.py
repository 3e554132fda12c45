"""The exposures of dbt's lineage depend on the marts that their programs read."""

import re
from pathlib import Path

import pytest
import yaml

CARD = ("maege/cards/*.py", r"\b(?:from|join) (\w+)")
READERS = {
    # The page of one metric begins with its card.
    "report": [("maege/report/queries/*/*.sql", r"\b(?:from|join)\s+(\w+)"), CARD],
    "card": [CARD],
    "superset": [("bi/superset/dashboard/datasets/marts/*.yaml", r"table_name: (\w+)")],
    "examples": [("maege/sql.py", r"(?:\n {8}|n_annotators )from (\w+)")],
    "ready_questions": [("analysis/queries/*/*.sql", r"\bmain\.(\w+)")],
}


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
