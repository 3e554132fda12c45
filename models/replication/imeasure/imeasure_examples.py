"""Tables 1 to 9 of the I-measure paper: worked examples, which read no corpus."""

from typing import Any

import pyarrow as pa

from maege.analysis.papers.imeasure_examples import examples
from maege.analysis.papers.numbers import NUMBERS
from maege.analysis.stored.rows import rows_to_table


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per number; run and definition are the same here."""
    rows = [(*example, example.value) for example in examples()]
    return rows_to_table(rows, NUMBERS)
