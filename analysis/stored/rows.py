"""Runs of equal keys in sorted tables: how Python models walk through what SQL has ordered."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa


def key_groups(table: pa.Table, n_keys: int) -> Iterator[tuple[tuple[str, ...], pa.Table]]:
    """Yield (key, rows) for each run of rows that agree in the first `n_keys` columns.

    The keys are strings, and the table is sorted by them.
    """
    table = table.combine_chunks()
    if not table.num_rows:
        return
    keys = [
        table[name].combine_chunks().dictionary_encode() for name in table.column_names[:n_keys]
    ]
    starts = np.zeros(table.num_rows, dtype=np.bool_)
    starts[0] = True
    for key in keys:
        codes = key.indices.to_numpy()
        starts[1:] |= codes[1:] != codes[:-1]
    for start, stop in pairwise([*np.flatnonzero(starts).tolist(), table.num_rows]):
        yield tuple(key[start].as_py() for key in keys), table.slice(start, stop - start)


def sql_list(texts: Iterable[str]) -> str:
    """Return the texts as what stands behind SQL's `in`, such as `('a', 'b')`.

    Without any text it is `(null)`, which no value is in.
    """
    quoted = ["'" + text.replace("'", "''") + "'" for text in texts]
    return f"({', '.join(quoted) or 'null'})"
