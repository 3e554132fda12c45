"""Intervals and tests of the mean score difference by error type, over source sentences."""

from itertools import groupby
from typing import Any

import pyarrow as pa

from maege.analysis.statistics.significance.multiple_tests import q_values
from maege.analysis.stored.lattices.sentence_means import sentence_means
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "pair_rule": pa.string(),
        "metric": pa.string(),
        "error_type": pa.string(),
        "too_few": pa.string(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p_value": pa.float64(),
        "q_value": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, pair rule, metric and error type.

    The error types of a metric are a family of tests.
    """
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    counts = dbt.ref("outcome_counts").filter("question in ('adjacent', 'from_origin')")
    deltas = counts.select(
        "corpus, mode, sentence_id, question as pair_rule, metric, stratum as error_type, "
        "n_pairs as n_values, sum_delta as total"
    )
    means = sentence_means(deltas, ("pair_rule", "metric", "error_type"), samples, level, seed)
    rows: list[tuple[Any, ...]] = []
    for _, of_metric in groupby(means, key=lambda mean: mean.key[:4]):
        family = list(of_metric)
        rows += [
            (*each.key, each.too_few, each.low, each.high, each.p_value, q_value)
            for each, q_value in zip(
                family, q_values([each.p_value for each in family]), strict=True
            )
        ]
    return rows_to_table(rows, SCHEMA)
