"""The location and the state of the warehouse."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from maege.names import in_use, lock_holder

if TYPE_CHECKING:
    import duckdb

# dbt's statuses of successful nodes.
PASSED = ("success", "pass", "warn", "no-op")
# Files that a build records at its start and deletes at its end
# (macros/building/record_results.sql).
BUILD_STARTED = ("build", "running")
# Version of the published marts' columns: docs/marts-contract.md says which change increases which
# number.
MARTS_VERSION = "2.0"


class WarehouseError(Exception):
    """The warehouse cannot be used in its current state; the message says what to do."""


class WarehouseBusyError(WarehouseError):
    """Another process has the build database open."""


@dataclass(frozen=True)
class Warehouse:
    """The folder with the database that dbt builds and the one that readers open."""

    folder: Path

    @property
    def build(self) -> Path:
        """The path of the build database, with raw tables and all tables of dbt."""
        return self.folder / "build.duckdb"

    @property
    def marts(self) -> Path:
        return self.folder / "marts.duckdb"

    def marts_logs(self) -> list[Path]:
        """Return logs that DuckDB would replay into any file with the name of the marts."""
        return sorted(self.folder.glob(f"{self.marts.name}.wal*"))


def find_warehouse() -> Warehouse:
    return Warehouse(Path(os.environ.get("MAEGE_WAREHOUSE") or "warehouse"))


def open_build(warehouse: Warehouse, *, read_only: bool) -> "duckdb.DuckDBPyConnection":
    """Return a connection to the build database; raise WarehouseError if it cannot be used."""
    import duckdb

    path = warehouse.build
    _refuse_address(path)
    if read_only and not path.is_file():
        raise WarehouseError(
            f"There is no {path}. Ingest a corpus and build first: maege ingest corpora/sample, "
            "then maege build."
        )
    try:
        if not read_only:
            warehouse.folder.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(path, read_only=read_only)
    except OSError as error:
        raise WarehouseError(f"{warehouse.folder} cannot be used: {error.strerror}.") from error
    except duckdb.Error as error:
        if process := lock_holder(str(error)):
            raise WarehouseBusyError(in_use(path, process)) from error
        remedy = "Move it away, then ingest and build again."
        raise _unopened(path, error, remedy, read_only=read_only) from error


def refuse_second_writer(warehouse: Warehouse) -> None:
    """Raise the errors of a writing `open_build`, for commands that read much before it."""
    _refuse_address(warehouse.build)
    if warehouse.build.is_file():
        open_build(warehouse, read_only=False).close()


def _refuse_address(path: Path) -> None:
    if characters := [character for character in "?#" if character in str(path)]:
        raise WarehouseError(
            f"{path}: found {characters[0]} in the path of the warehouse, which dbt cannot read; "
            "expected a path without ? and #. Name another folder in MAEGE_WAREHOUSE."
        )


@contextmanager
def transaction(connection: "duckdb.DuckDBPyConnection") -> Iterator[None]:
    connection.begin()
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def open_marts(warehouse: Warehouse, *, any_version: bool = False) -> "duckdb.DuckDBPyConnection":
    """Return the marts; WarehouseError if they are missing, open for writing or outdated."""
    import duckdb

    path = warehouse.marts
    if not path.exists():
        raise WarehouseError(
            f"{path}: nothing is published yet. Run `maege build`, or `make build`. To query the "
            "results for public corpora instead: maege results"
        )
    try:
        marts = _connect_marts(path)
    except duckdb.Error as error:
        _refuse_logs(warehouse)
        raise _unopened(path, error, "Publish again: maege publish", read_only=True) from error
    try:
        _refuse_logs(warehouse)
        if not any_version:
            _refuse_version(path, marts)
    except WarehouseError:
        marts.close()
        raise
    return marts


def refuse_marts_writer(warehouse: Warehouse) -> None:
    import duckdb

    if warehouse.marts.exists():
        # Marts that cannot be opened for another reason are replaced.
        with suppress(duckdb.Error):
            _connect_marts(warehouse.marts).close()


def _connect_marts(path: Path) -> "duckdb.DuckDBPyConnection":
    import duckdb

    try:
        return duckdb.connect(path, read_only=True)
    except duckdb.Error as error:
        if writer := lock_holder(str(error)):
            raise WarehouseBusyError(
                f"{path} is open for writing in {writer}. Published marts are only read: "
                "close that program, or let it open them read-only (docs/connect.md), then repeat "
                "the command."
            ) from error
        raise


def _refuse_logs(warehouse: Warehouse) -> None:
    if logs := warehouse.marts_logs():
        raise WarehouseError(
            f"{logs[0]}: found a write-ahead log. A program changed the published marts and did "
            "not close them. Readers would see its changes. Publish again, which removes the log: "
            "maege publish"
        )


def _refuse_version(path: Path, marts: "duckdb.DuckDBPyConnection") -> None:
    import duckdb

    try:
        row = marts.execute("select value from publication where fact = 'marts_version'").fetchone()
    except duckdb.CatalogException:
        row = None
    version, supported = major(row[0]) if row else 0, major(MARTS_VERSION)
    if version != supported:
        older = "Build and publish them anew, which keeps what was scored: maege build"
        remedy = "Upgrade: pip install --upgrade maege" if version > supported else older
        raise WarehouseError(
            f"{path}: these marts are of version {version} of the contract, maege reads "
            f"{supported}. {remedy}"
        )


def major(version: str) -> int:
    return int(version.partition(".")[0])


def _unopened(path: Path, error: "duckdb.Error", remedy: str, *, read_only: bool) -> WarehouseError:
    mode = os.R_OK if read_only else os.R_OK | os.W_OK
    if path.exists() and not os.access(path, mode):
        return WarehouseError(
            f"{path} cannot be opened: permission denied. Ask its owner for the right to "
            f"{'read' if read_only else 'read and write'} it, or name another folder in "
            "MAEGE_WAREHOUSE."
        )
    first_line = str(error).splitlines()[0]
    return WarehouseError(f"{path} cannot be opened ({first_line}). {remedy}")


@dataclass(frozen=True)
class LastBuild:
    """The latest result of every dbt node; `finished_at` in UTC, None before the first build.

    `interrupted`: the last build did not finish. Nodes that were skipped come after failed nodes.
    """

    status: Literal["never", "passed", "failed", "interrupted"]
    finished_at: datetime | None
    failures: list[tuple[str, str]]


def last_build(connection: "duckdb.DuckDBPyConnection") -> LastBuild:
    """Return whether the last run of every node passed; `failures` holds node and status.

    Unit tests test the code of their own run only. Results of earlier runs, and skipped unit tests,
    are not failures. A model whose unit test failed was itself skipped.
    """
    recorded = connection.execute(
        "select count(*) from duckdb_tables() "
        "where schema_name = 'ops' and table_name = 'node_results'"
    ).fetchone()
    if recorded != (1,):
        return LastBuild("never", None, [])
    latest = connection.execute(
        "select node, arg_max(status, finished_at), max(finished_at), "
        "any_value(resource_type) = 'unit_test', arg_max(invocation_id, finished_at) "
        "from ops.node_results group by node order by node"
    ).fetchall()
    if not latest:
        return LastBuild("never", None, [])
    finished_at, last_run = max((moment, run) for _, _, moment, _, run in latest)
    failures = [
        (node, str(status))
        for node, status, _, is_unit_test, run in latest
        if status not in PASSED and not (is_unit_test and (status == "skipped" or run != last_run))
    ]
    failures.sort(key=lambda failure: failure[1] == "skipped")
    if BUILD_STARTED in failures:
        return LastBuild("interrupted", None, failures)
    return LastBuild("failed" if failures else "passed", finished_at, failures)
