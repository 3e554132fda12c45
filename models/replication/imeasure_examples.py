"""Tables 1 to 9 of the I-measure paper: worked examples, which read no corpus."""

from typing import Any

import pyarrow as pa

from analysis.papers.imeasure_examples import examples

SCHEMA = pa.schema(
    {
        "exhibit": pa.string(),
        "row_label": pa.string(),
        "column_label": pa.string(),
        "reproduced": pa.float64(),
        "corrected": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per number; run and definition are the same here."""
    rows = [(*example, example.value) for example in examples()]
    return pa.Table.from_pylist(
        [dict(zip(SCHEMA.names, row, strict=True)) for row in rows], schema=SCHEMA
    )
