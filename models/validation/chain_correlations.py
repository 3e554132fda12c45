"""Pearson correlation of each metric with the gold scores, over all positions of all chains."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.statistics.correlation import pearson

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
        .fetchall()
    )
    table = []
    for key, of_metric in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        scores, tokens, characters = np.array([row[4:] for row in of_metric]).T
        table.append((*key, len(scores), *pearson(scores, tokens), *pearson(scores, characters)))
    return pa.Table.from_pylist(
        [dict(zip(SCHEMA.names, row, strict=True)) for row in table], schema=SCHEMA
    )
