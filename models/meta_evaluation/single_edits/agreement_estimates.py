"""How sure it is that metrics prefer the better of two texts: corrupted edits, and steps.

Intervals and tests of one half, over source sentences.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.lattices.agreement_intervals import agreement_tests
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    [
        *(
            (name, pa.string())
            for name in ("pairs", "corpus", "mode", "metric", "error_type", "too_few")
        ),
        *(
            (name, pa.float64())
            for name in ("ci_low", "ci_high", "chance_p_value", "chance_q_value")
        ),
        ("n_resamples", pa.int64()),
    ]
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per kind of pairs, corpus, mode, metric and error type; NULL is all types."""
    n_signs = int(dbt.config.meta_get("test_resamples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    counts = dbt.ref("outcome_counts")
    rows = [
        {"pairs": pairs} | row
        for pairs in ("corrupted_edits", "steps")
        for row in agreement_tests(counts.filter(f"question = '{pairs}'"), n_signs, level, seed)
    ]
    return rows_to_table(rows, SCHEMA)
