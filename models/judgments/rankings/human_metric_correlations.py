"""Correlations of the metrics' and the judges' scores of systems, for many selections."""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.correlations import COEFFICIENTS, Draws, correlation_rows
from maege.analysis.rankings.judged import CorpusScores
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments import (
    human_scores,
    judged_corpora,
    judged_sets,
    judged_statistics,
    scored_sets,
)
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "method": pa.string(),
        "reference_set": pa.string(),
        "sentence_set": pa.string(),
        "system_set": pa.string(),
        "metric": pa.string(),
        "resampled": pa.string(),
        "n_systems": pa.int32(),
        "n_sentences": pa.int32(),
        **{
            column: pa.float64()
            for name, value in COEFFICIENTS.items()
            for column in (value, f"{name}_ci_low", f"{name}_ci_high", f"{name}_p_value")
        },
        **{f"trueskill_{value}": pa.float64() for value in COEFFICIENTS.values()},
        # Number of resamples in which the coefficients exist: those behind intervals.
        "n_resamples": pa.int32(),
        "ceiling": pa.float64(),
        "soft_pairwise_accuracy": pa.float64(),
        **{f"chance_{name}": pa.float64() for name in ("median", "low", "high", "p_value")},
        "too_few": pa.string(),
        # The metric's scores of the correlated systems.
        "systems": pa.list_(pa.string()),
        "scores": pa.list_(pa.float64()),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per judgment set, method, references, selections, metric, resampled unit."""
    samples, seed = dbt.settings.bootstrap_samples, dbt.settings.seed
    judgment_sets = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judgment_sets, dbt.source("raw", "corpora"))
    statistics = judged_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        dbt.ref("metric_registry"),
        n_sentences,
    )
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    rows = [
        row
        for corpus, corpus_scored_sets in scores.items()
        for weights in [cluster_weights(n_sentences[corpus], samples, seed)]
        for row in correlation_rows(
            [judgments for judgments in judgment_sets if judgments.corpus == corpus],
            human,
            corpus_scored_sets,
            CorpusScores(corpus, statistics, weights, dbt.settings.gleu_rng),
            Draws(dbt.settings.confidence_level, seed),
        )
    ]
    return rows_to_table(rows, SCHEMA)
