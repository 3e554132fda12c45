"""`maege build`: run dbt if anything changed since the last publication, then publish."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import duckdb
import yaml

from maege.analysis.code import PACKAGES, analysis_code, versions
from maege.analysis.languagetool.installation import VERSIONS, find, server_url
from maege.analysis.stored.stops import stops
from maege.building.publish import BUILD_KEY, TABLE, Published, publish
from maege.commands.outcome import WAREHOUSE, install_extra
from maege.ingest.raw_tables import add_missing_tables
from maege.ingest.warehouse import (
    Warehouse,
    WarehouseError,
    open_build,
    open_marts,
    refuse_second_writer,
)

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

    Raises WarehouseError if nothing is ingested yet, or the build file cannot be opened.
    """
    digest = hashlib.sha256()
    for part in (*_ingested(warehouse), *_code(project), *_own_metrics(), *_installed()):
        digest.update(f"{len(part)} ".encode() + part)
    return digest.hexdigest()


def _ingested(warehouse: Warehouse) -> list[bytes]:
    rows: list[tuple[object, ...]] = []
    with open_build(warehouse, read_only=True) as connection, suppress(duckdb.CatalogException):
        rows = connection.execute(_INGESTED).fetchall()
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
    """Yield metrics.yml, the packages of its functions, and the state of its language models."""
    file = Path(os.environ.get("MAEGE_METRICS") or "metrics.yml")
    if not file.exists():
        return
    yield file.read_bytes()
    try:
        content = yaml.safe_load(file.read_bytes())
    except (yaml.YAMLError, RecursionError):  # the build says where
        return
    metrics = content.get("metrics") if isinstance(content, dict) else None
    for definition in metrics.values() if isinstance(metrics, dict) else ():
        if not isinstance(definition, dict):
            continue
        package, *_ = re.split("[.:]", str(definition.get("function", "")))
        if package.isidentifier():
            for folder in (file.resolve().parent, Path.cwd()):
                files = (folder / package).rglob("*.py")
                yield from _contents([folder / f"{package}.py", *sorted(files)])
        model = file.parent / str(definition.get("language_model", "nothing"))
        if model.exists():
            yield f"{model.stat().st_size} {model.stat().st_mtime_ns}".encode()
    if b"metric_class" in file.read_bytes():
        yield from _inputs_of_classes(file)


def _inputs_of_classes(file: Path) -> Iterator[bytes]:
    """Yield the inputs of the classes, which they describe in a separate process."""
    # Imported here: only warehouses with such a metric need it.
    from maege.analysis.metrics.own.declared import declared_metrics
    from maege.analysis.metrics.own.family import described
    from maege.analysis.metrics.own.interface import FunctionError, search_folders

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


def build(warehouse: Warehouse) -> Published | None:
    """Build and publish the marts; return what was published, or None if they are up to date.

    Raises WarehouseError if there is no project or no corpus, another process has locked the build
    file, or a dbt node failed. Nothing is published then.
    """
    if not Path("dbt_project.yml").is_file():
        raise WarehouseError(
            "There is no dbt_project.yml here. Change to the folder of the project, or create one"
            ": maege new FOLDER"
        )
    if find_spec("dbt") is None:
        raise WarehouseError(f"dbt, which builds, is not installed: {install_extra(WAREHOUSE)}")
    refuse_second_writer(warehouse)
    key = build_key(warehouse, Path())
    # A write-ahead log of another program is not part of the marts: publishing removes it.
    has_log = bool(warehouse.marts_logs())
    if not has_log and key == _published_key(warehouse) and not stops(warehouse.folder):
        return None
    add_missing_tables(warehouse)
    if _run_dbt(warehouse) != 0:
        raise WarehouseError(
            "dbt did not pass, so nothing was published. Correct what it says, then repeat the "
            "command."
        )
    return publish(warehouse, key)


def _published_key(warehouse: Warehouse) -> str | None:
    if not warehouse.marts.exists():
        return None
    # Marts of an older version may have no facts.
    with open_marts(warehouse, any_version=True) as marts, suppress(duckdb.CatalogException):
        facts: dict[str, str] = dict(marts.execute(f"from {TABLE}").fetchall())
        return facts.get(BUILD_KEY)
    return None


def _run_dbt(warehouse: Warehouse) -> int:
    """Run dbt and return its exit code; if this process is interrupted, kill dbt at once."""
    # A separate process group does not receive Ctrl-C: if dbt handles it early in a build, it can
    # wait for a lock forever. The next build resumes where this one stopped.
    with subprocess.Popen(
        [sys.executable, "-m", "maege.building.dbt_process"],
        stdin=subprocess.PIPE,
        # dbt's files about the project and the results of its nodes take seconds to write.
        env={"DBT_WRITE_JSON": "false"} | os.environ,
        process_group=0,
    ) as dbt:
        try:
            return dbt.wait()
        except BaseException:
            dbt.kill()
            dbt.wait()
            # DuckDB removes its temporary folder only when it exits normally.
            shutil.rmtree(warehouse.build.with_suffix(".duckdb.tmp"), ignore_errors=True)
            raise
