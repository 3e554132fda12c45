"""How often a metric prefers the output that the judge preferred, under each rule for ties."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from maege.analysis.judgments.ratings import Preference, preference_rows
from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.rankings.judged import NO_REFERENCES
from maege.analysis.rankings.significance import with_q_values
from maege.analysis.statistics.resampling import cluster_weights
from maege.analysis.stored.judgments import (
    judged_corpora,
    judged_sets,
    scored_sets,
    scores_of_outputs,
    system_sets,
)
from maege.analysis.stored.rows import contract_schema, rows_to_table

FAMILY = (
    "corpus",
    "judgment_set",
    "task",
    "aspect",
    "unit",
    "tie_rule",
    "reference_set",
    "system_set",
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    sampling = (
        dbt.settings.bootstrap_samples,
        dbt.settings.confidence_level,
        dbt.settings.seed,
    )
    rows = [*_rankings(dbt, *sampling), *_preferences(dbt, *sampling)]
    default = dbt.ref("reference_sets").filter("is_default")
    references = set(default.select("corpus, reference_set").fetchall())
    has_base = {_judged(row) for row in rows if row["system_set"] == "base"}
    for row in rows:
        row["is_headline"] = (
            (row["unit"], row["tie_rule"]) == ("outputs", "ties_half")
            and row["system_set"] == ("base" if _judged(row) in has_base else "all")
            and (
                row["reference_set"] == NO_REFERENCES
                or (row["corpus"], row["reference_set"]) in references
            )
        )
    return rows_to_table(with_q_values(rows, FAMILY, "chance_"), contract_schema(dbt))


def _judged(row: dict[str, Any]) -> tuple[Any, Any]:
    return row["corpus"], row["judgment_set"]


def _rankings(dbt: Any, n_samples: int, level: float, seed: int) -> Iterator[dict[str, Any]]:
    judgment_sets = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judgment_sets, dbt.source("raw", "corpora"))
    systems_by_set = system_sets(dbt.ref("judged_systems").filter("has_output"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    for judgments in judgment_sets:
        if judgments.corpus not in scores:
            continue
        weights = cluster_weights(n_sentences[judgments.corpus], n_samples, seed)
        name = judgments.judgment_set
        key = {"corpus": judgments.corpus, "judgment_set": name, "task": name}
        for system_set, systems in systems_by_set[judgments.corpus, name].items():
            selection = judgments.among(systems)
            for row in agreement_rows(selection, scores[judgments.corpus], weights, level, seed):
                yield key | {"system_set": system_set} | row


def _preferences(dbt: Any, *sampling: Any) -> Iterator[dict[str, Any]]:
    # An output that is a reference is not compared with references.
    references = set(
        dbt.ref("judged_outputs")
        .filter("is_named_reference or is_reference_text")
        .select("judgment_set, item, output_id")
        .fetchall()
    )
    preferences: dict[tuple[str, str, str | None], list[Preference]] = defaultdict(list)
    for name, task, aspect, *preference in (
        dbt.source("raw", "preference_pairs")
        .order("judgment_set, task, aspect, path, line")
        .select(
            "judgment_set, task, aspect, coalesce(judge, ''), item, output_a, output_b, preference"
        )
        .fetchall()
    ):
        preferences[name, task, aspect].append(Preference(*preference))
    scores = scores_of_outputs(dbt.ref("judged_scores"))
    for (name, task, aspect), aspect_preferences in preferences.items():
        compared: dict[str | None, dict[tuple[str, str], dict[tuple[str, int], float]]]
        compared = defaultdict(dict)
        for (corpus, reference_set, metric), by_output in scores[name].items():
            usable_scores = {
                output: score
                for output, score in by_output.items()
                if reference_set is None or (name, *output) not in references
            }
            if usable_scores:
                compared[corpus][reference_set or NO_REFERENCES, metric] = usable_scores
        for corpus, corpus_scores in compared.items():
            key = {"corpus": corpus, "judgment_set": name, "task": task, "aspect": aspect}
            for row in preference_rows(aspect_preferences, corpus_scores, *sampling):
                yield key | {"system_set": "all"} | row
