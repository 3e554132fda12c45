"""The commands `maege languagetool ...`."""

from typing import Annotated

import typer

from maege.analysis.languagetool.installation import INSTALL, VERSIONS, find
from maege.analysis.languagetool.running import status as current_status
from maege.commands.outcome import BAD_INPUT, FAILED, print_json

languagetool = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Install LanguageTool, and see whether its server runs.\n\n"
    "Everything is in the folder that LANGUAGETOOL_HOME names, else in the user's cache.",
)


@languagetool.command()
def install(
    version: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VERSION", help=f"One of {', '.join(VERSIONS)}; may be repeated. Else all."
        ),
    ] = None,
) -> None:
    """Bring LanguageTool: once, some 150 MB and a minute.

    6.6 is downloaded by language_tool_python where that package is installed, else brought by
    Maven, like the older versions. What is there already is left alone. Interrupted, it leaves
    nothing half done: run it again.

    \b
    Examples:
      maege languagetool install
      maege languagetool install --version 6.6
    """  # noqa: D301 - click reads the \b
    from maege.languagetool.install import InstallError, MissingToolError
    from maege.languagetool.install import install as install_version

    wanted = tuple(version or VERSIONS)
    unknown = [name for name in wanted if name not in VERSIONS]
    if unknown:
        raise typer.BadParameter(f"found {', '.join(unknown)}, expected {', '.join(VERSIONS)}")
    try:
        for name in wanted:
            way = install_version(name)
            found = find(name)
            assert found is not None  # noqa: S101 - it is installed
            size = sum(path.stat().st_size for path in found.folder.rglob("*") if path.is_file())
            typer.echo(f"LanguageTool {name} {way}: {found.folder} ({size / 1e6:.0f} MB)")
    except MissingToolError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(BAD_INPUT) from None
    except (InstallError, OSError) as error:
        typer.echo(
            f"{error}\nNothing is half installed. Correct the cause, then: {INSTALL}", err=True
        )
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        typer.echo(f"Interrupted. Nothing is half installed. To go on: {INSTALL}", err=True)
        raise typer.Exit(FAILED) from None


@languagetool.command()
def status(
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Say which versions are installed, and whether the server runs.

    The server runs only while a build uses it.

    \b
    Examples:
      maege languagetool status
      maege languagetool status --json
    """  # noqa: D301 - click reads the \b
    found = current_status()
    if as_json:
        print_json(found.as_record())
        return
    typer.echo(f"Folder: {found.home}")
    for version, origin in found.versions.items():
        typer.echo(f"LanguageTool {version}: {f'by {origin}' if origin else 'not installed'}")
    if found.url:
        typer.echo(f"LANGUAGETOOL_URL: {found.url}, used instead of a server of our own")
    if found.server and found.resident_bytes:
        typer.echo(
            f"Server: process {found.server.pid}, port {found.server.port} of 127.0.0.1, "
            f"{found.resident_bytes / 1e6:.0f} MB"
        )
    else:
        typer.echo("Server: not running")
    if None in found.versions.values():
        typer.echo(f"To install what is missing: {INSTALL}")
