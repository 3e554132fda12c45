"""Generate the reference of commands from the help texts."""

from collections.abc import Iterator
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from maege.cli import app

HEAD = """# Commands

The help texts of `maege COMMAND --help`. Exit codes: 0 done, 1 something failed, 2 bad input or
usage. The warehouse is the folder that `MAEGE_WAREHOUSE` names, else `./warehouse`.
"""


def commands_page() -> str:
    """Return the page, a section a command."""
    return HEAD + "\n".join(_section(name, command) for name, command in _all_commands())


def _all_commands() -> Iterator[tuple[str, Any]]:
    waiting: list[tuple[str, Any]] = [("maege", get_command(app))]
    while waiting:
        name, command = waiting.pop(0)
        if isinstance(command, TyperGroup):
            waiting += [(f"{name} {word}", each) for word, each in command.commands.items()]
        else:
            yield name, command


def _section(name: str, command: Any) -> str:  # noqa: ANN401 - Typer's own class is private
    context = command.make_context(name, [], resilient_parsing=True)
    return f"\n## {name}\n\n```text\n{command.get_help(context).strip()}\n```\n"
