"""Pearson correlation of each metric with the gold scores, over all positions of all chains."""

from typing import Any

import pyarrow as pa

from maege.analysis.statistics.correlation import pearson
from maege.analysis.stored.rows import rows_to_table, stored_groups

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "experiment": pa.string(),
        "metric": pa.string(),
        "n_nodes": pa.int64(),
        "tokens_r": pa.float64(),
        "tokens_p": pa.float64(),
        "characters_r": pa.float64(),
        "characters_p": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric, for both scales of the gold."""
    keys = SCHEMA.names[:4]
    columns = ("score, gold_tokens, gold_characters", "sentence_id, chain_id, position")
    rows = []
    for key, of_metric in stored_groups(dbt.ref("chain_scores"), keys, *columns):
        scores, tokens, characters = (column.to_numpy() for column in of_metric.columns)
        rows.append((*key, len(scores), *pearson(scores, tokens), *pearson(scores, characters)))
    return rows_to_table(rows, SCHEMA)
