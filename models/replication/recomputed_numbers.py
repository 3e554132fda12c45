"""The printed numbers recomputed: the seed `published` says in which table each of them is.

`reproduced` repeats the published run, `corrected` follows the paper's text; `band_low` and
`band_high` are the range of `reproduced` over random draws.
"""

from typing import Any

from maege.analysis.papers.numbers import LOOKED_UP, look_up
from maege.analysis.stored.rows import rows_to_table


def model(dbt: Any, session: Any) -> Any:
    marts = {
        "annotated_edits": dbt.ref("annotated_edits"),
        "annotation_edits": dbt.ref("annotation_edits"),
        "chain_nodes": dbt.ref("chain_nodes"),
        "corpora": dbt.source("raw", "corpora"),
        "corpus_draws": dbt.ref("corpus_draws"),
        "correction_distributions": dbt.ref("correction_distributions"),
        "correction_profiles": dbt.ref("correction_profiles"),
        "correction_validity": dbt.ref("correction_validity"),
        "coverage": dbt.ref("coverage"),
        "derived_numbers": dbt.ref("derived_numbers"),
        "edit_metric_scores": dbt.ref("edit_metric_scores"),
        "frequency_estimates": dbt.source("raw", "frequency_estimates"),
        "human_metric_correlations": dbt.ref("human_metric_correlations"),
        "human_score_samples": dbt.ref("human_score_samples"),
        "imeasure_tables": dbt.ref("imeasure_tables"),
        "judge_agreement": dbt.ref("judge_agreement"),
        "lattice_annotations": dbt.ref("lattice_annotations"),
        "lattice_chains": dbt.ref("lattice_chains"),
        "lcb_systems": dbt.ref("lcb_systems"),
        "lt_file_tosses": dbt.ref("lt_file_tosses"),
        "maege_human_rankings": dbt.ref("maege_human_rankings"),
        "mixture_counts": dbt.ref("mixture_counts"),
        "oracle_reranking": dbt.ref("oracle_reranking"),
        "perfect_corrector_scores": dbt.ref("perfect_corrector_scores"),
        "published_kendall_tau": dbt.ref("published_kendall_tau"),
        "published_reranking": dbt.ref("published_reranking"),
        "rankings_gleu": dbt.ref("rankings_gleu"),
        "rating_correlations": dbt.ref("rating_correlations"),
        "ratings": dbt.source("raw", "ratings"),
        "reference_lists": dbt.ref("reference_lists"),
        "referenceless_numbers": dbt.ref("referenceless_numbers"),
        "released_correlations": dbt.ref("released_correlations"),
        "replication_table": dbt.ref("replication_table"),
        "sampled_corpora": dbt.ref("sampled_corpora"),
        "scored_pairs": dbt.ref("scored_pairs"),
        "scores_by_error_count": dbt.ref("scores_by_error_count"),
        "sentence_agreement": dbt.ref("sentence_agreement"),
        "sentence_correlations": dbt.ref("sentence_correlations"),
        "type_counts": dbt.ref("type_counts"),
        "type_deltas": dbt.ref("type_deltas"),
    }
    published = dbt.ref("published").to_arrow_table().to_pylist()
    return rows_to_table(look_up(session, published, marts), LOOKED_UP)
