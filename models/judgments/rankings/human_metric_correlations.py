"""How metrics' scores of systems correlate with those of judges, over many choices of systems.

A metric is correlated again only where it or the judgments changed.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.correlations import COEFFICIENTS, Draws, correlation_rows
from maege.analysis.rankings.judged import CHANCE
from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.statistics.samples.bootstrap import cluster_weights
from maege.analysis.stored.caches.changed_scores import ChangedScores, content
from maege.analysis.stored.judgments.rankings import (
    compact_statistics,
    human_scores,
    judged_corpora,
    judged_sets,
    scored_sets,
)
from maege.analysis.stored.rows import rows_to_table, sql_list

SCHEMA = pa.schema(
    {
        "scores_key": pa.string(),
        "version": pa.string(),
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
        # In which the coefficients exist: those behind intervals.
        "n_resamples": pa.int32(),
        "ceiling": pa.float64(),
        "soft_pairwise_accuracy": pa.float64(),
        **{f"chance_{name}": pa.float64() for name in ("median", "low", "high", "p_value")},
        "too_few": pa.string(),
        # What was correlated: the metric's scores of these systems.
        "systems": pa.list_(pa.string()),
        "scores": pa.list_(pa.float64()),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per judgment set, method, reference set, choices, metric and what is redrawn.

    A metric on a reference set that correlates with nothing has one row with its key alone.
    """
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    pairs, corpora = (
        dbt.ref("judged_pairs"),
        dbt.source("raw", "corpora").select("corpus, n_sentences"),
    )
    human_samples, judged_systems = dbt.ref("human_score_samples"), dbt.ref("judged_systems")
    all_scores, inputs = dbt.ref("judged_sentence_scores"), dbt.ref("system_inputs")
    changed = ChangedScores(
        dbt,
        session,
        all_scores,
        dbt.ref("metric_registry"),
        (samples, level, seed, gleu_rng),
        *map(content, (pairs, corpora, human_samples, judged_systems)),
        # Chance stands beside every reference set: new chance or a new set concerns all.
        content(all_scores.filter(f"reference_set = '{CHANCE}'")),
        content(all_scores.select("corpus, reference_set").distinct()),
        summed_over=inputs,
    )
    if not changed:
        return SCHEMA.empty_table()
    judged = judged_sets(pairs)
    n_sentences = judged_corpora(judged, corpora)
    statistics = compact_statistics(
        inputs,
        dbt.ref("metric_statistics"),
        changed.family_signatures(),
        f"corpus || '/' || reference_set in {sql_list(changed.sets)}",
        dict(corpora.fetchall()),
    )
    human = human_scores(human_samples, judged_systems)
    rows = [
        row | changed.part(corpus, row["scored_on"], row["metric"])
        for corpus, scored in scored_sets(changed.rows(), n_sentences).items()
        for weights in [cluster_weights(n_sentences[corpus], samples, seed)]
        for row in correlation_rows(
            [one for one in judged if one.corpus == corpus],
            human,
            scored,
            CorpusScores(corpus, statistics, weights, gleu_rng),
            Draws(level, seed),
        )
    ]
    return rows_to_table(rows + changed.parts_without(rows), SCHEMA)
