"""The overview of the commands in `maege --help`."""

import re

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from maege.cli import app
from maege.commands.outcome import GROUPS, RENAMED


def test_help_has_every_command_and_cuts_no_description() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(get_command(app).commands)  # type: ignore[attr-defined]

    shown = CliRunner().invoke(app, ["--help"]).output
    assert [heading for heading in GROUPS if f"\n{heading}:\n" not in shown] == []
    assert "..." not in shown.partition("\nCompare systems:")[2]
    assert max(map(len, shown.splitlines())) <= 80


def test_the_common_options_of_compare_come_first() -> None:
    shown = CliRunner().invoke(app, ["compare", "--help"]).output
    options = shown.partition("\nOptions:\n")[2]
    first, _, sections = options.partition("\n\n")
    named = re.findall(r"^  (?:-h, )?(--[a-z-]+)", first, re.MULTILINE)
    assert named == ["--gold", "--source", "--refs", "--metrics", "--out", "--help"]
    headings = re.findall(r"^([A-Z][a-z ]+):$", sections, re.MULTILINE)
    assert headings == [
        "Systems of a warehouse", "Edits that count", "Tests and intervals", "Output", "Running"
    ]  # fmt: skip


@pytest.mark.parametrize("former", RENAMED)
def test_former_names_of_commands_still_work(former: str) -> None:
    now = " ".join(RENAMED[former])
    shown = CliRunner().invoke(app, [former, "--help"])
    assert shown.exit_code == 0
    assert shown.stderr == f"maege {former} is now: maege {now}\n"
    assert f"Usage: root {now} " in shown.stdout
    assert f"\n  {former} " not in CliRunner().invoke(app, ["--help"]).output
