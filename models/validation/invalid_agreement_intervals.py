"""Bootstrap intervals of agreement with valid nodes against their invalid twins, over sentences."""

from typing import Any

import pyarrow as pa

from analysis.statistics.sentence_means import sentence_mean_intervals
from analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "metric": pa.string(),
        "error_type": pa.string(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, metric and error type; NULL is all types together."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    rows = (
        dbt.ref("sentence_invalid_agreement")
        .select(
            "corpus, mode, sentence_id, metric, coalesce(error_type, '') as error_type, "
            "n_pairs, valid_wins + ties / 2 as agreeing"
        )
        .order("corpus, mode, sentence_id, metric, error_type")
        .fetchall()
    )
    table = [
        (corpus, mode, metric, error_type or None, low, high)
        for corpus, mode, metric, error_type, low, high in sentence_mean_intervals(
            rows, 2, samples, level, seed
        )
    ]
    return rows_to_table(table, SCHEMA)
