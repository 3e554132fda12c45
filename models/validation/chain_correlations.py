"""Pearson correlation of each metric with the gold scores, over all positions of all chains."""

from typing import Any

import pyarrow as pa

from analysis.statistics.correlation import pearson
from analysis.stored.rows import key_groups, rows_to_table

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
    rows = (
        dbt.ref("chain_scores")
        .order("corpus, mode, experiment, metric, sentence_id, chain_id, position")
        .select("corpus, mode, experiment, metric, score, gold_tokens, gold_characters")
        .to_arrow_table()
    )
    table = []
    for key, of_metric in key_groups(rows, 4):
        scores, tokens, characters = (column.to_numpy() for column in of_metric.columns[4:])
        table.append((*key, len(scores), *pearson(scores, tokens), *pearson(scores, characters)))
    return rows_to_table(table, SCHEMA)
