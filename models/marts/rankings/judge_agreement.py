"""How far judges agree with each other and with themselves about pairs of outputs."""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.kappas import kappa_rows
from maege.analysis.stored.rows import key_groups, rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "kind": pa.string(),
        "judge_a": pa.string(),
        "judge_b": pa.string(),
        "n_compared": pa.int32(),
        "observed": pa.float64(),
        "expected": pa.float64(),
        "kappa": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per two judges, one judge twice for agreement with oneself, and totals."""
    pairs = (
        dbt.ref("ranked_output_pairs")
        .order("corpus, judgment_set, judge, item")
        .select("corpus, judgment_set, judge, output_pair, preference")
        .to_arrow_table()
    )
    rows = [
        (*key, *row)
        for key, of_set in key_groups(pairs, 2)
        for row in kappa_rows(
            of_set["judge"].to_pylist(),
            of_set["output_pair"].to_pylist(),
            of_set["preference"].to_numpy(),
        )
    ]
    return rows_to_table(rows, SCHEMA)
