"""Install LanguageTool: 6.6 by language_tool_python if that is installed, otherwise by Maven.

The package downloads the whole release and runs in a separate process. Maven downloads the jars
with the versions that the recipes pin.
"""

import fcntl
import math
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from maege.analysis.languagetool.installation import (
    LEGACY_VERSIONS,
    SERVER_VERSION,
    downloaded_folder,
    find,
    folder_of,
    home,
    is_whole,
    recipe,
)
from maege.analysis.metrics.languagetool import ENABLE, ENABLED_METRICS, GRAMMAR_METRICS
from maege.commands.doctor import tools
from maege.ingest.warehouse import Warehouse, open_build

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_COMPILE = "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile"
_UNFINISHED = ".unfinished-"
_LINES_SHOWN = 8
_PACKAGE = "language_tool_python"
_DOWNLOAD = f"import sys; from {_PACKAGE}.download_lt import download_lt; download_lt(sys.argv[1])"


class MissingToolError(RuntimeError):
    """Java or Maven is missing; the message says how to install it."""


class InstallError(RuntimeError):
    """Maven or the package failed; the message has the last lines of its output."""


class Way(StrEnum):
    """How a version was installed."""

    FOUND = "was installed already"
    DOWNLOADED = "downloaded by language_tool_python"
    BY_MAVEN = "downloaded by Maven"


def install(version: str) -> Way:
    """Install the version and return how.

    Files are written to a temporary folder, which is renamed when it is complete, so that an
    interruption leaves no partial installation. Raises MissingToolError and InstallError.
    """
    if find(version):
        return Way.FOUND
    way = Way.BY_MAVEN
    if version == SERVER_VERSION and find_spec(_PACKAGE):
        way = Way.DOWNLOADED
    _require("java", *(["mvn"] if way is Way.BY_MAVEN else []))
    with _locked() as lock:
        # Another process may have installed it during the wait.
        if find(version):
            return Way.FOUND
        unfinished = home() / f"{_UNFINISHED}{version}"
        try:
            if way is Way.DOWNLOADED:
                _download(version, unfinished)
                (unfinished / f"LanguageTool-{version}").rename(downloaded_folder(home(), version))
            else:
                _maven(version, unfinished, lock.fileno())
                shutil.rmtree(unfinished / "target", ignore_errors=True)
                unfinished.rename(folder_of(version))
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return way


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
        said = "\n".join(done.stderr.splitlines()[-_LINES_SHOWN:])
        raise InstallError(f"{_PACKAGE} could not download LanguageTool {version}:\n{said}")


def _require(*programs: str) -> None:
    missing = [tool for tool in tools() if tool.name in programs and not tool.available]
    if missing:
        raise MissingToolError(
            "\n".join(f"{tool.name} is missing. To install it: {tool.remedy}" for tool in missing)
        )


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
        raise InstallError(f"Maven could not download LanguageTool {version}:\n{last_lines}")


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


@dataclass(frozen=True)
class Offer:
    """Metrics that could be scored if they were enabled, and the number of texts by version."""

    metrics: tuple[str, ...]
    texts: dict[str, int]

    @property
    def minutes(self) -> int:
        """The estimated time of the checks in minutes, rounded up."""
        return math.ceil(sum(self.texts.values()) / TEXTS_A_SECOND / 60)

    def __str__(self) -> str:
        texts = " and ".join(f"{n:,} texts by {version}" for version, n in self.texts.items())
        cost = (
            f"It would check {texts}: about {self.minutes} min at {TEXTS_A_SECOND} per second."
            if texts
            else "All results are in the cache."
        )
        return (
            "LanguageTool is available, but not enabled in this project, so these metrics have no "
            f"scores: {', '.join(self.metrics)}. {cost} To use it: {ENABLE}, then maege build"
        )


def find_offer(warehouse: Warehouse) -> Offer | None:
    """Return what LanguageTool would score; None if it is enabled or missing."""
    usable = [
        name
        for name in ENABLED_METRICS
        if name in GRAMMAR_METRICS and GRAMMAR_METRICS[name].missing is None
    ]
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
    return Offer(tuple(metrics), texts)
