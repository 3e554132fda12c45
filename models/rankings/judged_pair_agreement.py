"""Whether metrics prefer the outputs that judges preferred, sentence by sentence, by tie rule.

A metric is compared with judgments again only where it or they changed.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.metrics.base import FloatArray
from analysis.statistics.bootstrap import cluster_weights, ratio_intervals
from analysis.statistics.tie_rules import (
    PairAgreement,
    acc_eq,
    ties_by_name,
    ties_half,
    ties_wrong,
    tuned_epsilon,
)
from analysis.stored.changed_scores import ChangedScores, content
from analysis.stored.metric_scores import of_systems
from analysis.stored.rankings import (
    Judged,
    ScoredSet,
    judged_corpora,
    judged_sets,
    scored_sets,
    system_sets,
)

RULES = {"ties_wrong": ties_wrong, "ties_by_name": ties_by_name, "ties_half": ties_half}
SCHEMA = pa.schema(
    {
        "scores_key": pa.string(),
        "version": pa.string(),
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "reference_set": pa.string(),
        "system_set": pa.string(),
        "tie_rule": pa.string(),
        "metric": pa.string(),
        **dict.fromkeys(
            ("n_pairs", "concordant", "discordant", "tied", "tied_by_judge", "tied_by_both"),
            pa.int32(),
        ),
        **dict.fromkeys(("accuracy", "ci_low", "ci_high", "kendall", "epsilon"), pa.float64()),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per judgment set, reference set, choice of systems, tie rule and metric.

    A metric on a reference set of which no pair was judged has one row with its key alone.
    """
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))

    pairs, corpora = dbt.ref("judged_pairs"), dbt.ref("corpora").select("corpus, sentences")
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
        for row in _agreements(one.among(systems), scores[one.corpus], weights, level)
    ]
    return pa.Table.from_pylist(rows + changed.parts_without(rows), schema=SCHEMA)


def _agreements(
    judged: Judged, metrics: list[ScoredSet], weights: FloatArray, level: float
) -> Iterator[dict[str, Any]]:
    found: list[tuple[ScoredSet, str, PairAgreement]] = []
    # What accuracies are ratios of, by sentence. One product with the weights for all of them.
    right: list[np.ndarray] = []
    counted: list[np.ndarray] = []
    for metric in metrics:
        places = of_systems(metric, judged.systems)
        if places is None:
            continue
        scores = metric.scores[places]
        difference = scores[judged.first, judged.sentence] - scores[judged.second, judged.sentence]
        # Nobody was asked about two equal outputs, and any metric ties them.
        kept = ~np.isnan(difference) & ~judged.is_same_output
        sentence, preference = judged.sentence[kept], judged.preference[kept]
        gap = difference[kept]
        if not gap.size:
            continue
        epsilon = tuned_epsilon(preference, gap)
        by_rule = {rule: compare(preference, gap) for rule, compare in RULES.items()}
        by_rule["acc_eq"] = acc_eq(preference, gap, epsilon)
        for rule, agreement in by_rule.items():
            found.append((metric, rule, agreement))
            pairs, credit = _credit(rule, preference, gap, epsilon)
            right.append(np.bincount(sentence, credit, weights.shape[1]))
            counted.append(np.bincount(sentence, pairs, weights.shape[1]))
    if not found:
        return
    bounds = ratio_intervals(np.stack(right, axis=1), np.stack(counted, axis=1), weights, level)
    for (metric, rule, agreement), low, high in zip(found, *bounds, strict=True):
        yield {
            "reference_set": metric.reference_set,
            "metric": metric.metric,
            "tie_rule": rule,
            "ci_low": _or_none(low),
            "ci_high": _or_none(high),
            **_columns(agreement),
        }


def _credit(
    rule: str, preference: np.ndarray, gap: np.ndarray, epsilon: float
) -> tuple[FloatArray, FloatArray]:
    """Return whether each pair counts, and how far it is right: what accuracy is the ratio of."""
    if rule == "acc_eq":
        sign = np.where(np.abs(gap) <= epsilon, 0, np.sign(gap))
        return np.ones(gap.size), (sign == preference).astype(np.float64)
    decided = (preference != 0).astype(np.float64)
    if rule == "ties_by_name":
        return decided, decided * (np.where(gap > 0, 1, -1) == preference)
    tie = 0.5 if rule == "ties_half" else 0.0
    return decided, decided * np.where(gap == 0, tie, np.sign(gap) == preference)


def _columns(agreement: PairAgreement) -> dict[str, Any]:
    return {
        name: _or_none(value) if isinstance(value, float) else value
        for name, value in agreement._asdict().items()
    }


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
