"""How far judges agree with each other and with themselves about pairs of outputs."""

from typing import Any

import numpy as np
import pyarrow as pa

from analysis.statistics.judge_agreement import judge_agreement, overall_agreement
from analysis.stored.rows import key_groups, rows_to_table

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
        dbt.ref("judged_outputs")
        .order("corpus, judgment_set, judge, item")
        .select("corpus, judgment_set, judge, output_pair, preference")
        .to_arrow_table()
    )
    rows = []
    for (corpus, judgment_set), of_set in key_groups(pairs, 2):
        judges, judge = np.unique(of_set["judge"].to_pylist(), return_inverse=True)
        _, unit = np.unique(of_set["output_pair"].to_pylist(), return_inverse=True)
        agreement = judge_agreement(judge, unit, of_set["preference"].to_numpy())
        total = overall_agreement(agreement)
        found = [
            (
                "intra" if first == second else "inter",
                judges[first],
                judges[second],
                compared,
                observed,
                expected,
                kappa,
            )
            for first, second, compared, observed, expected, kappa in zip(
                *(column.tolist() for column in agreement), strict=True
            )
        ]
        found += [
            ("inter", None, None, total.n_inter, np.nan, np.nan, total.inter),
            ("intra", None, None, total.n_intra, np.nan, np.nan, total.intra),
        ]
        rows += [(corpus, judgment_set, *row) for row in found if row[3]]
    return rows_to_table(rows, SCHEMA)
