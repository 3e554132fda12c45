"""Which metrics correlate better with human scores than which, and which cannot be told apart.

Over the judged sentences and the systems of the choice `base`, or all that were judged where the
manifest has no such choice. Metrics with a score of every judged sentence are compared with each
other at once; one that lacks some, with each other metric over the sentences that both have.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.rankings.significance import significance_rows
from maege.analysis.stored.rankings import (
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
        "system_set": pa.string(),
        "metric_a": pa.string(),
        "metric_b": pa.string(),
        "n_systems": pa.int32(),
        "n_sentences": pa.int32(),
        "pearson_a": pa.float64(),
        "pearson_b": pa.float64(),
        "pearson_between": pa.float64(),
        "williams_p": pa.float64(),
        "perm_both_p": pa.float64(),
        "cluster_a": pa.int32(),
        "cluster_b": pa.int32(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per pair of metrics, the one that correlates better first."""
    permutations = int(dbt.config.meta_get("bootstrap_samples"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    judged = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judged, dbt.ref("stg_corpus__corpora"))
    statistics = judged_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        dbt.ref("metric_registry"),
        n_sentences,
    )
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    corpus_scores = {
        corpus: CorpusScores(corpus, statistics, np.ones((1, number)), gleu_rng)
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
            permutations,
            seed,
        )
    ]
    return rows_to_table(rows, SCHEMA)
