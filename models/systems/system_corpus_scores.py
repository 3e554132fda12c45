"""Corpus scores of system outputs by every metric, with intervals and pairwise tests.

Koehn (2004): all systems are scored in the same bootstrap resamples of sentences. Riezler and
Maxwell (2005): two systems are tested by swapping some of their sentences. Adversarial outputs have
only a corpus score, over the sentences for which all real systems have a score.
"""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.compare.inference import PairTest, pair_tests
from maege.analysis.statistics.randomisation import Swaps
from maege.analysis.statistics.resampling import cluster_weights, percentile_intervals
from maege.analysis.stored.rows import key_groups, rows_to_table, sql_list
from maege.analysis.stored.statistics import (
    MetricStatistics,
    score_matrix,
    selected_signatures,
    summed_statistics,
)
from maege.analysis.system_scores import StatisticsOfSets, array_key, summed_families, system_scores

COMPARED = pa.struct(
    {
        "system": pa.string(),
        "difference": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p_value": pa.float64(),
        "q_value": pa.float64(),
        "p_holm": pa.float64(),
    }
)
SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "kind": pa.string(),
        "system": pa.string(),
        "metric": pa.string(),
        "corpus_score": pa.float64(),
        "mean_sentence_score": pa.float64(),
        "n_sentences": pa.int32(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        # Tests with the systems whose names come later.
        "compared": pa.list_(COMPARED),
    }
)
SET = "corpus, reference_set"


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per corpus, reference set, system and metric.

    The kind of a system is `system` or `adversarial`.
    """
    samples, seed = dbt.settings.bootstrap_samples, dbt.settings.seed
    level, gleu_rng = dbt.settings.confidence_level, dbt.settings.gleu_rng
    draw_weights = cache(cluster_weights)
    cached = dbt.ref("metric_statistics")
    signatures = selected_signatures(dbt.ref("metric_registry"))
    statistics = MetricStatistics(dbt.ref("system_inputs"), cached, signatures)
    swaps_of = cache(partial(Swaps, n_swaps=dbt.settings.test_resamples, seed=seed))
    # Rows by what they depend on, because reference sets share texts or annotations.
    computed: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    table = []
    for (corpus, reference_set), sums, metric_groups in _scores(
        dbt.ref("system_sentence_scores"), statistics
    ):
        for metric, metric_rows in metric_groups:
            systems, values = score_matrix(metric_rows)
            n_sentences = values.shape[1]
            summed = summed_families(metric, corpus, reference_set, sums)
            key = (metric, tuple(systems), array_key(values, *summed.values()))
            if key not in computed:
                weights = draw_weights(n_sentences, samples, seed)
                result = system_scores(metric, values, summed, weights, gleu_rng)
                tests = pair_tests(metric, values, summed, result, swaps_of(n_sentences))
                columns = (
                    result.score,
                    values.mean(axis=1),
                    [n_sentences] * len(systems),
                    *percentile_intervals(result.samples, level),
                    _tests_by_system(systems, tests),
                )
                computed[key] = list(zip(systems, *columns, strict=True))
            table += [
                (corpus, reference_set, "system", system, metric, *row)
                for system, *row in computed[key]
            ]
    table += _adversarial(dbt, session, cached, signatures)
    return rows_to_table(table, SCHEMA)


def _adversarial(
    dbt: Any, session: Any, cached: Any, signatures: dict[str, int]
) -> Iterator[tuple[Any, ...]]:
    outputs = dbt.ref("scored_units").filter("used_in = 'adversarial'")
    keys = outputs.select("pair_id, corpus, reference_set, system, sentence_id")
    # A pair's corpus and sentence are those of one of its uses.
    read = dbt.ref("scoring_inputs").select("* exclude (corpus, sentence_id)")
    inputs = keys.join(read, "pair_id")
    scores = dbt.ref("sentence_scores")  # noqa: F841 (read by name in the query)
    real = dbt.ref("system_sentence_scores")  # noqa: F841
    sums = summed_statistics(inputs, cached, signatures)
    rows = session.sql(
        "with compared as (select distinct corpus, reference_set, metric, sentence_id from real), "
        "counted as (select corpus, reference_set, metric, count(*) as n from compared "
        "group by all) "
        "select corpus, reference_set, metric, system, "
        "list(score order by sentence_id) as scores from inputs "
        "inner join scores using (pair_id) "
        "inner join compared using (corpus, reference_set, metric, sentence_id) "
        "inner join counted using (corpus, reference_set, metric) "
        "group by corpus, reference_set, metric, system having count(*) = any_value(n) "
        "order by all"
    ).to_arrow_table()
    missing = (None,) * len(SCHEMA.names[6:])
    for (corpus, reference_set, metric), metric_rows in key_groups(rows, 3):
        systems, values = score_matrix(metric_rows)
        summed = summed_families(metric, corpus, reference_set, sums)
        # One resample: the corpus itself.
        result = system_scores(
            metric, values, summed, np.ones((1, values.shape[1])), dbt.settings.gleu_rng
        )
        for system, score in zip(systems, result.score, strict=True):
            yield corpus, reference_set, "adversarial", system, metric, score, *missing


def _tests_by_system(systems: list[str], tests: Iterable[PairTest]) -> list[list[dict[str, Any]]]:
    """Return the tests of each system with later ones, as COMPARED; None replaces NaN."""
    tests_by_system: list[list[dict[str, Any]]] = [[] for _ in systems]
    for first, second, *numbers in tests:
        listed = [None if np.isnan(number) else number for number in numbers]
        row = dict(zip(COMPARED.names, [systems[second], *listed], strict=True))
        tests_by_system[first].append(row)
    return tests_by_system


def _scores(
    scores: Any, statistics: MetricStatistics
) -> Iterator[tuple[tuple[str, ...], StatisticsOfSets, list[tuple[str, pa.Table]]]]:
    metrics_scored = [metric for (metric,) in scores.select("metric").distinct().fetchall()]
    for metrics in statistics.groups(metrics_scored):
        rows = (
            scores.filter(f"metric in {sql_list(metrics)}")
            .aggregate(
                f"{SET}, metric, system, list(score order by sentence_id) as scores",
                f"{SET}, metric, system",
            )
            .order(f"{SET}, metric, system")
            .to_arrow_table()
        )
        sums = statistics.load(metrics)
        for key, set_groups in groupby(key_groups(rows, 3), lambda part: part[0][:2]):
            yield key, sums, [(metric, metric_rows) for (*_, metric), metric_rows in set_groups]
