"""The build `maege languagetool ...`."""

from typing import Annotated

import typer

from maege.analysis.languagetool.installation import INSTALL, VERSIONS, find
from maege.analysis.languagetool.running import status as current_status
from maege.commands.outcome import BAD_INPUT, FAILED, AsJson, failures, option, print_json
from maege.metric.add import UNCHANGED, file_to_write

languagetool = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Install LanguageTool, and enable or disable its metrics in this project.\n\n"
    "Everything is in the folder that LANGUAGETOOL_HOME names, else in the user's cache.",
)


@languagetool.command()
def install(
    version: Annotated[
        list[str] | None,
        option(f"One of {', '.join(VERSIONS)}. May be repeated. Default: all.", "VERSION"),
    ] = None,
) -> None:
    """Install LanguageTool: about 150 MB and one minute, only once.

    If the package language_tool_python is installed, it downloads version 6.6. Maven downloads the
    other versions. Installed versions are kept. An interrupted installation leaves no partial
    files: run the command again.

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
            f"{error}\nNo partial files remain. Correct the cause, then run: {INSTALL}", err=True
        )
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        typer.echo(f"Interrupted. No partial files remain. To continue, run: {INSTALL}", err=True)
        raise typer.Exit(FAILED) from None
    from maege.analysis.metrics.languagetool import ENABLE

    typer.echo(f"Builds use it only after this command in the project folder: {ENABLE}")


@languagetool.command()
def enable() -> None:
    """Enable LanguageTool's metrics in this project; the next build scores them.

    They are lt, lt_maege2018, grammaticality and referenceless. The setting is stored in
    metrics.yml and adds to the variable metrics in dbt_project.yml.

    \b
    Examples:
      maege languagetool enable && maege build
    """  # noqa: D301 - click reads the \b
    from maege.analysis.metrics.languagetool import ENABLED_METRICS, GRAMMAR_METRICS

    _switch(is_enabled=True)
    for name in ENABLED_METRICS:
        if name in GRAMMAR_METRICS and (missing := GRAMMAR_METRICS[name].missing):
            typer.echo(f"{name} cannot be scored here: {missing.reason}. Next: {missing.remedy}")
    typer.echo("Next: maege build")


@languagetool.command()
def disable() -> None:
    """Disable LanguageTool's metrics in this project, unless the variable metrics lists them.

    Errors that LanguageTool found stay in the cache.

    \b
    Examples:
      maege languagetool disable && maege build
    """  # noqa: D301 - click reads the \b
    _switch(is_enabled=False)
    typer.echo("Next: maege build")


def _switch(*, is_enabled: bool) -> None:
    # Imported late: these imports take longer than most commands.
    from maege.analysis.metrics.languagetool import ENABLED_METRICS
    from maege.metric.file import set_languagetool

    path = file_to_write()
    with failures(as_json=False, reassurance=UNCHANGED):
        is_new = set_languagetool(path, is_enabled=is_enabled)
    state = f"{'' if is_new else 'already '}{'enabled' if is_enabled else 'disabled'}"
    typer.echo(f"LanguageTool is {state} in {path}: {', '.join(ENABLED_METRICS)}.")


@languagetool.command()
def status(as_json: AsJson = False) -> None:
    """Show which versions are installed, whether the server runs, and whether builds use it.

    The server runs only while a build uses it.

    \b
    Examples:
      maege languagetool status
      maege languagetool status --json
    """  # noqa: D301 - click reads the \b
    from maege.analysis.metrics.own.declared import find_metrics_file
    from maege.metric.file import languagetool_in

    found = current_status()
    with failures(as_json, "Nothing was changed."):
        is_enabled = languagetool_in(find_metrics_file())
    if as_json:
        print_json({**found.as_record(), "enabled": is_enabled})
        return
    typer.echo(f"Folder: {found.home}")
    for version, origin in found.versions.items():
        typer.echo(f"LanguageTool {version}: {f'by {origin}' if origin else 'not installed'}")
    if found.url:
        typer.echo(f"LANGUAGETOOL_URL: {found.url}, used instead of a local server")
    if found.server and found.resident_bytes:
        typer.echo(
            f"Server: process {found.server.pid}, port {found.server.port} of 127.0.0.1, "
            f"{found.resident_bytes / 1e6:.0f} MB"
        )
    else:
        typer.echo("Server: not running")
    from maege.analysis.metrics.languagetool import ENABLE

    typer.echo(f"Enabled in this project: {'yes' if is_enabled else f'no. To enable it: {ENABLE}'}")
    if None in found.versions.values():
        typer.echo(f"To install what is missing: {INSTALL}")
