"""How often metrics prefer the outputs that judges preferred, by sentence and tie rule."""

from typing import Any

import pyarrow as pa

from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments.rankings import (
    judged_corpora,
    judged_sets,
    scored_sets,
    system_sets,
)
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
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


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per judgment set, unit, reference set, selection, tie rule and metric."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))

    judged = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judged, dbt.source("raw", "corpora"))
    chosen = system_sets(dbt.ref("judged_systems").filter("has_output"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    rows = [
        row | {"corpus": one.corpus, "judgment_set": one.judgment_set, "system_set": system_set}
        for one in judged
        if one.corpus in scores
        for weights in [cluster_weights(n_sentences[one.corpus], samples, seed)]
        for system_set, systems in chosen[one.corpus, one.judgment_set].items()
        for row in agreement_rows(one.among(systems), scores[one.corpus], weights, level, seed)
    ]
    return rows_to_table(rows, SCHEMA)
