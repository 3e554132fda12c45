"""A folder of scored chunks that stays intact if a build is killed.

Each chunk is renamed to its final Parquet file only after its bytes are on disk.
"""

import io
import os
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from maege.analysis.workers.pool import Chunk

# Files with this suffix are deleted when the folder is opened again.
UNFINISHED = ".unfinished"


class PackedRows(NamedTuple):
    """Rows as the bytes of a Parquet file."""

    num_rows: int
    parquet: bytes


@dataclass(frozen=True)
class Packing(Generic[Chunk]):
    """A function whose rows the worker packs, because one process stores all workers' rows."""

    function: Callable[[Chunk], pa.Table]

    def __call__(self, chunk: Chunk) -> PackedRows:
        """Return the function's rows for the chunk, packed."""
        return packed(self.function(chunk))


def packed(rows: pa.Table) -> PackedRows:
    """Return the rows in the form in which they are stored until the build appends them.

    They are read once and completely. Without dictionaries and bounds, writing takes a third less
    time.
    """
    stream = io.BytesIO()
    pq.write_table(rows, stream, compression="zstd", use_dictionary=False, write_statistics=False)
    return PackedRows(rows.num_rows, stream.getvalue())


class Spool:
    """The chunks in one folder, which is created if it is missing."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        for leftover in directory.glob(f"*{UNFINISHED}"):
            leftover.unlink(missing_ok=True)

    def append(self, rows: PackedRows) -> Path:
        """Return the file with the rows after it is safely on disk."""
        path = self.directory / f"{uuid.uuid4().hex}.parquet"
        unfinished = path.with_suffix(UNFINISHED)
        with unfinished.open("wb") as stream:
            stream.write(rows.parquet)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(path)
        return path

    def paths(self) -> list[Path]:
        """Return the files of all finished chunks, in order of name."""
        return sorted(self.directory.glob("*.parquet"))

    def clear(self, paths: Iterable[Path]) -> None:
        """Delete these chunks; a missing one is not an error."""
        for path in paths:
            path.unlink(missing_ok=True)
