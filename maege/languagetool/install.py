"""Bring LanguageTool's jars with Maven, from the coordinates that the recipes pin."""

import fcntl
import shutil
import subprocess
from collections import deque
from pathlib import Path

from analysis.languagetool.installation import LEGACY_VERSIONS, folder_of, home, recipe
from maege.installed import tools

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_COMPILE = "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile"
_UNFINISHED = ".unfinished-"
_LINES_SHOWN = 8


class MissingToolError(RuntimeError):
    """Java or Maven is not there; the message says how to get it."""


class InstallError(RuntimeError):
    """Maven failed; the message holds its last lines."""


def install(version: str) -> bool:
    """Install the version, and return False where it was there already.

    Jars are brought into a temporary folder that gets its name once all are there: whatever
    interrupts this leaves no half of an installation. Raises MissingToolError and InstallError.
    """
    destination = folder_of(version)
    if destination.is_dir():
        return False
    _require("java", "mvn")
    home().mkdir(parents=True, exist_ok=True)
    with (home() / "install.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for leftover in home().glob(f"{_UNFINISHED}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        # Somebody else may have been at it while this waited.
        if destination.is_dir():
            return False
        unfinished = home() / f"{_UNFINISHED}{version}"
        try:
            _maven(version, unfinished, lock.fileno())
            shutil.rmtree(unfinished / "target", ignore_errors=True)
            unfinished.rename(destination)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return True


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
        raise InstallError(f"Maven could not bring LanguageTool {version}:\n{last_lines}")
