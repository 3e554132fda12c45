"""Control characters of texts, names and messages never reach a terminal."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text
from small_marts import handmade
from typer.testing import CliRunner

from maege.cli import app
from maege.terminal import Terminal
from maege.visible import on_one_line, visible, visible_output

warehouse = handmade


# A colour, a window title, a C1 sequence, DEL, a bell, a bidi override and an isolate.
HOSTILE = "\x1b[31mred\x1b]0;owned\x07 \x9b31m \x7f\r \u202eolleh \u2066x\u2069 \u2028"
SHOWN = r"\u001b[31mred\u001b]0;owned\u0007 \u009b31m \u007f\u000d \u202eolleh \u2066x\u2069 \u2028"


def test_control_characters_are_shown_as_numbers_and_letters_stay() -> None:
    assert visible(HOSTILE) == SHOWN
    assert visible("a\tb\nc") == "a\tb\nc"
    assert on_one_line("a\tb\nc\r") == r"a\tb\nc\u000d"

    # Joiners of Persian and Hindi, a Hebrew mark, an emoji of three people, wide spaces.
    text = "می\u200cخواهم क\u094d\u200dष \u200f 👩\u200d👩\u200d👧 日本\u3000\u00a0é"
    assert visible(text) == text

    text = json.dumps({HOSTILE: [HOSTILE]}, ensure_ascii=False)
    assert json.loads(visible(text)) == {HOSTILE: [HOSTILE]}


def test_standard_streams_show_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    with visible_output():
        sys.stdout.write(HOSTILE)
        sys.stderr.writelines([HOSTILE])
    assert capsys.readouterr() == (SHOWN, SHOWN)


def test_a_table_is_laid_out_as_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    table = Table(box=None, pad_edge=False)
    table.add_column("name")
    table.add_column("n")
    table.add_row("\x1b[31m", "1")
    table.add_row(Text("[b]\x9b"), "2")
    Terminal(width=30).print(table, "[b]\x1b")
    assert written.getvalue().splitlines() == [
        "name        n",
        r"\u001b[31m  1",
        r"[b]\u009b   2",
        r"[b]\u001b",
    ]


def test_a_pipe_gets_csv_as_it_is_and_a_terminal_does_not(warehouse: Path) -> None:
    command = [sys.executable, "-c", "from maege.cli import main; main()", "sql"]
    command += ["select chr(27) || 'x' as name", "--format", "csv"]
    settings = os.environ | {"MAEGE_WAREHOUSE": str(warehouse)}
    piped = subprocess.run(command, env=settings, capture_output=True, check=True)
    assert piped.stdout == b"name\n\x1bx\n"
    ours, its = os.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        subprocess.run(command, env=settings, stdout=its, check=True)
        os.close(its)
        assert terminal.read(100).split() == [b"name", rb"\u001bx"]


@pytest.mark.parametrize(
    "command",
    [
        [HOSTILE],
        ["card", HOSTILE],
        ["sql", f'from "{HOSTILE}"'],
        ["ingest", HOSTILE],
        ["score", "gleu", HOSTILE],
    ],
    ids=lambda command: command[0][:5].strip("\x1b"),
)
def test_messages_show_control_characters(command: list[str], warehouse: Path) -> None:
    result = CliRunner().invoke(app, command, env={"MAEGE_WAREHOUSE": str(warehouse)})
    assert result.exit_code in {1, 2}
    assert result.output
    assert visible(result.output) == result.output
