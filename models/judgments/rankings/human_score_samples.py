"""Scores that judges gave the systems, and the same in samples of source sentences.

One row per judgment set, choice of systems, method and system. Judgments that involve a system
outside the choice are left out, as in published rankings of fewer systems. A sample that draws no
judgment of a system has no score of it; a choice without a judgment has no row.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.human_scores import human_score_rows
from maege.analysis.statistics.samples.bootstrap import cluster_weights
from maege.analysis.stored.judgments.rankings import judged_sets, system_sets
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "system_set": pa.string(),
        "method": pa.string(),
        "system": pa.string(),
        "score": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "rank": pa.int32(),
        "rank_low": pa.int32(),
        "rank_high": pa.int32(),
        "cluster": pa.int32(),
        # As published: over samples of single judgments for Expected Wins, over runs of TrueSkill.
        "published_rank_low": pa.int32(),
        "published_rank_high": pa.int32(),
        "n_judgments": pa.int32(),
        "n_empty_pairs": pa.int32(),
        # Of every bootstrap sample, the same samples for all that is compared with them; NULL where
        # a sample has no score.
        "samples": pa.list_(pa.float64()),
        # By halves of the judges, the first half of every split before the second ones.
        "halves": pa.list_(pa.float64()),
        "n_sentences": pa.int32(),
        "n_resamples": pa.int32(),
        "too_few": pa.string(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return the rows of every judgment set."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    runs = int(dbt.config.meta_get("trueskill_runs"))
    seed = int(dbt.config.meta_get("seed"))

    n_sentences = dict(dbt.source("raw", "corpora").select("corpus, n_sentences").fetchall())
    chosen = system_sets(dbt.ref("judged_systems"))
    rows = [
        row
        for judged in judged_sets(dbt.ref("judged_pairs"))
        for weights in [cluster_weights(n_sentences[judged.corpus], samples, seed)]
        for row in human_score_rows(
            judged, chosen[judged.corpus, judged.judgment_set], weights, level, runs, seed
        )
    ]
    return rows_to_table(rows, SCHEMA)
