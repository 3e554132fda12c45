"""Rows between SQL and Python models: groups of rows by key, and tables from rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

ROWS_AT_ONCE = 10_000
ARROW_TYPES = {
    "varchar": pa.string(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
}


def table_schema(columns: str) -> pa.Schema:
    """Return names and types of columns from SQL, such as `metric varchar, positions integer[]`."""
    return pa.schema(
        [(name, _arrow_type(kind)) for name, kind in map(str.split, columns.split(","))]
    )


def contract_schema(dbt: Any) -> pa.Schema:
    """Return the columns of a Python model, from its contract in YAML (macro py_script_comment)."""
    return pa.schema({name: _arrow_type(kind) for name, kind in dbt.contract.items()})


def _arrow_type(kind: str) -> pa.DataType:
    item = ARROW_TYPES[kind.removesuffix("[]")]
    return pa.list_(item) if kind.endswith("[]") else item


def key_groups(table: pa.Table, n_keys: int) -> Iterator[tuple[tuple[str, ...], pa.Table]]:
    """Yield (key, rows) for each run of equal strings in the first `n_keys` (sorted) columns."""
    table = table.combine_chunks()
    if not table.num_rows:
        return
    keys = [
        table[name].combine_chunks().dictionary_encode() for name in table.column_names[:n_keys]
    ]
    starts = run_starts(*(key.indices.to_numpy() for key in keys))
    for start, stop in pairwise([*starts.tolist(), table.num_rows]):
        yield tuple(key[start].as_py() for key in keys), table.slice(start, stop - start)


def stored_groups(
    relation: Any, keys: Sequence[str], columns: str, order: str
) -> Iterator[tuple[tuple[str, ...], pa.Table]]:
    """Yield (key, rows) for each combination of `keys`, in order, from a DuckDB relation.

    DuckDB sorts and may spill; only the rows of one key and of a batch are in memory. Do not use
    the connection for anything else before the last row.

    Args:
        keys: names of columns of strings, none of them NULL.
        columns: SQL of the columns of each key's rows.
        order: SQL of their order.
    """
    names = ", ".join(keys)
    ordered = relation.order(f"{names}, {order}").select(f"{names}, {columns}")
    parts = (
        part
        for batch in ordered.to_arrow_reader(ROWS_AT_ONCE)
        for part in key_groups(pa.Table.from_batches([batch]), len(keys))
    )
    for key, key_parts in groupby(parts, key=itemgetter(0)):
        yield key, pa.concat_tables(part for _, part in key_parts).drop_columns(list(keys))


def rows_of(relation: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows; do not use the connection for anything else before the last one."""
    for batch in relation.to_arrow_reader(ROWS_AT_ONCE):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def sorted_groups(
    table: pa.Table, n_keys: int, *then: str
) -> Iterator[tuple[tuple[str, ...], pa.Table]]:
    """Yield (key, rows) for each combination of the first `n_keys` columns, which are strings.

    Keys are in order, the rows of each in the order of the columns `then`. For rows with lists this
    takes half the time of DuckDB, which would move the lists while sorting.
    """
    names = table.column_names[:n_keys]
    order = sorted_order(table, *names, *then)
    start = 0
    for key, rows in key_groups(table.select(names).take(order), n_keys):
        yield key, table.take(pa.array(order[start : start + rows.num_rows]))
        start += rows.num_rows


def sorted_order(table: pa.Table, *names: str) -> NDArray[np.uint64]:
    order: NDArray[np.uint64] = pc.sort_indices(
        table, [(name, "ascending") for name in names]
    ).to_numpy()
    return order


def rows_to_table(rows: Iterable[Mapping[str, Any] | Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Return a table of the rows, with NULL where a number is NaN, in lists too.

    A row is a sequence in the order of the columns, or a mapping by column; what a mapping lacks is
    NULL.
    """
    names = schema.names
    listed = [[row.get(n) for n in names] if isinstance(row, Mapping) else row for row in rows]
    columns = zip(*listed, strict=True) if listed else [()] * len(names)
    arrays = [
        pa.array(column, field.type, from_pandas=True)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def sql_list(texts: Iterable[str]) -> str:
    """Return the texts for SQL's `in`, such as `('a', 'b')`; without texts `(null)`."""
    quoted = ["'" + text.replace("'", "''") + "'" for text in texts]
    return f"({', '.join(quoted) or 'null'})"


def run_starts(*columns: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return the rows at which runs of rows with equal columns begin; needs at least one row."""
    changed = np.zeros(len(columns[0]), dtype=np.bool_)
    changed[0] = True
    for column in columns:
        changed[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changed)
