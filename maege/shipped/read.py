"""Connections to the published results that the package contains."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from maege.ingest.warehouse import Warehouse, WarehouseError, open_marts
from maege.names import UnknownError
from maege.rows import literal, quoted

if TYPE_CHECKING:
    import duckdb

FOLDER = Path(__file__).parents[1] / "results"
PROVENANCE = "provenance.json"
# Columns of all marts, with their types and descriptions, and why some are not in the results.
COLUMNS = "mart_columns"
SCHEMA = "marts"


def results(folder: Path = FOLDER) -> "duckdb.DuckDBPyConnection":
    """Return a connection to the published results: views `marts.MART` over Parquet files.

    They hold the aggregate marts of public corpora and judgment sets, without texts. A query needs
    no schema: `maege.results().sql("from best_metrics")`. The default folder is in the package.

    Raises:
        WarehouseError: the folder has no results.

    """
    return _open(folder)


def has_results(folder: Path = FOLDER) -> bool:
    """Whether the folder has results; a checkout may lack them."""
    return (folder / PROVENANCE).is_file()


def read_provenance(folder: Path = FOLDER) -> dict[str, Any]:
    """Return how the results were computed: code, variables, date, and hashes of data files."""
    if not has_results(folder):
        raise WarehouseError(
            f"{folder} has no published results. Install a release of maege, or write them from a "
            "warehouse: docs/results.md"
        )
    provenance: dict[str, Any] = json.loads((folder / PROVENANCE).read_text("utf-8"))
    return provenance


@contextmanager
def open_marts_or_results(
    warehouse: Warehouse,
) -> Iterator[tuple["duckdb.DuckDBPyConnection", str | None]]:
    """Yield a connection to the published marts, or to the results if nothing is published.

    Marts and columns that the results exclude are empty then, and the second value is a sentence
    about it, which messages about unknown names also contain. With published marts it is None.
    """
    if warehouse.marts.exists() or not has_results(FOLDER):
        with open_marts(warehouse) as connection:
            yield connection, None
        return
    sentence = (
        f"{warehouse.marts} does not exist. These are the published results of public corpora "
        f"({read_provenance()['date']}), which contain no texts."
    )
    with _open(FOLDER, complete=True) as connection:
        try:
            yield connection, sentence
        except UnknownError as error:
            raise UnknownError(f"{error} {sentence}") from None


@contextmanager
def as_warehouse(folder: Path = FOLDER) -> Iterator[Warehouse]:
    """Yield a temporary warehouse whose published marts are the results."""
    from maege.building.publish import STORAGE_VERSION

    with TemporaryDirectory(prefix="maege-results-") as name, _open(folder) as connection:
        warehouse = Warehouse(Path(name))
        connection.execute(
            f"attach {literal(str(warehouse.marts))} as published "
            f"(storage_version {literal(STORAGE_VERSION)})"
        )
        connection.begin()
        described = connection.execute(
            f"select mart, column_name, description from {COLUMNS} where excluded is null"  # noqa: S608
        ).fetchall()
        for mart in dict.fromkeys(mart for mart, *_ in described):
            connection.execute(
                f"create table published.main.{quoted(mart)} as from {SCHEMA}.{quoted(mart)}"
            )
        for mart, column, text in described:
            connection.execute(
                f"comment on column published.main.{quoted(mart)}.{quoted(column)} "
                f"is {literal(text or '')}"
            )
        connection.commit()
        connection.execute("detach published")
        yield warehouse


def _open(folder: Path, *, complete: bool = False) -> "duckdb.DuckDBPyConnection":
    """Return the connection; `complete` adds empty relations for all that is excluded."""
    import duckdb

    # Raises WarehouseError without results.
    read_provenance(folder)
    connection = duckdb.connect()
    # Still readable after `enable_external_access` is switched off (maege sql).
    connection.execute(f"set allowed_directories = [{literal(str(folder.resolve()))}]")
    connection.execute(f"create schema {SCHEMA}")
    connection.execute(f"set search_path = '{SCHEMA}'")
    _create_view(connection, COLUMNS, "*", folder)
    columns: dict[str, list[str]] = {}
    for mart, name, data_type, is_exported in connection.execute(
        f"select mart, column_name, data_type, excluded is null from {COLUMNS}"  # noqa: S608
    ).fetchall():
        if is_exported or complete:
            columns.setdefault(mart, []).append(_column(name, data_type, is_exported=is_exported))
    for mart, listed in columns.items():
        _create_view(connection, mart, ", ".join(listed), folder)
    return connection


def _create_view(
    connection: "duckdb.DuckDBPyConnection", mart: str, columns: str, folder: Path
) -> None:
    """Create the view over the mart's file; an empty one if the mart is excluded."""
    file = folder.resolve() / f"{mart}.parquet"
    rows = f"from {literal(str(file))}" if file.is_file() else "where false"
    connection.execute(f"create view {quoted(mart)} as select {columns} {rows}")


def _column(name: str, data_type: str, *, is_exported: bool) -> str:
    """Return the column in SQL: doubles are stored with single precision."""
    if not is_exported:
        return f"cast(null as {data_type}) as {quoted(name)}"
    if data_type == "DOUBLE":
        # By way of its shortest decimal form: .1, not .10000000149.
        return f"cast(cast({quoted(name)} as varchar) as double) as {quoted(name)}"
    return f"cast({quoted(name)} as {data_type}) as {quoted(name)}"
