"""Installations are complete or absent, and messages about missing parts name the remedy."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maege.analysis.languagetool.installation import VERSIONS, find, folder_of, home
from maege.cli import app
from maege.commands.doctor import tools

# Replaces Maven, whose downloads would make these tests depend on a network.
MAVEN = """#!/bin/sh
for argument; do
    case "$argument" in -Ddestination=*) folder="${argument#-Ddestination=}";; esac
done
mkdir -p "$folder/libs" "$folder/target"
echo jar > "$folder/libs/one.jar"
"""
# The message of an installation about builds, which use LanguageTool only if it is enabled.
ENABLE = "Builds use it only after this command in the project folder: maege languagetool enable\n"
HANGS = "echo '[ERROR] none'; exec sleep 600\n"
FAILS = "echo '[INFO] on the way'; echo '[ERROR] no route to Central'; exit 1\n"


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LANGUAGETOOL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("LANGUAGETOOL_URL", raising=False)
    monkeypatch.delenv("LTP_PATH", raising=False)
    programs(tmp_path, monkeypatch, java="#!/bin/sh\necho openjdk 17\n", mvn=MAVEN)
    return tmp_path


def programs(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    (folder / "bin").mkdir(exist_ok=True)
    for name, script in scripts.items():
        program = folder / "bin" / name
        program.write_text(script)
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")


def maege(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["languagetool", *arguments])


def test_a_second_installation_does_nothing(empty_home: Path) -> None:
    first = maege("install")
    assert first.exit_code == 0, first.output
    assert first.output.count(" downloaded by Maven: ") == len(VERSIONS)
    (empty_home / "bin/mvn").unlink()
    (empty_home / "bin/java").unlink()
    second = maege("install")
    assert second.exit_code == 0, second.output
    assert second.output.count("was installed already") == len(VERSIONS)
    assert all(find(version) for version in VERSIONS)
    assert not (folder_of("6.6") / "target").exists()


def test_an_installation_killed_half_way_is_completed_by_the_next(
    empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs(empty_home, monkeypatch, mvn=MAVEN + 'echo $$ > "$folder/pid"\n' + HANGS)
    command = [sys.executable, "-c", "from maege.cli import main; main()"]
    with subprocess.Popen(
        [*command, "languagetool", "install", "--version", "3.7"], stdout=subprocess.PIPE
    ) as killed:
        pid = home() / ".unfinished-3.7" / "pid"
        while not (pid.is_file() and pid.read_text()):
            assert killed.poll() is None
        killed.kill()
        os.kill(int(pid.read_text()), signal.SIGKILL)
    assert find("3.7") is None
    programs(empty_home, monkeypatch, mvn=MAVEN)
    assert maege("install", "--version", "3.7").exit_code == 0
    assert find("3.7") is not None
    assert list(home().glob(".unfinished*")) == []


@pytest.mark.parametrize("missing", ["mvn", "java"])
def test_a_missing_program_is_named_with_its_remedy(
    missing: str, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_home / "bin" / missing).unlink()
    monkeypatch.setenv("PATH", str(empty_home / "bin"))
    result = maege("install")
    assert result.exit_code == 2
    (remedy,) = [tool["remedy"] for tool in tools() if tool["name"] == missing]
    assert result.output == f"{missing} is missing. To install it: {remedy}\n"


@pytest.mark.usefixtures("empty_home")
def test_an_unknown_version_is_refused() -> None:
    result = maege("install", "--version", "5.0")
    assert result.exit_code == 2
    assert "found 5.0" in result.output


@pytest.mark.usefixtures("empty_home")
def test_status_lists_versions() -> None:
    assert maege("install", "--version", "3.1").exit_code == 0
    report = json.loads(maege("status", "--json").output)
    assert report == {
        "home": str(home()),
        "url": None,
        "versions": {"6.6": None, "3.7": None, "3.1": "maege languagetool install"},
        "enabled": False,
    }
    assert "LanguageTool 3.7: not installed" in maege("status").output


def test_a_copy_that_language_tool_python_has_downloaded_serves(empty_home: Path) -> None:
    copy = empty_home / "cache/language_tool_python/LanguageTool-6.6"
    copy.mkdir(parents=True)
    assert find("6.6") is None
    (copy / "languagetool-server.jar").touch()
    installation = find("6.6")
    assert installation is not None
    assert (installation.folder, installation.origin) == (copy, "language_tool_python")
    result = maege("install", "--version", "6.6")
    assert result.output == f"LanguageTool 6.6 was installed already: {copy} (0 MB)\n{ENABLE}"


# Replaces the package, which downloads from the internet.
PACKAGE = """
import os
from pathlib import Path

def download_lt(version):
    folder = Path(os.environ["LTP_PATH"]) / f"LanguageTool-{version}"
    folder.mkdir(parents=True)
    (folder / "languagetool-server.jar").write_bytes(bytes(2_000_000))
"""


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    package = folder / "packages" / "language_tool_python"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "download_lt.py").write_text(code)
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))


def test_language_tool_python_brings_6_6_without_maven(
    empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(empty_home, monkeypatch, PACKAGE)
    (empty_home / "bin/mvn").unlink()
    monkeypatch.setenv("PATH", str(empty_home / "bin"))
    result = maege("install", "--version", "6.6")
    assert result.exit_code == 0, result.output
    folder = home() / "LanguageTool-6.6"
    assert result.output == (
        f"LanguageTool 6.6 downloaded by language_tool_python: {folder} (2 MB)\n{ENABLE}"
    )
    assert list(home().glob(".unfinished*")) == []
    older = maege("install", "--version", "3.7")
    assert older.exit_code == 2
    assert "mvn is missing" in older.output


@pytest.mark.parametrize("installer", ["maven", "language_tool_python"])
def test_failed_download_is_shown_and_nothing_is_installed(
    installer: str, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if installer == "maven":
        programs(empty_home, monkeypatch, mvn=MAVEN + FAILS)
    else:
        stand_in(empty_home, monkeypatch, PACKAGE + "    raise OSError('no route to Central')\n")
    result = maege("install", "--version", "6.6")
    assert result.exit_code == 1
    assert "no route to Central" in result.output
    assert "on the way" not in result.output
    assert find("6.6") is None
    assert list(home().glob(".unfinished*")) == []
