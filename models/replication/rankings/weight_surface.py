"""Correlations of the weighted sum of reference-less scores with judges, over a grid of weights.

Points that are best on another judgment set have one more row for each such set, which tests the
weights on judgments that did not choose them.
"""

from typing import Any

from maege.analysis.metrics.fluency import PUBLISHED
from maege.analysis.rankings.correlations import (
    Draws,
    component_scores,
    surface_rows,
    transferred_rows,
)
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments import human_scores, judged_corpora, judged_sets, scored_sets
from maege.analysis.stored.rows import contract_schema, rows_to_table, sql_list

# Other sets of systems would each add a whole grid of weights.
SYSTEM_SETS = ("all", "base")


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)

    judgment_sets = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judgment_sets, dbt.source("raw", "corpora"))
    human = human_scores(
        dbt.ref("human_score_samples"),
        dbt.ref("judged_systems").filter(f"system_set in {sql_list(SYSTEM_SETS)}"),
    )
    component_rows = dbt.ref("judged_sentence_scores").filter(f"metric in {sql_list(PUBLISHED)}")
    samples, seed = dbt.settings.bootstrap_samples, dbt.settings.seed
    draws = Draws(dbt.settings.confidence_level, seed)
    grid = [
        row | {"corpus": judgments.corpus, "judgment_set": judgments.judgment_set}
        for corpus, corpus_scored_sets in scored_sets(component_rows, n_sentences).items()
        for weights in [cluster_weights(n_sentences[corpus], samples, seed)]
        for judgments in judgment_sets
        if judgments.corpus == corpus
        for is_judged in [judgments.is_judged(n_sentences[corpus])]
        for components in [component_scores(corpus_scored_sets, is_judged, weights)]
        for choice in human.get((corpus, judgments.judgment_set), [])
        for row in surface_rows(choice, components, int(is_judged.sum()), draws)
    ]
    members = dbt.ref("judgment_set_members").select("corpus, judgment_set, member").fetchall()
    return rows_to_table([*grid, *transferred_rows(grid, members)], contract_schema(dbt))
