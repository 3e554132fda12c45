"""A folder of scored chunks that a killed build leaves whole.

Each chunk becomes a Parquet file under its final name only once its bytes are on disk.
"""

import os
import uuid
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

# What ends so is deleted by whoever opens the folder next.
UNFINISHED = ".unfinished"


class Spool:
    """The chunks in one folder, which is made where it is missing."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        for leftover in directory.glob(f"*{UNFINISHED}"):
            leftover.unlink(missing_ok=True)

    def append(self, table: pa.Table) -> Path:
        """Return the file that holds the table, once it would survive a kill."""
        path = self.directory / f"{uuid.uuid4().hex}.parquet"
        unfinished = path.with_suffix(UNFINISHED)
        with unfinished.open("wb") as stream:
            pq.write_table(table, stream, compression="zstd")
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(path)
        return path

    def paths(self) -> list[Path]:
        """Return the files of all finished chunks, in order of name."""
        return sorted(self.directory.glob("*.parquet"))

    def clear(self, paths: Iterable[Path]) -> None:
        """Delete these chunks; one that is gone already is no error."""
        for path in paths:
            path.unlink(missing_ok=True)
