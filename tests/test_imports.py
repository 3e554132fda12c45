"""Arrows between the packages: maege -> ingest, maege and models -> analysis, and none back.

Who has the build file is known to a module below them all.
"""

import ast
import re
from pathlib import Path

import pytest

HOLDER = "build_holder"
ROOMS = {HOLDER, "analysis", "ingest", "maege", "models", "tests"}
ALLOWED = {
    HOLDER: set(),
    "analysis": {HOLDER, "analysis"},
    "ingest": {HOLDER, "ingest"},
    "maege": {"analysis", "ingest", "maege"},
    "models": {"analysis"},
}


def imported(module: Path) -> set[str]:
    """Return the rooms that a module imports from anywhere in it, functions included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
            assert node.level == 0, f"{module}: relative import"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return {name.partition(".")[0] for name in found} & ROOMS


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_those_below_it(package: str, repository: Path) -> None:
    modules = sorted((repository / package).rglob("*.py")) or [repository / f"{package}.py"]
    assert modules
    wrong = {
        str(module.relative_to(repository)): sorted(imported(module) - ALLOWED[package])
        for module in modules
        if imported(module) - ALLOWED[package]
    }
    assert wrong == {}


def test_imports_within_functions_are_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def f():\n    from ingest.findings import quote\n    import maege.cli\n")
    assert imported(module) == {"ingest", "maege"}


@pytest.mark.parametrize("package", ["analysis", "ingest", "maege", "models"])
def test_parts_of_pyarrow_are_imported_where_they_are_used(package: str, repository: Path) -> None:
    # `pa.compute` is there if anything else in the process has imported it: not in every worker.
    part = re.compile(r"\bpa\.(compute|csv|dataset|parquet)\b")
    modules = sorted((repository / package).rglob("*.py"))
    assert [module for module in modules if part.search(module.read_text())] == []


def test_no_package_of_analysis_imports_its_modules(repository: Path) -> None:
    # Else a thread of a build that imports one of them, and another that imports the package, wait
    # for each other, and one of the two finds it half imported.
    packages = sorted((repository / "analysis").rglob("__init__.py"))
    assert len(packages) > 5
    assert {str(path) for path in packages if imported(path)} == set()
