"""The overview of the commands in `maege --help`, and the answers of `maege examples`."""

from pathlib import Path

import pytest
from small_corpus import maege
from small_marts import handmade
from typer.main import get_command
from typer.testing import CliRunner

from maege.cli import app
from maege.commands.outcome import GROUPS, RENAMED

warehouse = handmade


def test_help_has_every_command_and_cuts_no_description() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(get_command(app).commands)  # type: ignore[attr-defined]

    shown = CliRunner().invoke(app, ["--help"]).output
    assert [heading for heading in GROUPS if f"\n{heading}:\n" not in shown] == []
    assert "..." not in shown.partition("\nCompare systems:")[2]
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("former", RENAMED)
def test_former_names_of_commands_still_work(former: str) -> None:
    now = " ".join(RENAMED[former])
    shown = CliRunner().invoke(app, [former, "--help"])
    assert shown.exit_code == 0
    assert shown.stderr == f"maege {former} is now: maege {now}\n"
    assert f"Usage: root {now} " in shown.stdout
    assert f"\n  {former} " not in CliRunner().invoke(app, ["--help"]).output


def test_piped_examples_show_whole_numbers(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    output = maege(warehouse, "examples").stdout
    lines = [line.split() for line in output.splitlines()]
    assert ["error_type", "n_pairs", "mean_delta", "ci_low", "ci_high"] in lines
    # The interval is mean_delta - .02 to mean_delta + .02 (small_marts.sql).
    assert ["Prep", "20", "-0.040", "-0.060", "-0.020"] in lines
    assert "\N{HORIZONTAL ELLIPSIS}" not in output
