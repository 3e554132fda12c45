"""Export the published marts as Parquet with a manifest: a folder per mart, split by corpus."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import duckdb

from maege.ingest.findings import BadInputError, Findings
from maege.ingest.warehouse import Warehouse, open_marts
from maege.rows import literal, quoted

MANIFEST = "manifest.json"
PARTITION = "corpus"
# DuckDB buffers so many rows per partition in memory, and rows can have lists of 100 numbers.
_ROWS_OF_A_GROUP = 20_480
_SETTINGS = (
    "preserve_insertion_order = false",
    "enable_progress_bar = false",
    "partitioned_write_flush_threshold = 65_536",
    "memory_limit = '400MB'",
)


def write_parquet(warehouse: Warehouse, folder: Path) -> None:
    """Write the marts to a new folder that replaces the old one.

    Marts with a column `corpus` are partitioned by it. Raises BadInputError if the folder has
    other files, and WarehouseError if nothing is published.
    """
    _refuse_what_is_not_ours(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    copy = folder.with_name(f"{folder.name}.{os.getpid()}.writing")
    try:
        with open_marts(warehouse) as connection:
            marts = _write_marts(connection, copy)
        _write_manifest(copy, marts)
        _exchange(copy, folder)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _refuse_what_is_not_ours(folder: Path) -> None:
    if folder.exists() and not (folder / MANIFEST).is_file() and any(folder.iterdir()):
        findings = Findings()
        findings.add(
            str(folder),
            0,
            f"files, and no {MANIFEST}",
            "a folder that maege publish wrote, an empty one or none",
            "Name another folder; this one would be replaced as a whole.",
        )
        raise BadInputError(findings)


def _write_marts(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, int]:
    rows = {}
    partitioned = {
        name
        for (name,) in connection.execute(
            "select table_name from duckdb_columns() where column_name = $1 and not internal",
            [PARTITION],
        ).fetchall()
    }
    # Views are excluded: one of them unnests lists to hundreds of millions of rows.
    tables = "select table_name from duckdb_tables() where not internal order by all"
    for setting in _SETTINGS:
        connection.execute(f"set {setting}")
    for (name,) in connection.execute(tables).fetchall():
        target = folder / name
        target.mkdir(parents=True)
        (rows[name],) = connection.table(name).count("*").fetchall()[0]
        if name in partitioned and rows[name]:
            _copy(connection, name, target, f", partition_by ({PARTITION}), overwrite_or_ignore")
        else:
            _copy(connection, name, target / "data_0.parquet", "")
    return rows


def _copy(connection: duckdb.DuckDBPyConnection, name: str, target: Path, how: str) -> None:
    options = f"(format parquet, compression zstd, row_group_size {_ROWS_OF_A_GROUP}{how})"
    connection.execute(f"copy {quoted(name)} to {literal(str(target))} {options}")


def _write_manifest(folder: Path, marts: dict[str, int]) -> None:
    """Write the manifest: the number of rows of every mart, size and SHA-256 of every file."""
    described = {
        name: {
            "rows": rows,
            "files": {
                str(path.relative_to(folder)): {
                    "bytes": path.stat().st_size,
                    "sha256": _sha256(path),
                }
                for path in sorted((folder / name).rglob("*.parquet"))
            },
        }
        for name, rows in marts.items()
    }
    (folder / MANIFEST).write_text(json.dumps({"marts": described}, indent=1) + "\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _exchange(copy: Path, folder: Path) -> None:
    old = folder.with_name(f"{folder.name}.{os.getpid()}.old")
    if folder.exists():
        folder.rename(old)
    copy.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
