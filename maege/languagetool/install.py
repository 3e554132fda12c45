"""Install LanguageTool: 6.6 by language_tool_python if that is installed, otherwise by Maven.

The package downloads the whole release and runs in a separate process. Maven downloads the jars
with the versions that the recipes pin.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
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
from maege.commands.installed import tools

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
