"""Marts that the published results contain, and the rows and columns that are excluded."""

from dataclasses import dataclass, field

# Marts with a row for each sentence, edit, text or answer of a judge.
SENTENCE_LEVEL = "It has sentences, texts, edits or single answers of judges."


@dataclass(frozen=True)
class Exported:
    """How a mart is exported: rows that the condition keeps, without the named columns.

    `reason` says why rows or columns are excluded. It is empty if none are.
    """

    condition: str = "true"
    without: tuple[str, ...] = field(default=())
    reason: str = ""


MARTS = {
    "adjusted_scores": Exported(),
    "adversarial_scores": Exported(),
    "best_metrics": Exported(),
    "corpora": Exported(
        without=("ingested_at",), reason="The time of the ingest differs between builds."
    ),
    "corpus_comparisons": Exported(),
    "corpus_correlations": Exported(),
    "corpus_files": Exported(),
    "correction_profiles": Exported(
        "corrector_kind <> 'annotator'", reason="Single annotators are excluded."
    ),
    "correction_validity": Exported(),
    "corrupted_edit_agreement": Exported(),
    "coverage": Exported(
        "sentence_id is null", ("sentence_id",), "Curves of single sentences are excluded."
    ),
    "edit_metric_scores": Exported(),
    "edit_validity": Exported(),
    "error_types": Exported(),
    "human_correlations": Exported(
        "resampled = 'both' or not contains(system_set, '_window_')",
        reason="Windows of systems have only the intervals over systems and sentences.",
    ),
    "human_scores": Exported(),
    "judge_agreement": Exported(
        "judge_a is null", ("judge_a", "judge_b"), "Names of judges are excluded."
    ),
    "judgment_sets": Exported(),
    "judgment_tasks": Exported(),
    "lattices": Exported(),
    "metric_availability": Exported(
        "reason_code <> 'not_selected'", reason="Metrics that were not selected are excluded."
    ),
    "metric_cards": Exported(
        "section <> 'type_comparisons'",
        reason="Comparisons of metrics by error type would be most of the rows.",
    ),
    "metric_comparisons": Exported(
        "error_type is null",
        reason="Comparisons of metrics by error type would be most of the rows.",
    ),
    "metrics": Exported(),
    "oracle_reranking": Exported(),
    "perfect_corrector_scores": Exported(),
    "publication": Exported(),
    "ranking_stability": Exported(),
    "rating_correlations": Exported(),
    "reference_sets": Exported(),
    "references_needed": Exported(),
    "replication": Exported(),
    "scores_by_error_count": Exported(),
    "sentence_agreement": Exported(),
    "sentence_correlations": Exported(),
    "step_preferences": Exported(),
    "system_comparisons": Exported(
        "reference_set = 'none' or (corpus, reference_set) in "
        "(select (corpus, reference_set) from reference_sets where is_default)",
        reason="Only the default reference set of each corpus is compared.",
    ),
    "system_scores": Exported(),
    "systems": Exported(),
    "task_aspects": Exported(),
    "tau_by_agreement": Exported(),
    "type_deltas": Exported(),
    "type_ratios": Exported(),
    "type_scores": Exported(),
    "verdict_agreement": Exported(),
}
# Marts that are not exported at all.
EXCLUDED = {
    "annotators": "Names of annotators are excluded.",
    "corpus_draws": "It has each single draw; corpus_correlations summarises the draws.",
    **dict.fromkeys(
        (
            "correction_distributions",
            "discordant_pairs",
            "edit_chunks",
            "edit_verdicts",
            "gold_edits",
            "grammar_matches",
            "ingest_findings",
            "judged_items",
            "judged_outputs",
            "lattice_nodes",
            "metric_failures",
            "node_scores",
            "post_edits",
            "preferences",
            "rankings",
            "ratings",
            "reference_texts",
            "sentence_exclusions",
            "sentences",
            "system_edits",
            "system_outputs",
            "system_sentence_scores",
            "system_statistics",
        ),
        SENTENCE_LEVEL,
    ),
    "weight_surface": "It exists only with the variable `replication`.",
}
