"""The published wheel can do what the tutorials show, with pip and without a checkout.

The wheel of `make wheel` is installed into an empty environment with the extras of a tutorial, as
pip resolves them; then the tutorial runs in an empty folder without network.
"""

import os
import re
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import REPOSITORY, tokens, typed_lines

pytestmark = pytest.mark.release
TUTORIALS = {
    "compare-my-systems": "notebook",
    "try-my-metric": "warehouse,report",
    "run-a-shared-task": "warehouse,report",
    "ask-the-warehouse": "warehouse,report",
    "add-human-judgments": "warehouse,report",
}
# No server listens there, so every connection fails at once.
NOWHERE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
SAVED_AS = re.compile(r"Save as `([^`]+)`:")


@pytest.fixture(scope="module")
def wheel() -> Path:
    built = sorted((REPOSITORY / "dist").glob("maege-*.whl"))
    assert len(built) == 1, f"{len(built)} wheels in dist; expected one: make test-release"
    return built[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("environments")


def install(wheel: Path, folder: Path, extras: str) -> Path:
    environment = folder / extras
    if not environment.exists():
        venv.create(environment, with_pip=True)
        pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, f"{wheel}[{extras}]"], check=True, cwd=folder)
    return environment / "bin"


def steps(page: Path) -> Iterator[tuple[str, str, str]]:
    saved_as = ""
    for token in tokens(page):
        if token.type == "inline":
            saved_as = next(iter(SAVED_AS.findall(token.content)), "")
        elif token.type == "fence":
            yield token.info, token.content, saved_as


@pytest.mark.parametrize("name", TUTORIALS)
def test_tutorial_runs_with_only_the_wheel_installed(
    name: str, wheel: Path, folder: Path, tmp_path: Path
) -> None:
    programs = install(wheel, folder, TUTORIALS[name])
    inherited = {key: os.environ[key] for key in ("HOME", "LANG", "TMPDIR") if key in os.environ}
    path = f"{programs}{os.pathsep}{os.defpath}"
    # The wheel does not decide whether LanguageTool is installed.
    environment = inherited | NOWHERE | {"PATH": path, "LANGUAGETOOL_HOME": str(tmp_path / "none")}
    cwd = tmp_path
    done = 0
    for language, text, saved_as in steps(REPOSITORY / "docs" / "tutorials" / f"{name}.md"):
        if saved_as:
            (cwd / saved_as).write_text(text)
        elif language == "python":
            run([str(programs / "python"), "-c", text], cwd, environment)
        elif language == "console":
            for line in typed_lines(text):
                if line.startswith("cd "):
                    cwd = cwd / line.removeprefix("cd ")
                elif line.strip():
                    run(["bash", "-c", line], cwd, environment)
                    done += 1
    assert done >= 3, f"{name} has {done} commands"


def run(line: list[str], cwd: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(line, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{line[-1]}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
