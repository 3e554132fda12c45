"""Corpus scores of system outputs with bootstrap intervals, for every metric and reference set.

A metric is scored again on a reference set only when its sentence scores, what it sums, its
signatures or the settings of the bootstrap changed: one metric more costs what it costs alone.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.stored.changed_scores import ChangedScores
from maege.analysis.stored.rows import key_groups, rows_to_table, sql_list
from maege.analysis.stored.statistics import MetricStatistics, score_matrix
from maege.analysis.system_scores import summed_families, system_scores

SCHEMA = pa.schema(
    {
        "scores_key": pa.string(),
        "version": pa.string(),
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "system": pa.string(),
        "metric": pa.string(),
        "corpus_score": pa.float64(),
        "mean_sentence_score": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        # Of every bootstrap sample, the same samples for all systems of a reference set.
        "samples": pa.list_(pa.float64()),
    }
)
SET = "corpus, reference_set"


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per corpus, reference set, system and metric."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    draw_weights = cache(cluster_weights)
    inputs = dbt.ref("system_inputs")
    changed = ChangedScores(
        dbt,
        session,
        dbt.ref("output_scores"),
        dbt.ref("metric_registry"),
        (samples, level, seed, gleu_rng),
        summed_over=inputs,
    )
    if not changed:
        return SCHEMA.empty_table()
    statistics = MetricStatistics(
        inputs,
        dbt.ref("metric_statistics"),
        changed.family_signatures(),
        f"corpus || '/' || reference_set in {sql_list(changed.sets)}",
    )
    table = []
    for corpus, reference_set, metric, of_metric in _scores(changed, statistics):
        systems, values = score_matrix(of_metric)
        result = system_scores(
            metric,
            values,
            summed_families(metric, corpus, reference_set, statistics.of(metric)),
            draw_weights(values.shape[1], samples, seed),
            gleu_rng,
        )
        low, high = np.quantile(result.samples, [(1 - level) / 2, (1 + level) / 2], axis=0)
        part = changed.part(corpus, reference_set, metric)
        numbers = zip(
            systems,
            result.score,
            values.mean(axis=1),
            low,
            high,
            np.ascontiguousarray(result.samples.T),
            strict=True,
        )
        table += [
            (*part.values(), corpus, reference_set, system, metric, *row)
            for system, *row in numbers
        ]
    return rows_to_table(table, SCHEMA)


def _scores(
    changed: ChangedScores, statistics: MetricStatistics
) -> Iterator[tuple[str, str, str, pa.Table]]:
    """Yield corpus, reference set and metric, with the sentence scores of the systems."""
    for metric in statistics.ordered(changed.metrics):
        rows = (
            changed.rows()
            .filter(f"metric in {sql_list([metric])}")
            .aggregate(
                f"{SET}, metric, system, list(score order by sentence_id) as scores",
                f"{SET}, metric, system",
            )
            .order(f"{SET}, system")
            .to_arrow_table()
        )
        for (corpus, reference_set), of_metric in key_groups(rows, 2):
            yield corpus, reference_set, metric, of_metric
