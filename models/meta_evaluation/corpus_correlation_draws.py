"""How each metric ranks the sampled corpora of one draw, against their expected edits."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.correlation import pearson_rows, spearman_rows
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "experiment": pa.string(),
        "metric": pa.string(),
        "draw": pa.int32(),
        "n_models": pa.int32(),
        "spearman_rho": pa.float64(),
        "spearman_p": pa.float64(),
        "pearson_r": pa.float64(),
        "pearson_p": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment, metric and draw."""
    rows = (
        dbt.ref("sampled_corpus_scores")
        .select("corpus, mode, experiment, metric, draw, expected_edits, mean_score")
        .order("corpus, mode, experiment, metric, draw, expected_edits")
        .fetchall()
    )
    # Modes may differ in their corpus models; the draws of one have the same.
    tables = [_correlations(list(of_mode)) for _, of_mode in groupby(rows, key=itemgetter(0, 1))]
    return pa.concat_tables([SCHEMA.empty_table(), *tables])


def _correlations(rows: list[tuple[Any, ...]]) -> pa.Table:
    keys, gold, scores = [], [], []
    for key, of_draw in groupby(rows, key=itemgetter(0, 1, 2, 3, 4)):
        *_, expected_edits, mean_scores = zip(*of_draw, strict=True)
        keys.append(key)
        gold.append(expected_edits)
        scores.append(mean_scores)
    matrix = np.array(scores)
    rho, rho_p = spearman_rows(matrix, np.array(gold[0]))
    r, r_p = pearson_rows(matrix, np.array(gold[0]))
    columns = [*zip(*keys, strict=True), [matrix.shape[1]] * len(keys), rho, rho_p, r, r_p]
    return rows_to_table(zip(*columns, strict=True), SCHEMA)
