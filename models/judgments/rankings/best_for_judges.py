"""The metrics that agree best with judges, or are statistically tied with the best.

With the corpus's default references, over the systems `base`, or all judged systems if the manifest
has no selection `base`.
"""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from maege.analysis.best_metrics.judges import (
    CHOICES,
    METHOD,
    measured_agreements,
    measured_correlations,
)
from maege.analysis.best_metrics.measured import SCHEMA, Resampling, best_rows
from maege.analysis.metrics.own.declared import CHANCE as BY_CHANCE
from maege.analysis.rankings.judged import CHANCE, CorpusScores, Judged, ScoredSet
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments.rankings import (
    compact_statistics,
    human_scores,
    judged_corpora,
    judged_sets,
    scored_sets,
    system_sets,
)
from maege.analysis.stored.rows import rows_to_table, sql_list
from maege.analysis.stored.statistics import selected_signatures

# The same rule as in the mart reference_sets.
DEFAULT = "(annotation_set is null, position)"


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per level, judgment set and metric, without chance baselines."""
    resampling = Resampling(
        int(dbt.config.meta_get("bootstrap_samples")),
        int(dbt.config.meta_get("test_resamples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
        float(dbt.config.meta_get("least_pair_coverage")),
    )
    gleu_rng = dbt.config.meta_get("gleu_rng")

    default = dict(
        dbt.source("raw", "reference_sets")
        .aggregate(f"corpus, min_by(reference_set, {DEFAULT}) as reference_set", "corpus")
        .fetchall()
    )
    judged = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judged, dbt.source("raw", "corpora"))
    shown = [CHANCE, *default.values()]
    scores = scored_sets(
        dbt.ref("judged_sentence_scores").filter(
            f"reference_set in {sql_list(shown)} and not starts_with(metric, '{BY_CHANCE}')"
        ),
        n_sentences,
    )
    chosen = system_sets(dbt.ref("judged_systems").filter("has_output"))
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    statistics = compact_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        selected_signatures(dbt.ref("metric_registry")),
        f"corpus in {sql_list(n_sentences)} and reference_set in {sql_list(shown)}",
        n_sentences,
    )
    rows: list[dict[str, Any]] = []
    for corpus, number in n_sentences.items():
        metrics = [
            one for one in scores[corpus] if one.reference_set in (CHANCE, default.get(corpus))
        ]
        if not metrics:
            continue
        of_corpus = [one for one in judged if one.corpus == corpus]
        drawn = cluster_weights(number, resampling.intervals, resampling.seed)
        corpus_scores = CorpusScores(corpus, statistics, drawn, gleu_rng)
        for one in of_corpus:
            key = (corpus, one.judgment_set)
            choice = next((name for name in CHOICES if name in chosen.get(key, {})), None)
            if choice is None:  # no judged system has an output
                continue
            for scored in human.get(key, []):
                if (scored.system_set, scored.method) == (choice, METHOD):
                    measured = measured_correlations(
                        one, scored, metrics, corpus_scores, resampling
                    )
                    rows += best_rows("system", *key, measured, resampling.level)
            rows += _sentences(one, chosen[key][choice], metrics, resampling)
    return rows_to_table(rows, SCHEMA)


def _sentences(
    judged: Judged, systems: list[str], metrics: list[ScoredSet], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    measured = measured_agreements(judged.among(systems), metrics, resampling)
    if measured is not None:
        key = (judged.corpus, judged.judgment_set)
        yield from best_rows("output", *key, measured, resampling.level)
