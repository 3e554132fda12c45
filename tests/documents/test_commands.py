"""Every command in README, docs/ and the help of a command exists."""

import re
from pathlib import Path

import pytest
from documents import Shown, all_commands, blocks, commands, typed_lines

from maege.analysis.metrics.own.declared import OwnMetric
from maege.metric.file import read_metrics_file

SHOWN = commands()
NAMES = dict(all_commands())
# Placeholders of a synopsis.
PLACEHOLDERS = {"[more.txt", "...]"}


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: f"{shown.place} {shown.words[:2]}")
def test_a_command_takes_the_options_that_are_shown(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [word for word in shown.words if word not in PLACEHOLDERS]
    depth = next((n for n in (1, 2) if " ".join(words[:n]) in NAMES), None)
    assert depth is not None, f"{shown.place}: there is no command maege {' '.join(words)}"
    name = " ".join(words[:depth])
    for path in (tmp_path / word for word in words if re.fullmatch(r"[\w/]+\.[a-z0-9]+", word)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    # Raises the message that the command would print.
    NAMES[name].make_context(f"maege {name}", words[depth:])


def test_all_pages_and_helps_are_read() -> None:
    assert {"README.md", "docs/compare.md"} <= {shown.place.partition(":")[0] for shown in SHOWN}
    assert len(SHOWN) > 60


def test_every_key_of_metrics_yml_is_documented_in_valid_entries(
    repository: Path, tmp_path: Path
) -> None:
    page = (repository / "docs" / "your-metric.md").read_text()
    undocumented = {key for key in OwnMetric.model_fields if not re.search(rf"`{key}\b", page)}
    assert undocumented == {"mode"}  # of older files, and without effect
    entries = [block for block in blocks("yaml") if block.text.startswith("metrics:\n")]
    assert len(entries) > 5
    for block in entries:
        path = tmp_path / "metrics.yml"
        path.write_text(block.text)
        assert read_metrics_file(path).metrics, block.place


def test_a_target_of_make_is_there(repository: Path) -> None:
    makefile = (repository / "Makefile").read_text()
    lines = [line for block in blocks("console") for line in typed_lines(block.text)]
    targets = {target for line in lines for target in re.findall(r"^make ([a-z-]+)", line)}
    assert "test-fast" in targets
    assert {target for target in targets if not re.search(rf"^{target}:", makefile, re.M)} == set()
