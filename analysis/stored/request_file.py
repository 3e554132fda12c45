"""Requests in a file: millions of them, of which only some are in memory at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyRelation

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
        held: list[pa.Table] = []
        for batch in self._file.iter_batches(self._part_rows):
            table = pa.Table.from_batches([batch])
            cut = _last_change(table, together)
            if cut or not _continues(held, table, together):
                yield from _joined([*held, table.slice(0, cut)])
                held = []
            held.append(table.slice(cut))
        yield from _joined(held)


def _joined(tables: list[pa.Table]) -> Iterator[pa.Table]:
    table = pa.concat_tables(tables) if tables else None
    if table is not None and table.num_rows:
        yield table.unify_dictionaries()


def _last_change(table: pa.Table, columns: list[str]) -> int:
    """Return the last row that differs from the one before it; 0 where none does."""
    changed = np.zeros(table.num_rows, dtype=np.bool_)
    for name in columns:
        values = table[name].combine_chunks()
        numbers = values.indices if pa.types.is_dictionary(values.type) else values
        column = numbers.to_numpy(zero_copy_only=False)
        changed[1:] |= column[1:] != column[:-1]
    rows = np.flatnonzero(changed)
    return int(rows[-1]) if rows.size else 0


def _continues(held: list[pa.Table], table: pa.Table, columns: list[str]) -> bool:
    """Return whether the table begins with what the rows held end with."""
    if not held:
        return True
    return all(held[-1][name][-1].as_py() == table[name][0].as_py() for name in columns)
