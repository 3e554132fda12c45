"""Allowed imports of the packages: maege -> ingest, maege and models -> analysis, and no reverse.

All packages may import the modules about edits, names in messages and control characters.
"""

import ast
import re
from pathlib import Path

import pytest
from project_modules import project_modules

ANALYSIS, INGEST, MAEGE = "maege.analysis", "maege.ingest", "maege"
# Modules that all packages may import.
EVERYWHERE = {"maege.analysis.edits", "maege.names", "maege.visible"}
# The longest matching name is the package of a module.
ROOMS = (
    *EVERYWHERE,
    ANALYSIS,
    INGEST,
    MAEGE,
    "analysis",
    "ingest",
    "models",
    "tests",
)
ALLOWED = {
    "maege/analysis/edits.py": set(),
    "maege/names.py": set(),
    "maege/visible.py": set(),
    "analysis": {*EVERYWHERE, ANALYSIS},
    "ingest": {*EVERYWHERE, INGEST},
    "maege": {*EVERYWHERE, ANALYSIS, INGEST, MAEGE},
    "models": {"maege.analysis.edits", ANALYSIS},
}


def imported(module: Path) -> set[str]:
    """Return the packages that a module imports anywhere, also in functions."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            modules |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return {room for name in modules if (room := room_of(name)) is not None}


def room_of(name: str) -> str | None:
    return next((room for room in ROOMS if f"{name}.".startswith(f"{room}.")), None)


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_those_below_it(package: str, repository: Path) -> None:
    place = repository / package
    modules = [place] if place.is_file() else sorted(place.rglob("*.py"))
    assert modules
    wrong = {
        str(module.relative_to(repository)): sorted(imported(module) - ALLOWED[package])
        for module in modules
        if imported(module) - ALLOWED[package]
    }
    assert wrong == {}


def test_imports_within_functions_are_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "def f():\n    from maege.ingest.warehouse import Warehouse\n"
        "    from maege import analysis, cli\n"
    )
    assert imported(module) == {ANALYSIS, INGEST, MAEGE}


def test_no_module_has_two_names(repository: Path) -> None:
    # The folders are at the top of the checkout, where each could be imported under two names.
    modules = project_modules(repository)
    bare = {"analysis", "ingest"}
    assert len(modules) > 300
    assert {str(module) for module in modules if imported(module) & bare} == set()


@pytest.mark.parametrize("package", ["analysis", "ingest", "maege", "models"])
def test_parts_of_pyarrow_are_imported_where_they_are_used(package: str, repository: Path) -> None:
    # `pa.compute` exists only if another module of the process has imported it: not in every
    # worker.
    part = re.compile(r"\bpa\.(compute|csv|dataset|parquet)\b")
    modules = sorted((repository / package).rglob("*.py"))
    assert [module for module in modules if part.search(module.read_text())] == []


def test_no_package_of_analysis_imports_its_modules(repository: Path) -> None:
    # Otherwise a thread that imports one of them, and another that imports the package, wait for
    # each other, and one of the two sees a partial import.
    packages = sorted((repository / "analysis").rglob("__init__.py"))
    assert len(packages) > 5
    assert {str(path) for path in packages if imported(path)} == set()
