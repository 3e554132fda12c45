"""Libraries are used only as documented: nothing private is imported, replaced or read."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from project_modules import project_modules

ROOMS = ("analysis", "benchmarks", "ingest", "maege", "models", "tests")
# For dbt only interfaces in its and dbt-duckdb's documentation; for others nothing internal.
DOCUMENTED = {
    "dbt": {"dbt.cli.main", "dbt.adapters.duckdb.plugins"},
    "dbt_common": set(),
    "jinja2": {"jinja2"},
    "numba": {"numba"},
}
EXCEPTIONS: set[str] = set()
OURS = {*ROOMS} | {path.stem for path in Path(__file__).parent.rglob("*.py")}


def is_private(name: str) -> bool:
    return any(
        part.startswith("_") and not (part.startswith("__") and part.endswith("__"))
        for part in name.split(".")
    )


def is_foreign(name: str) -> bool:
    """Return whether a module is a library's, neither ours nor Python's own."""
    top = name.partition(".")[0]
    return top not in OURS and top not in sys.stdlib_module_names


def imports(tree: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Yield the local name of each import, its module, and its name there or ''."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                alias_name = alias.asname or alias.name.partition(".")[0]
                yield alias_name, alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, node.module or "", alias.name


def faults(text: str) -> list[str]:
    """Return the undocumented uses of libraries in a module, each as a message."""
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
    assert messages - EXCEPTIONS == set()


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


def test_documented_use_is_no_fault() -> None:
    assert faults("from dbt.cli.main import dbtRunner\nimport numpy as np\nnp.dot(1, 2)") == []
