"""Whether metrics prefer the outputs that judges preferred, sentence by sentence, by tie rule.

A metric is compared with judgments again only where it or they changed.
"""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.statistics.samples.bootstrap import cluster_weights
from maege.analysis.stored.caches.changed_scores import ChangedScores, content
from maege.analysis.stored.judgments.rankings import (
    judged_corpora,
    judged_sets,
    scored_sets,
    system_sets,
)
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "scores_key": pa.string(),
        "version": pa.string(),
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "unit": pa.string(),
        "reference_set": pa.string(),
        "system_set": pa.string(),
        "tie_rule": pa.string(),
        "metric": pa.string(),
        **dict.fromkeys(
            (
                "n_sentences",
                "n_pairs",
                "n_concordant",
                "n_discordant",
                "n_tied",
                "n_tied_by_judge",
                "n_tied_by_both",
                "n_resamples",
            ),
            pa.int32(),
        ),
        **dict.fromkeys(
            ("accuracy", "ci_low", "ci_high", "kendall", "epsilon", "ceiling"), pa.float64()
        ),
        **dict.fromkeys(
            ("chance_median", "chance_low", "chance_high", "chance_p_value"), pa.float64()
        ),
        "too_few": pa.string(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per judgment set, unit, reference set, choice of systems, tie rule, metric.

    A metric on a reference set of which no pair was judged has one row with its key alone.
    """
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))

    pairs, corpora = (
        dbt.ref("judged_pairs"),
        dbt.source("raw", "corpora").select("corpus, n_sentences"),
    )
    judged_systems = dbt.ref("judged_systems")
    changed = ChangedScores(
        dbt,
        session,
        dbt.ref("judged_sentence_scores"),
        dbt.ref("metric_registry"),
        (samples, level, seed),
        *map(content, (pairs, corpora, judged_systems)),
    )
    if not changed:
        return SCHEMA.empty_table()
    judged = judged_sets(pairs)
    n_sentences = judged_corpora(judged, corpora)
    chosen = system_sets(judged_systems.filter("has_output"))
    scores = scored_sets(changed.rows(), n_sentences)
    rows = [
        row
        | changed.part(one.corpus, row["reference_set"], row["metric"])
        | {"corpus": one.corpus, "judgment_set": one.judgment_set, "system_set": system_set}
        for one in judged
        if one.corpus in scores
        for weights in [cluster_weights(n_sentences[one.corpus], samples, seed)]
        for system_set, systems in chosen[one.corpus, one.judgment_set].items()
        for row in agreement_rows(one.among(systems), scores[one.corpus], weights, level, seed)
    ]
    return rows_to_table(rows + changed.parts_without(rows), SCHEMA)
