"""Bootstrap intervals of the mean score difference by error type, over source sentences."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.sentence_means import sentence_mean_intervals

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "pair_rule": pa.string(),
        "metric": pa.string(),
        "error_type": pa.string(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, pair rule, metric and error type."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    deltas = dbt.ref("sentence_type_deltas").select(
        "corpus, mode, sentence_id, pair_rule, metric, error_type, "
        "n_pairs as n_values, sum_delta as total"
    )
    keys = ("pair_rule", "metric", "error_type")
    return rows_to_table(sentence_mean_intervals(deltas, keys, samples, level, seed), SCHEMA)
