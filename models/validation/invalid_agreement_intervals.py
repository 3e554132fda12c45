"""Bootstrap intervals of agreement with valid nodes against their invalid twins, over sentences."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.statistics.bootstrap import cluster_weights, mean_intervals

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
    table = []
    for (corpus, mode), of_mode in groupby(rows, key=itemgetter(0, 1)):
        cells = list(of_mode)
        sentences = {key: index for index, key in enumerate(sorted({row[2] for row in cells}))}
        columns = {key: index for index, key in enumerate(sorted({row[3:5] for row in cells}))}
        agreeing = np.zeros((len(sentences), len(columns)))
        counts = np.zeros_like(agreeing)
        for _, _, sentence_id, *key, n_pairs, n_agreeing in cells:
            place = sentences[sentence_id], columns[tuple(key)]
            counts[place] = n_pairs
            agreeing[place] = n_agreeing
        weights = cluster_weights(len(sentences), samples, seed)
        low, high = mean_intervals(agreeing, counts, weights, level)
        table += [
            (corpus, mode, metric, error_type or None, low[index], high[index])
            for (metric, error_type), index in columns.items()
        ]
    return pa.Table.from_pylist(
        [dict(zip(SCHEMA.names, row, strict=True)) for row in table], schema=SCHEMA
    )
