"""Allowed imports: between the packages, and only documented interfaces of libraries.

maege -> ingest, maege and models -> analysis, and no reverse. All packages may import the modules
about edits, names in messages and control characters. Nothing private of a library is imported,
replaced or read.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ANALYSIS, INGEST, MAEGE = "maege.analysis", "maege.ingest", "maege"
# Modules that all packages may import.
EVERYWHERE = {"maege.analysis.edits", "maege.names", "maege.visible"}
# The longest matching name is the package of a module.
PACKAGES = (
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
# For dbt only interfaces in its and dbt-duckdb's documentation; for others nothing internal.
DOCUMENTED = {
    "dbt": {"dbt.cli.main", "dbt.adapters.duckdb.plugins"},
    "dbt_common": set(),
    "jinja2": {"jinja2"},
    "numba": {"numba"},
}
# Folders of the project, and helper modules of tests, which import them by their name alone.
OURS = {"analysis", "benchmarks", "ingest", "maege", "models", "tests"}
OURS |= {path.stem for path in Path(__file__).parent.rglob("*.py")}
# Build outputs in the checkout do not belong to the project.
WRITTEN = {"build", "logs", "target", "warehouse"}


@cache
def project_modules(repository: Path) -> list[Path]:
    top = [p for p in repository.iterdir() if not p.name.startswith(".") and p.name not in WRITTEN]
    # Links to folders are not followed.
    inside = (module for path in top if path.is_dir() for module in path.rglob("*.py"))
    return sorted([*inside, *(path for path in top if path.suffix == ".py")])


def imports(tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Yield the local name of each import, its module, and its name there or ''."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import of {node.module}"
            for alias in node.names:
                yield alias.asname or alias.name, node.module or "", alias.name


@cache
def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {f"{module}.{name}" for _, module, name in imports(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            modules |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return {package for name in modules if (package := package_of(name)) is not None}


def package_of(name: str) -> str | None:
    return next((each for each in PACKAGES if f"{name}.".startswith(f"{each}.")), None)


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


def test_only_loading_and_building_import_pyarrow(repository: Path) -> None:
    # Without the extra `warehouse`, pyarrow is missing. Functions may import it when called.
    needing = repository / "maege" / "ingest" / "load.py"
    waiting = {
        *(repository / "maege").rglob("*.py"),
        *(repository / "analysis/direct").glob("*.py"),
    }
    reached: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path == needing or not path.is_file() or path in reached:
            continue
        reached.add(path)
        for _, module, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            if module.startswith("maege."):
                file = repository.joinpath(*module.split("."))
                waiting |= {file.with_suffix(".py"), file / f"{name}.py"}
    assert len(reached) > 150
    at_top = re.compile(r"^(import|from) pyarrow", re.MULTILINE)
    assert [path for path in reached if at_top.search(path.read_text(encoding="utf-8"))] == []
    assert at_top.search(needing.read_text(encoding="utf-8"))


def test_no_package_of_analysis_imports_its_modules(repository: Path) -> None:
    # Otherwise a thread that imports one of them, and another that imports the package, wait for
    # each other, and one of the two sees a partial import.
    packages = sorted((repository / "analysis").rglob("__init__.py"))
    assert len(packages) > 5
    assert {str(path) for path in packages if imported(path)} == set()


def is_private(name: str) -> bool:
    return any(
        part.startswith("_") and not (part.startswith("__") and part.endswith("__"))
        for part in name.split(".")
    )


def is_foreign(name: str) -> bool:
    top = name.partition(".")[0]
    return top not in OURS and top not in sys.stdlib_module_names


def faults(text: str) -> list[str]:
    tree = ast.parse(text)
    messages, foreign = [], set()
    for local_name, module, name in imports(tree):
        top = module.partition(".")[0]
        if is_foreign(module):
            foreign.add(local_name)
            if is_private(f"{module}.{name}"):
                messages.append(f"imports {module}.{name}")
        if top in DOCUMENTED and module not in DOCUMENTED[top]:
            messages.append(f"imports {module}, which is not documented")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            reached = f"{node.value.id}.{node.attr}"
            is_written = isinstance(node.ctx, ast.Store | ast.Del)
            if node.value.id in foreign and (is_private(node.attr) or is_written):
                messages.append(f"{'writes' if is_written else 'reads'} {reached}")
            if reached in {"sys.modules", "sys.meta_path", "sys.path_hooks"}:
                messages.append(f"reaches into {reached}")
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"setattr", "vars"}
            and node.args
            and ast.unparse(node.args[0]).partition(".")[0] in foreign
        ):
            messages.append(f"calls {ast.unparse(node)}")
    return messages


def test_no_module_uses_undocumented_interfaces(repository: Path) -> None:
    messages = {
        f"{path.relative_to(repository)} {fault}"
        for path in project_modules(repository)
        for fault in faults(path.read_text(encoding="utf-8"))
    }
    assert messages == set()


@pytest.mark.parametrize(
    "text",
    [
        "from dbt.task.build import BuildTask",
        "import dbt.flags",
        "from dbt_common.exceptions import DbtRuntimeError",
        "from jinja2.environment import Environment",
        "from numba.core import types",
        "from numpy._core import multiarray",
        "import numpy as np\nnp.dot = None",
        "import numpy as np\nnp._NoValue",
        "from dbt.cli.main import dbtRunner\ndbtRunner.invoke = None",
        "import numpy as np\nsetattr(np, 'dot', None)",
        "import sys\nsys.modules['pandas'] = None",
    ],
)
def test_private_use_is_found(text: str) -> None:
    assert len(faults(text)) == 1
