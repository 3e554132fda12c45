"""Bootstrap intervals of Kendall's tau, from source sentences drawn with replacement."""

from functools import cache
from typing import Any

import pyarrow as pa

from maege.analysis.statistics.bootstrap import (
    cluster_weights,
    tau_intervals,
    tau_without_ties_intervals,
)
from maege.analysis.stored.rows import rows_to_table, stored_groups

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "experiment": pa.string(),
        "metric": pa.string(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "decisive_ci_low": pa.float64(),
        "decisive_ci_high": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    counts = dbt.ref("sentence_pair_counts")
    columns = ("concordant, discordant, tied", "sentence_id")
    draw_weights = cache(cluster_weights)
    rows = []
    for key, of_metric in stored_groups(counts, SCHEMA.names[:4], *columns):
        concordant, discordant, tied = (column.to_numpy() for column in of_metric.columns)
        weights = draw_weights(len(tied), samples, seed)
        counting_ties = tau_intervals(concordant, discordant, tied, weights, level)
        decisive = tau_without_ties_intervals(concordant, discordant, weights, level)
        bounds = (*counting_ties, *decisive)
        rows.append((*key, *(bound[0] for bound in bounds)))
    return rows_to_table(rows, SCHEMA)
