"""Export the published marts as Parquet with a manifest: a folder per mart, split by corpus."""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

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
# Views are excluded: one of them unnests lists to hundreds of millions of rows.
_TABLES = """
    select schema_name, table_name, list(column_name)
    from duckdb_columns()
    semi join (from duckdb_tables() where not internal) as tables using (schema_name, table_name)
    group by all
    order by table_name
"""


def write_parquet(warehouse: Warehouse, folder: Path) -> None:
    """Write the marts to a new folder that replaces the old one.

    Marts with a column `corpus` are partitioned by it. Raises BadInputError if the folder has
    other files, and WarehouseError if nothing is published.
    """
    _refuse_what_is_not_ours(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    copy, old = (
        folder.with_name(f"{folder.name}.{os.getpid()}.{state}") for state in ("writing", "old")
    )
    try:
        with open_marts(warehouse) as connection:
            marts = _write_marts(connection, copy)
        _write_manifest(copy, marts)
        if folder.exists():
            folder.rename(old)
        copy.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
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
    for setting in _SETTINGS:
        connection.execute(f"set {setting}")
    for schema, name, columns in connection.execute(_TABLES).fetchall():
        source, target = f"{schema}.{quoted(name)}", folder / name
        target.mkdir(parents=True)
        (rows[name],) = connection.execute(f"select count(*) from {source}").fetchall()[0]  # noqa: S608
        options = f"format parquet, compression zstd, row_group_size {_ROWS_OF_A_GROUP}"
        if PARTITION in columns and rows[name]:
            options += f", partition_by ({PARTITION}), overwrite_or_ignore"
        else:
            target /= "data_0.parquet"
        connection.execute(f"copy {source} to {literal(str(target))} ({options})")
    return rows


def _write_manifest(folder: Path, marts: dict[str, int]) -> None:
    """Write the manifest: the number of rows of every mart, size and SHA-256 of every file."""
    described: dict[str, dict[str, Any]] = {
        name: {"rows": rows, "files": {}} for name, rows in marts.items()
    }
    for path in sorted(folder.rglob("*.parquet")):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        name = path.relative_to(folder)
        described[name.parts[0]]["files"][str(name)] = {
            "bytes": path.stat().st_size,
            "sha256": digest,
        }
    (folder / MANIFEST).write_text(json.dumps({"marts": described}, indent=1) + "\n")
