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

# Rows of a part, but for those of the sentence that it ends with.
PART_ROWS = 200_000


class RequestFile:
    """The rows of a relation, in its order, in a file that ends with this process.

    Args:
        path: where the file is written; it has no name any longer once this returns, so that a
            killed build leaves nothing of it behind.
        requests: a relation of DuckDB's, ordered.
        names: columns of text with few values, which are read as dictionaries.
        part_rows: how many rows are read at a time.

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
        """Return how many requests there are."""
        return int(self._file.metadata.num_rows)

    def distinct(self, columns: list[str]) -> list[dict[str, Any]]:
        """Return the different values of some columns together."""
        table = self._file.read(columns=columns).unify_dictionaries()
        found: list[dict[str, Any]] = table.group_by(columns).aggregate([]).to_pylist()
        return found

    def parts(self, together: list[str]) -> Iterator[pa.Table]:
        """Yield all rows, in order; those that agree in the columns `together` stay together."""
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
    """Return what tells the values of a column apart."""
    values = column.combine_chunks()
    numbers = values.indices if pa.types.is_dictionary(values.type) else values
    return np.asarray(numbers.to_numpy(zero_copy_only=False))
