"""`maege build`: run dbt if anything changed since the last publication, then publish."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import duckdb

from maege.analysis.stored.caches.stops import stops
from maege.building.disk import forget_spilled
from maege.building.key import build_key
from maege.building.publication import BUILD_KEY, TABLE
from maege.building.publish import Published, publish
from maege.commands.installed import WAREHOUSE, install_extra
from maege.ingest.raw_tables import add_missing_tables
from maege.ingest.warehouse import Warehouse, WarehouseError, open_marts, refuse_second_writer

PROJECT_FILE = "dbt_project.yml"


def build(warehouse: Warehouse) -> Published | None:
    """Build and publish the marts; return what was published, or None if they are up to date.

    Raises:
        WarehouseError: there is no project or no corpus, another process has locked the build
            file, or a dbt node failed. Nothing is published then.

    """
    if not Path(PROJECT_FILE).is_file():
        raise WarehouseError(
            f"There is no {PROJECT_FILE} here. Change to the folder of the project, or create one"
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
    with open_marts(warehouse, any_version=True) as marts:
        try:
            rows = marts.execute(
                f"select value from {TABLE} where fact = '{BUILD_KEY}'"  # noqa: S608 - our own names
            ).fetchall()
        except duckdb.CatalogException:
            return None
    return str(rows[0][0]) if rows else None


def _run_dbt(warehouse: Warehouse) -> int:
    """Run dbt and return its exit code; if this process is interrupted, kill dbt at once."""
    # A separate process group does not receive Ctrl-C: if dbt handles it early in a build, it can
    # wait for a lock forever. The next build resumes where this one stopped.
    with subprocess.Popen(
        [sys.executable, "-m", "maege.building.dbt_process"],
        stdin=subprocess.PIPE,
        process_group=0 if os.name == "posix" else None,
    ) as dbt:
        try:
            return dbt.wait()
        except BaseException:
            dbt.kill()
            dbt.wait()
            # DuckDB removes its temporary folder only when it exits normally.
            forget_spilled(warehouse)
            raise
