"""Disk usage of a warehouse, with the data that a build has spilled to disk."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from maege.ingest.warehouse import Warehouse

MEGABYTE, GIGABYTE = 1_000_000, 1_000_000_000


@dataclass(frozen=True)
class DiskUse:
    """Sizes in bytes of the build file, the published marts and scores not yet in the build file.

    `spilled` is the size of DuckDB's temporary files next to the build file: data that did not fit
    into the memory limit (MAEGE_MEMORY). `free` is the free space of the disk.
    """

    build: int
    published: int
    spool: int
    spilled: int
    free: int

    def __str__(self) -> str:
        parts = {
            "build": self.build,
            "marts": self.published,
            "spool": self.spool,
            "spilled": self.spilled,
        }
        sizes = ", ".join(f"{name} {_megabytes(size)}" for name, size in parts.items())
        return f"On disk: {sizes}; {self.free / GIGABYTE:,.1f} GB free"


def disk_use(warehouse: Warehouse) -> DiskUse | None:
    """Return the disk usage of the warehouse; None if its folder does not exist."""
    if not warehouse.folder.is_dir():
        return None
    return DiskUse(
        build=_size(warehouse.build) + _size(warehouse.build.with_suffix(".duckdb.wal")),
        published=_size(warehouse.marts),
        spool=_size(warehouse.folder / "spool"),
        spilled=_size(_spill(warehouse)),
        free=shutil.disk_usage(warehouse.folder).free,
    )


def forget_spilled(warehouse: Warehouse) -> None:
    """Remove the spilled data of a killed build. No process may have the build file open."""
    shutil.rmtree(_spill(warehouse), ignore_errors=True)


def _spill(warehouse: Warehouse) -> Path:
    return warehouse.build.with_suffix(".duckdb.tmp")


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(map(_size, path.iterdir()))
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB"
