"""Correlations of each metric with the gold scores over all positions of all chains."""

from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.chain_correlation import (
    NAMES,
    correlation_intervals,
    correlations,
    sentence_sums,
)
from maege.analysis.statistics.correlation import pearson
from maege.analysis.statistics.least_samples import (
    expanded_level,
    n_effective,
    too_few,
    with_width,
)
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEYS = ("corpus", "mode", "experiment", "metric")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in KEYS),
        ("n_nodes", pa.int64()),
        ("tokens_r", pa.float64()),
        ("characters_r", pa.float64()),
        ("within_r", pa.float64()),
        ("partial_r", pa.float64()),
        *((f"{name}_{end}", pa.float64()) for name in NAMES for end in ("low", "high")),
    ]
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric.

    The pooled r is that of both scales of the gold, all else is of the scale of the mode.
    """
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    columns = (
        "score, gold_score, gold_tokens, gold_characters, n_edits, sentence_id",
        "sentence_id, chain_id, position",
    )
    rows = []
    groups = stored_groups(dbt.ref("chain_scores"), KEYS, *columns)
    for _, of_lattice in groupby(groups, key=lambda group: group[0][:3]):
        weights: dict[int, Any] = {}
        for key, of_metric in of_lattice:
            scores, gold, tokens, characters, n_edits, sentence = (
                column.to_numpy() for column in of_metric.columns
            )
            sums = sentence_sums(scores, gold, n_edits, sentence)
            if len(sums) not in weights:
                weights[len(sums)] = cluster_weights(len(sums), samples, seed)
            _, within, partial = correlations(sums.sum(axis=0))
            rows.append(
                (
                    *key,
                    len(scores),
                    pearson(scores, tokens).coefficient,
                    pearson(scores, characters).coefficient,
                    within,
                    partial,
                    *_bounds(sums, weights[len(sums)], level),
                )
            )
    return rows_to_table(rows, SCHEMA)


def _bounds(sums: NDArray[np.float64], weights: Any, level: float) -> list[float]:
    if too_few(sentences=len(sums)):
        return [np.nan] * 2 * len(NAMES)
    # The first sum is the number of positions.
    intervals = correlation_intervals(sums, weights, expanded_level(level, n_effective(sums[:, 0])))
    return [bound for pair in zip(*intervals, strict=True) for bound in with_width(*pair)]
