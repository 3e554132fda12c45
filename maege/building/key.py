"""A hash of all inputs of the marts. If it equals that of the published marts, all is up to date.

It is computed quickly, without dbt and without importing the libraries that compute metrics.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import duckdb
import yaml

from maege.analysis.code import PACKAGES, analysis_code, versions
from maege.analysis.languagetool.installation import VERSIONS, find, server_url
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build

# Files of the project that dbt reads; its variables are in one of them.
_PROJECT = ("dbt_project.yml", "macros", "models", "seeds", "tests/dbt")
_COMPUTING = (*PACKAGES, "dbt-core", "maege", "pycocoevalcap")
# Variables that name files which metrics read.
_PLACES = ("METEOR_JAR", "MAEGE_METRICS")
_INGESTED = """
    select corpus, path, name, sha256, changed_at
    from raw.files
    cross join raw.last_change
    order by all
"""


def build_key(warehouse: Warehouse, project: Path) -> str:
    """Return a hash of the ingested corpora, the code, the variables and the installed packages.

    Raises:
        WarehouseError: nothing is ingested yet, or the build file cannot be opened.

    """
    digest = hashlib.sha256()
    for part in (*_ingested(warehouse), *_code(project), *_own_metrics(), *_installed()):
        digest.update(f"{len(part)} ".encode() + part)
    return digest.hexdigest()


def _ingested(warehouse: Warehouse) -> list[bytes]:
    with open_build(warehouse, read_only=True) as connection:
        try:
            rows = connection.execute(_INGESTED).fetchall()
        except duckdb.CatalogException:
            rows = []
    if not rows:
        raise WarehouseError(
            f"{warehouse.build} has no corpus that this version has ingested. Ingest one first: "
            "maege ingest corpora/sample"
        )
    return [repr(row).encode() for row in rows]


def _code(project: Path) -> Iterator[bytes]:
    yield analysis_code().encode()
    for name in _PROJECT:
        path = project / name
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from _contents(file for file in files if "__pycache__" not in file.parts)


def _own_metrics() -> Iterator[bytes]:
    """Yield metrics.yml, the modules of its functions, and size and time of its language models.

    Classes describe their own inputs, in a separate process.
    """
    file = Path(os.environ.get("MAEGE_METRICS") or "metrics.yml")
    if not file.exists():
        return
    yield file.read_bytes()
    try:
        found = yaml.safe_load(file.read_bytes())
    except (yaml.YAMLError, RecursionError):  # the build says where
        return
    metrics = found.get("metrics") if isinstance(found, dict) else None
    for about in metrics.values() if isinstance(metrics, dict) else ():
        if not isinstance(about, dict):
            continue
        module = re.sub(":.*", "", str(about.get("function", "")))
        folders = [str(file.resolve().parent), str(Path.cwd())]
        # Find the package and its modules without importing them.
        for name in module.split("."):
            spec = PathFinder.find_spec(name, folders)
            if spec is None:
                break
            yield from _contents([Path(spec.origin)] if spec.origin else [])
            folders = list(spec.submodule_search_locations or ())
        model = file.parent / str(about.get("language_model", "nothing"))
        if model.exists():
            yield f"{model.stat().st_size} {model.stat().st_mtime_ns}".encode()
    if b"metric_class" in file.read_bytes():
        yield from _inputs_of_classes(file)


def _inputs_of_classes(file: Path) -> Iterator[bytes]:
    # Imported here: only warehouses with such a metric need it.
    from maege.analysis.metrics.own.declared import declared_metrics
    from maege.analysis.metrics.own.family import described
    from maege.analysis.metrics.own.functions import FunctionError, search_folders

    try:
        metrics = declared_metrics(file)
    except ValueError:  # the build says where
        return
    for name, definition in metrics.items():
        if definition.metric_class is not None:
            try:
                yield repr(described(name, definition, search_folders(file))).encode()
            except FunctionError as error:
                yield str(error).encode()


def _installed() -> Iterator[bytes]:
    yield from versions(_COMPUTING)
    places = [os.environ.get(name) for name in _PLACES]
    yield repr([shutil.which("java"), server_url(), *map(find, VERSIONS), *places]).encode()


def _contents(files: Iterable[Path]) -> Iterator[bytes]:
    for file in files:
        if file.is_file():
            yield str(file).encode()
            yield file.read_bytes()
