"""Bootstrap intervals of Kendall's tau, from source sentences drawn with replacement."""

from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.statistics.bootstrap import (
    cluster_weights,
    tau_intervals,
    tau_without_ties_intervals,
)
from analysis.stored.rows import rows_to_table

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
    rows = (
        dbt.ref("sentence_pair_counts")
        .order("corpus, mode, experiment, metric, sentence_id")
        .select("corpus, mode, experiment, metric, concordant, discordant, tied")
        .fetchall()
    )
    draw_weights = cache(cluster_weights)
    table = []
    for key, of_metric in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        concordant, discordant, tied = np.array([row[4:] for row in of_metric], dtype=float).T
        weights = draw_weights(len(tied), samples, seed)
        counting_ties = tau_intervals(concordant, discordant, tied, weights, level)
        decisive = tau_without_ties_intervals(concordant, discordant, weights, level)
        bounds = (*counting_ties, *decisive)
        table.append((*key, *(bound[0] for bound in bounds)))
    return rows_to_table(table, SCHEMA)
