"""docs/methods.md says what every inferential column of the lattices' marts promises."""

import re
from pathlib import Path

import pytest
import yaml

INFERENTIAL = re.compile(r"(^|_)(ci_low|ci_high|p_value|q_value)$|(^|gamma_)rank(_low|_high)?$")


@pytest.mark.parametrize(
    "mart",
    ["sentence_correlations", "corpus_correlations", "type_deltas", "corrupted_edit_agreement"],
)
def test_every_interval_test_and_rank_has_its_entry(repository: Path, mart: str) -> None:
    contract = repository / "models" / "marts" / "validation" / f"{mart}.yml"
    (model,) = yaml.safe_load(contract.read_text())["models"]
    columns = {each["name"] for each in model["columns"] if INFERENTIAL.search(each["name"])}
    entries = [
        line for line in (repository / "docs" / "methods.md").read_text().splitlines()
        if line.startswith("| ")
    ]  # fmt: skip
    named = set(re.findall(r"`(\w+)`", "\n".join(line.split("|")[1] for line in entries)))
    assert columns
    assert columns <= named
