"""Tests of whether one metric correlates better with human scores than another.

Over the judged sentences and the systems `base`, or all judged systems if the manifest has no
selection `base`. Metrics with a score for every judged sentence are compared together. A metric
without some scores is compared with each other metric on the sentences that both score.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.judged import CorpusScores
from maege.analysis.rankings.significance import Resampling, significance_rows
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments.rankings import (
    human_scores,
    judged_corpora,
    judged_sets,
    judged_statistics,
    scored_sets,
)
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        **dict.fromkeys(
            (
                "corpus",
                "judgment_set",
                "method",
                "reference_set",
                "system_set",
                "metric_a",
                "metric_b",
            ),
            pa.string(),
        ),
        **dict.fromkeys(
            (
                "estimate_a",
                "estimate_b",
                "difference",
                "ci_low",
                "ci_high",
                "p_value",
                "q_value",
            ),
            pa.float64(),
        ),
        "test": pa.string(),
        "n": pa.int32(),
        "n_sentences": pa.int32(),
        "resampled": pa.string(),
        "direction": pa.string(),
        "n_resamples": pa.int32(),
        "too_few": pa.string(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return two rows per pair of metrics, one for each test."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    seed = int(dbt.config.meta_get("seed"))
    resampling = Resampling(
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("test_resamples")),
        seed,
    )
    gleu_rng = dbt.config.meta_get("gleu_rng")

    judged = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judged, dbt.source("raw", "corpora"))
    statistics = judged_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        dbt.ref("metric_registry"),
        n_sentences,
    )
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    corpus_scores = {
        corpus: CorpusScores(corpus, statistics, cluster_weights(number, samples, seed), gleu_rng)
        for corpus, number in n_sentences.items()
    }
    rows = [
        row
        for one in judged
        for row in significance_rows(
            one,
            human.get((one.corpus, one.judgment_set), []),
            scores[one.corpus],
            corpus_scores[one.corpus],
            resampling,
        )
    ]
    return rows_to_table(rows, SCHEMA)
