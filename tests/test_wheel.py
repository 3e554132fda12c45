"""The wheel contains everything for a worker, and for a build without a checkout."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zipfile import ZipFile

import pytest

from maege.analysis.code import code_without_packages

pytestmark = pytest.mark.slow
PROGRAM = """
from maege import analysis
from maege.analysis.code import code_without_packages
from maege.analysis.languagetool.installation import LEGACY_PROGRAM, VERSIONS, recipe
from maege.analysis.stored.grammar_rows import check_chunk
from maege.analysis.workers.chunks import score_chunk
from maege.analysis.workers.cluster import run_job
assert LEGACY_PROGRAM.is_file()
assert all(recipe(version).is_file() for version in VERSIONS)
print(analysis.__file__, code_without_packages())
"""
# Built from a copy, so that the checkout stays clean.
LEFT_OUT = (
    ".*",
    "__pycache__",
    "build",
    "*.egg-info",
    "logs",
    "node_modules",
    "target",
    "warehouse",
)


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        version("setuptools")
    except PackageNotFoundError:
        pytest.skip("needs setuptools, which requirements-errant.lock installs")
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(repository, folder / "checkout", ignore=ignored)
    line = ["pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", *line, "--wheel-dir", folder, folder / "checkout"], check=True
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    folder = wheel.parent / "site-packages"
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, cwd: Path, *line: str) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(installed),
        "MAEGE_WAREHOUSE": str(cwd / "warehouse"),
        "NUMBA_CACHE_DIR": str(cwd / "kernels"),
    }
    return subprocess.run(
        [sys.executable, *line],
        cwd=cwd,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def files(folder: Path, name: str) -> set[Path]:
    paths = (path for path in (folder / name).rglob("*") if "__pycache__" not in path.parts)
    return {path.relative_to(folder) for path in paths if path.is_file()}


def test_a_worker_needs_nothing_but_the_wheel(installed: Path, tmp_path: Path) -> None:
    place, code = run(installed, tmp_path, "-c", PROGRAM).split()
    assert Path(place) == installed / "maege" / "analysis" / "__init__.py"
    # A client with a checkout and its workers must have the same hash of the code.
    assert code == code_without_packages()


def test_every_file_of_the_project_is_in_the_wheel(installed: Path, repository: Path) -> None:
    carried = installed / "maege" / "project"
    for name in ("analysis/queries", "corpora", "macros", "models", "seeds", "tests/dbt"):
        assert files(carried, name) == files(repository, name)
    rooms = {"maege": installed, "analysis": installed / "maege", "ingest": installed / "maege"}
    for room, folder in rooms.items():
        modules = {path for path in files(repository, room) if path.suffix == ".py"}
        assert modules <= files(folder, room)
    assert files(installed / "maege", "results") == files(repository, "results")


def test_the_explorer_is_carried_with_the_licences_of_its_parts(
    installed: Path, repository: Path
) -> None:
    built = files(repository, "maege/explore/static")
    if not built:
        pytest.skip("the explorer is not built: make explorer")
    assert files(installed, "maege/explore/static") == built
    licences = (installed / "maege" / "explore" / "static" / "licences.txt").read_text()
    for name in ("@duckdb/duckdb-wasm 1.32.0", "codemirror 6.0.2", "apache-arrow 17.0.0"):
        assert f"{name}\n====" in licences
    (notice,) = installed.glob("maege*.dist-info/licenses/NOTICE")
    assert notice.read_text() == (repository / "NOTICE").read_text()


def test_nothing_but_maege_is_installed(installed: Path) -> None:
    names = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert names == {"maege"}


def test_a_project_is_created_without_a_checkout(installed: Path, tmp_path: Path) -> None:
    maege = ("-m", "maege")
    output = run(installed, tmp_path, *maege, "new", "gec", "--sample")
    assert "Next, in that folder: maege build" in output
    project = tmp_path / "gec"
    assert (project / "README.md").is_file()
    assert (project / "corpora" / "template" / "manifest.yml").is_file()
    again = run(installed, project, *maege, "ingest", "corpora/sample")
    assert "84 sentences, 19 files; unchanged since it was ingested" in again
    dbt = ("-c", "from dbt.cli.main import cli; cli()")
    listed = run(installed, project, *dbt, "--quiet", "ls", "--resource-type", "model")
    models = {line.rpartition(".")[2] for line in listed.split()}
    assert {"metric_statistics", "sentence_correlations"} <= models
