"""The installed LanguageTool, and a replacement program for tests of failures."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from maege.analysis.languagetool.installation import VERSIONS, folder_of
from maege.ingest.warehouse import WarehouseError
from maege.languagetool import install

# Compiling with full optimisation takes Java longer than checking a few hundred texts.
COMPILE_LITTLE = "-XX:TieredStopAtLevel=1"
STAND_IN = Path(__file__).with_name("stand_in.py")


@pytest.fixture(scope="session")
def installed() -> dict[str, Path]:
    """Return the folder of each version; Maven downloads them once."""
    try:
        for version in VERSIONS:
            install(version)
    except (typer.Exit, WarehouseError) as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(f"needs LanguageTool: {error}")
    return {version: folder_of(version) for version in VERSIONS}


@pytest.fixture(scope="session")
def session_home(
    installed: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("languagetool")
    for folder in installed.values():
        (home / folder.name).symlink_to(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LANGUAGETOOL_URL", raising=False)
        patch.setenv("LANGUAGETOOL_HOME", str(home))
        patch.setenv("JAVA_TOOL_OPTIONS", COMPILE_LITTLE)
        yield home


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.delenv("LANGUAGETOOL_URL", raising=False)
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(home))
    for version in VERSIONS:
        folder_of(version).mkdir(parents=True)
    write_java(tmp_path / "bin", f'exec "{sys.executable}" "{STAND_IN}" "$@"', monkeypatch)
    return home


@pytest.fixture
def broken_java(stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_java(tmp_path / "bin", "echo no memory for it >&2; exec sleep 600", monkeypatch)
    return stand_in


@pytest.fixture
def ending_java(stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    starts = stand_in / "starts"
    write_java(tmp_path / "bin", f'echo start >> "{starts}"; exit 1', monkeypatch)
    return starts


def write_java(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(exist_ok=True)
    program = folder / "java"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
