"""Requests in a file: millions of them, of which only some are in memory at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyRelation
from numpy.typing import NDArray

from maege.analysis.runs import run_starts

# Rows of a part; more if a sentence would be divided.
PART_ROWS = 200_000


class RequestFile:
    """The rows of a relation, in its order, in a file that ends with this process.

    Args:
        path: path of the file; it is unlinked at once, so that a killed build leaves no file
            behind.
        requests: an ordered DuckDB relation.
        names: text columns with few distinct values, which are read as dictionaries.
        part_rows: number of rows that are read at a time.

    """

    def __init__(
        self, path: Path, requests: DuckDBPyRelation, names: list[str], part_rows: int = PART_ROWS
    ) -> None:
        requests.write_parquet(str(path), compression="zstd", row_group_size=part_rows)
        self._stream = path.open("rb")
        path.unlink()
        self._file = pq.ParquetFile(self._stream, read_dictionary=names)
        self._part_rows = part_rows

    @property
    def num_rows(self) -> int:
        """Return the number of requests."""
        return int(self._file.metadata.num_rows)

    def distinct(self, columns: list[str]) -> list[dict[str, Any]]:
        """Return the distinct combinations of some columns."""
        table = self._file.read(columns=columns).unify_dictionaries()
        found: list[dict[str, Any]] = table.group_by(columns).aggregate([]).to_pylist()
        return found

    def parts(self, together: list[str]) -> Iterator[pa.Table]:
        """Yield all rows in order; rows that agree in the columns `together` stay in one part."""
        held = self._file.schema_arrow.empty_table()
        for batch in self._file.iter_batches(self._part_rows):
            rows = pa.concat_tables([held, pa.Table.from_batches([batch])])
            rows = rows.unify_dictionaries().combine_chunks()
            cut = int(run_starts(*(_numbers(rows[name]) for name in together))[-1])
            if cut:
                yield rows.slice(0, cut)
            held = rows.slice(cut)
        if held.num_rows:
            yield held


def _numbers(column: pa.ChunkedArray) -> NDArray[np.generic]:
    """Return a number for each distinct value of the column."""
    values = column.combine_chunks()
    numbers = values.indices if pa.types.is_dictionary(values.type) else values
    return np.asarray(numbers.to_numpy(zero_copy_only=False))
