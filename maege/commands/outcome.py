"""Convert errors of commands to messages and exit codes."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from maege.ingest.findings import BadInputError
from maege.ingest.warehouse import WarehouseError
from maege.names import UnknownError
from maege.visible import on_one_line, visible_output

FAILED = 1
BAD_INPUT = 2
# The extra that installs what builds need.
WAREHOUSE = "warehouse"

# The commands grouped by task, in the order of the help.
GROUPS = {
    "Compare systems": ("compare", "score", "plan"),
    "Metrics": ("recommend", "metric", "card", "train", "languagetool"),
    "Warehouse": ("new", "ingest", "build", "publish", "remove"),
    "Results": ("results", "leaderboard", "examples", "sql", "report", "explore", "export"),
    "Administration": ("doctor",),
}
# Commands that have another name since 2.0: the former names still work.
RENAMED = {
    "requests": ("metric", "requests"),
    "scores": ("metric", "load"),
    "tour": ("examples",),
}


def option(text: str, metavar: str | None = None, *names: str, panel: str = "", **more: Any) -> Any:  # noqa: ANN401 - Typer's own
    """Return an option with this help text, for `Annotated`; `panel` is its section of the help."""
    return typer.Option(*names, help=text, metavar=metavar, rich_help_panel=panel or None, **more)


def argument(text: str, metavar: str | None = None, **more: Any) -> Any:  # noqa: ANN401
    """Return an argument with this help text, for `Annotated`."""
    return typer.Argument(help=text, metavar=metavar, **more)


AsJson = Annotated[bool, option("Print the result as JSON.", None, "--json")]


class Commands(TyperGroup):
    """The commands of `maege`: they print control characters in a visible form."""

    def main(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - Typer's own
        """Run a command."""
        with visible_output():
            return super().main(*args, **options)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002
        """Write the commands by group, each with the first sentence of its help."""
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                commands = [(name, self.commands[name]) for name in names]
                formatter.write_dl(
                    [(name, c.get_short_help_str(limit=200)) for name, c in commands]
                )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - Typer's own
        """Return the command that the arguments name, also for its former name."""
        if args and args[0] in RENAMED:
            former, *arguments = args
            typer.echo(f"maege {former} is now: maege {' '.join(RENAMED[former])}", err=True)
            args = [*RENAMED[former], *arguments]
        return super().resolve_command(ctx, args)


class GroupedOptions(TyperCommand):
    """A command with many options: its help has a section for each `rich_help_panel`."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's own
        """Write arguments and options in the order of the command's parameters."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            is_argument = parameter.param_type_name == "argument"
            panel = getattr(parameter, "rich_help_panel", None)
            heading = "Arguments" if is_argument else panel or "Options"
            if record := parameter.get_help_record(ctx):
                sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


@contextmanager
def failures(as_json: bool, reassurance: str) -> Iterator[None]:
    """Convert errors in the block to a message and an exit code."""
    try:
        yield
    except BadInputError as error:
        if as_json:
            print_json({"status": "refused", "findings": error.findings.as_records()})
        else:
            typer.echo(error.findings.as_text(), err=True)
            count = len(error.findings)
            typer.echo(f"\n{count} finding{'s' if count > 1 else ''}. {reassurance}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    except UnknownError as error:
        raise typer.BadParameter(str(error)) from None
    except KeyboardInterrupt:
        fail(f"Interrupted. {reassurance}", as_json)
    except WarehouseError as error:
        fail(str(error), as_json)
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        fail(f"pyarrow is not installed: {install_extra(WAREHOUSE)}", as_json)
    except BrokenPipeError:
        # The program that reads the output has closed the pipe; Click then ends silently.
        raise
    except OSError as error:
        fail(f"{_describe_os_error(error)}\n{reassurance}", as_json)
    except Exception as error:
        # Imported late: most commands succeed, and some never open a database.
        import duckdb

        if not isinstance(error, duckdb.Error):
            raise
        fail(f"{str(error).splitlines()[0]}\n{reassurance}", as_json)


def _describe_os_error(error: OSError) -> str:
    # A temporary file is named by its target.
    if error.filename is None or error.strerror is None:
        return str(error)
    path = re.sub(r"[.][0-9]+[.]writing$", "", str(error.filename))
    return f"{on_one_line(path)}: {error.strerror}"


def install_extra(extra: str) -> str:
    """Return the command that installs what an extra names."""
    return f"pip install 'maege[{extra}]'"


def version_of(distribution: str) -> str | None:
    """Return the installed version of a distribution; None if it is missing."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def fail(message: str, as_json: bool) -> NoReturn:
    """Print the reason and end the command with exit code 1."""
    if as_json:
        print_json({"status": "failed", "message": message})
    else:
        typer.echo(message, err=True)
    raise typer.Exit(FAILED)


def refuse(message: str) -> NoReturn:
    """Print the fault in the input and end the command with exit code 2."""
    typer.echo(message, err=True)
    raise typer.Exit(BAD_INPUT)


def print_exactly(text: str) -> None:
    """Print text for programs unchanged; show control characters only on a terminal."""
    typer.echo(text if sys.stdout.isatty() else text.encode(), nl=False)


def print_json(answer: dict[str, Any]) -> None:
    """Print a result as JSON."""
    typer.echo(json.dumps(answer, indent=2, ensure_ascii=False, default=_plain))


def _plain(value: object) -> str:
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat() if isoformat else value)
