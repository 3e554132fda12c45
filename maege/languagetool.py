"""`maege languagetool`: install LanguageTool, enable or disable its metrics, show its status."""

import fcntl
import math
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from maege.analysis.languagetool.installation import (
    INSTALL,
    LEGACY_VERSIONS,
    SERVER_VERSION,
    VERSIONS,
    downloaded_folder,
    find,
    folder_of,
    home,
    is_whole,
    recipe,
    server_url,
)
from maege.commands.outcome import AsJson, failures, option, print_json, refuse
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build

languagetool = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Install LanguageTool, and enable or disable its metrics in this project.\n\n"
    "Everything is in the folder that LANGUAGETOOL_HOME names, else in the user's cache.",
)


@languagetool.command("install")
def install_versions(
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
    wanted = tuple(version or VERSIONS)
    unknown = [name for name in wanted if name not in VERSIONS]
    if unknown:
        raise typer.BadParameter(f"found {', '.join(unknown)}, expected {', '.join(VERSIONS)}")
    with failures(as_json=False, reassurance=NOTHING_PARTIAL):
        for name in wanted:
            method = install(name)
            installation = find(name)
            assert installation is not None  # noqa: S101 - it is installed
            files = (path for path in installation.folder.rglob("*") if path.is_file())
            size = sum(path.stat().st_size for path in files) / 1e6
            typer.echo(f"LanguageTool {name} {method}: {installation.folder} ({size:.0f} MB)")
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
    from maege.analysis.metrics.own.declared import find_metrics_file
    from maege.metric.file import set_languagetool

    path = find_metrics_file()
    with failures(as_json=False, reassurance="metrics.yml is unchanged."):
        if path == Path("metrics.yml") and not Path("dbt_project.yml").is_file():
            raise WarehouseError(
                "There is no dbt_project.yml here, so a build would not find metrics.yml. Change "
                "to the folder that has it, or name the file in MAEGE_METRICS."
            )
        is_new = set_languagetool(path, is_enabled=is_enabled)
    state = f"{'' if is_new else 'already '}{'enabled' if is_enabled else 'disabled'}"
    typer.echo(f"LanguageTool is {state} in {path}: {', '.join(ENABLED_METRICS)}.")


@languagetool.command()
def status(as_json: AsJson = False) -> None:
    """Show which versions are installed, and whether builds use them.

    \b
    Examples:
      maege languagetool status
      maege languagetool status --json
    """  # noqa: D301 - click reads the \b
    from maege.analysis.metrics.own.declared import find_metrics_file
    from maege.metric.file import read_metrics_file

    installations = {version: find(version) for version in VERSIONS}
    origins = {name: found.origin if found else None for name, found in installations.items()}
    url = server_url()
    with failures(as_json, "Nothing was changed."):
        is_enabled = read_metrics_file(find_metrics_file()).languagetool
    if as_json:
        print_json({"home": str(home()), "url": url, "versions": origins, "enabled": is_enabled})
        return
    typer.echo(f"Folder: {home()}")
    for version, origin in origins.items():
        typer.echo(f"LanguageTool {version}: {f'by {origin}' if origin else 'not installed'}")
    if url:
        typer.echo(f"LANGUAGETOOL_URL: {url}, used instead of a local server")
    from maege.analysis.metrics.languagetool import ENABLE

    typer.echo(f"Enabled in this project: {'yes' if is_enabled else f'no. To enable it: {ENABLE}'}")
    if None in origins.values():
        typer.echo(f"To install what is missing: {INSTALL}")


_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_COMPILE = "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile"
_UNFINISHED = ".unfinished-"
NOTHING_PARTIAL = f"No partial files remain. To continue, run: {INSTALL}"
_LINES_SHOWN = 8
_PACKAGE = "language_tool_python"
_DOWNLOAD = f"import sys; from {_PACKAGE}.download_lt import download_lt; download_lt(sys.argv[1])"


def install(version: str) -> str:
    """Install the version and return how, for a message.

    Files are written to a temporary folder, which is renamed when it is complete, so that an
    interruption leaves no partial installation. Exit code 2 if Java or Maven is missing. Raises
    WarehouseError with the last lines of the output if Maven or the package fails.
    """
    if find(version):
        return "was installed already"
    has_package = version == SERVER_VERSION and find_spec(_PACKAGE) is not None
    _require("java", *([] if has_package else ["mvn"]))
    with _locked() as lock:
        # Another process may have installed it during the wait.
        if find(version):
            return "was installed already"
        unfinished = home() / f"{_UNFINISHED}{version}"
        try:
            if has_package:
                _download(version, unfinished)
                (unfinished / f"LanguageTool-{version}").rename(downloaded_folder(home(), version))
            else:
                _maven(version, unfinished, lock.fileno())
                shutil.rmtree(unfinished / "target", ignore_errors=True)
                unfinished.rename(folder_of(version))
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return f"downloaded by {_PACKAGE if has_package else 'Maven'}"


@contextmanager
def _locked() -> Iterator[IO[str]]:
    """Wait for other installations, and remove files of killed ones."""
    home().mkdir(parents=True, exist_ok=True)
    with (home() / "install.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for leftover in home().glob(f"{_UNFINISHED}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        yield lock


def _download(version: str, destination: Path) -> None:
    environment = {**os.environ, "LTP_PATH": str(destination)}
    # The package would not download if this variable names another LanguageTool.
    environment.pop("LTP_JAR_DIR_PATH", None)
    done = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, "-c", _DOWNLOAD, version],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0 or not is_whole(downloaded_folder(destination, version)):
        errors = "\n".join(done.stderr.splitlines()[-_LINES_SHOWN:])
        raise WarehouseError(
            f"{_PACKAGE} could not download LanguageTool {version}:\n{errors}\n{NOTHING_PARTIAL}"
        )


def _require(*programs: str) -> None:
    from maege.commands.doctor import tools

    if missing := [
        f"{tool['name']} is missing. To install it: {tool['remedy']}"
        for tool in tools()
        if tool["name"] in programs and not tool["available"]
    ]:
        refuse("\n".join(missing))


def _maven(version: str, destination: Path, lock: int) -> None:
    goals = [_COPY, _COMPILE] if version in LEGACY_VERSIONS else [_COPY]
    command = ["mvn", "--batch-mode", "--file", str(recipe(version))]
    with subprocess.Popen(  # noqa: S603 - Maven, from the PATH
        [*command, f"-Ddestination={destination}", *goals],
        # A Maven that outlives this process keeps the lock as long as it writes.
        pass_fds=[lock],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as maven:
        assert maven.stdout is not None  # noqa: S101 - it is a pipe
        errors = (line for line in maven.stdout if line.startswith("[ERROR]"))
        last_lines = "".join(deque(errors, maxlen=_LINES_SHOWN))
    if maven.returncode != 0:
        raise WarehouseError(
            f"Maven could not download LanguageTool {version}:\n{last_lines}{NOTHING_PARTIAL}"
        )


# A cautious rate: an idle machine with two cores checks 270 to 400 texts per second, a busy one 20.
TEXTS_A_SECOND = 100
# Number of texts, by version, that LanguageTool would check and that are not in the cache. The
# conditions are those of scoring_requests and grammar_requests.
_TEXTS = """
    select grammar.languagetool, count(distinct (grammar.check_key, inputs.hypothesis_text_id))
    from corpora.metric_registry as registry
    inner join caches.grammar_metrics as grammar on registry.metric = grammar.metric
    inner join raw.corpora as corpora on grammar.language = coalesce(corpora.language, 'en')
    inner join caches.scoring_inputs as inputs on corpora.corpus = inputs.corpus
    left join caches.grammar_checks as checks
        on grammar.check_key = checks.check_key and inputs.hypothesis_text_id = checks.text_id
    where list_contains($metrics, registry.metric)
        and list_contains(registry.languages, split_part(grammar.language, '-', 1))
        and inputs.gold_key is not null
        and inputs.first_draw < registry.n_draws
        and checks.text_id is null
    group by grammar.languagetool
    order by grammar.languagetool desc
"""
_UNSELECTED = """
    select distinct metric from corpora.metric_registry
    where not is_selected and list_contains($metrics, metric)
"""


def find_offer(warehouse: Warehouse) -> dict[str, Any] | None:
    """Return what LanguageTool would score if it were enabled; None if it is enabled or missing.

    `texts` is the number of texts by version that it would check, in about so many `minutes`.
    """
    # Imported late: these imports take longer than most commands.
    from maege.analysis.metrics.languagetool import ENABLED_METRICS, GRAMMAR_METRICS

    usable = [name for name in ENABLED_METRICS if name in GRAMMAR_METRICS]
    usable = [name for name in usable if GRAMMAR_METRICS[name].missing is None]
    if not usable:
        return None
    with open_build(warehouse, read_only=True) as connection:
        rows = connection.execute(_UNSELECTED, {"metrics": list(ENABLED_METRICS)}).fetchall()
        unselected = {name for (name,) in rows}
        metrics = [name for name in usable if name in unselected]
        if not metrics:
            return None
        texts = dict(connection.execute(_TEXTS, {"metrics": metrics}).fetchall())
    # Scores of `referenceless` need those of `grammaticality` as well.
    if "grammaticality" in metrics and "referenceless" in unselected:
        metrics.append("referenceless")
    minutes = math.ceil(sum(texts.values()) / TEXTS_A_SECOND / 60)
    return {"metrics": metrics, "texts": texts, "minutes": minutes}


def describe_offer(offer: dict[str, Any]) -> str:
    """Return the offer of `find_offer` as a sentence."""
    from maege.analysis.metrics.languagetool import ENABLE

    texts = " and ".join(f"{n:,} texts by {version}" for version, n in offer["texts"].items())
    cost = (
        f"It would check {texts}: about {offer['minutes']} min at {TEXTS_A_SECOND} per second."
        if texts
        else "All results are in the cache."
    )
    return (
        "LanguageTool is available, but not enabled in this project, so these metrics have no "
        f"scores: {', '.join(offer['metrics'])}. {cost} To use it: {ENABLE}, then maege build"
    )
