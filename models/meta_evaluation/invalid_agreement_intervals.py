"""Bootstrap intervals of agreement with valid nodes against their invalid twins, over sentences."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.sentence_means import sentence_mean_intervals

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
    agreeing = dbt.ref("sentence_invalid_agreement").select(
        "corpus, mode, sentence_id, metric, coalesce(error_type, '') as error_type, "
        "n_pairs as n_values, valid_wins + ties / 2 as total"
    )
    keys = ("metric", "error_type")
    rows = [
        (*key, error_type or None, low, high)
        for *key, error_type, low, high in sentence_mean_intervals(
            agreeing, keys, samples, level, seed
        )
    ]
    return rows_to_table(rows, SCHEMA)
