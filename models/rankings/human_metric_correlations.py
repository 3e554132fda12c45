"""How metrics' scores of systems correlate with those of judges, over many choices of systems.

Judgments and metric scores are drawn again together: both from the same samples of sentences. A
metric is correlated again only where it or the judgments changed.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.metrics.score import SystemScores
from analysis.statistics.bootstrap import cluster_weights
from analysis.statistics.correlation_bootstrap import CorrelationIntervals, correlation_intervals
from analysis.statistics.permutation import (
    judged_pair_differences,
    paired_permutation_p,
    random_signs,
    soft_pairwise_accuracy,
    system_pair_differences,
)
from analysis.statistics.system_windows import SEEDA_WINDOW, system_windows
from analysis.stored.changed_scores import ChangedScores, content
from analysis.stored.metric_scores import CHANCE, by_reference_set, of_systems, score_systems
from analysis.stored.rankings import (
    HumanScores,
    Judged,
    ScoredSet,
    human_scores,
    judged_corpora,
    judged_sets,
    scored_sets,
)
from analysis.stored.rows import sql_list
from analysis.stored.statistics import summed_statistics

Scores = list[tuple[ScoredSet, SystemScores]]

COEFFICIENTS = {"pearson": "pearson_r", "spearman": "spearman_rho"}
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
        "n_systems": pa.int32(),
        **{
            column: pa.float64()
            for name, value in COEFFICIENTS.items()
            for column in (value, f"{name}_ci_low", f"{name}_ci_high", f"{name}_p")
        },
        # In which the coefficients exist: those behind intervals and p-values.
        "n_samples": pa.int32(),
        "soft_pairwise_accuracy": pa.float64(),
        # What was correlated: the metric's scores of these systems.
        "systems": pa.list_(pa.string()),
        "scores": pa.list_(pa.float64()),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per judgment set, method, reference set, choices and metric.

    A metric on a reference set that correlates with nothing has one row with its key alone.
    """
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    pairs, corpora = dbt.ref("judged_pairs"), dbt.ref("corpora").select("corpus, sentences")
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
    statistics = summed_statistics(
        inputs,
        dbt.ref("metric_statistics"),
        changed.family_signatures(),
        f"corpus || '/' || reference_set in {sql_list(changed.sets)}",
    )
    human = human_scores(human_samples, judged_systems)
    rows: list[dict[str, Any]] = []
    for corpus, scored in scored_sets(changed.rows(), n_sentences).items():
        weights = cluster_weights(n_sentences[corpus], samples, seed)
        everywhere = np.ones(n_sentences[corpus], dtype=np.bool_)
        for reference_set, metrics in by_reference_set(scored).items():
            # Judgment sets often share their sentences.
            scores: dict[bytes, Scores] = {}
            for one in (one for one in judged if one.corpus == corpus):
                is_judged = one.is_judged(n_sentences[corpus])
                choices = human.get((corpus, one.judgment_set), [])
                soft = {
                    systems: _soft_accuracies(one, systems, metrics, is_judged, samples, seed)
                    for systems in {tuple(choice.systems) for choice in choices}
                }
                for sentence_set, sentences in (("judged", is_judged), ("all", everywhere)):
                    key = sentences.tobytes()
                    if key not in scores:
                        scores[key] = [
                            (
                                metric,
                                score_systems(
                                    metric, corpus, statistics, sentences, weights, gleu_rng
                                ),
                            )
                            for metric in metrics
                        ]
                    rows += [
                        row
                        | changed.part(corpus, row["scored_on"], row["metric"])
                        | {
                            "corpus": corpus,
                            "judgment_set": one.judgment_set,
                            "reference_set": reference_set,
                            "sentence_set": sentence_set,
                            "soft_pairwise_accuracy": soft[tuple(choice.systems)].get(row["metric"])
                            if sentence_set == "judged" and row["system_set"] == choice.system_set
                            else None,
                        }
                        for choice in choices
                        for row in _correlations(choice, scores[key], level)
                    ]
    return pa.Table.from_pylist(rows + changed.parts_without(rows), schema=SCHEMA)


def _correlations(human: HumanScores, scores: Scores, level: float) -> Iterator[dict[str, Any]]:
    """Yield the rows of a choice of systems and, of the choice `base`, those of its windows."""
    kept = [
        (metric, result, places)
        for metric, result in scores
        if (places := of_systems(metric, human.systems)) is not None
    ]
    if not kept or len(human.systems) < 2:
        return
    points = np.stack([result.score[places] for _, result, places in kept])
    samples = np.stack([result.samples[:, places] for _, result, places in kept])
    choices = {human.system_set: np.arange(len(human.systems))}
    if human.system_set == "base":
        for start, window in enumerate(system_windows(human.scores)):
            choices[f"base_window_{start}_{start + SEEDA_WINDOW - 1}"] = window
    for system_set, chosen in choices.items():
        found: dict[str, CorrelationIntervals] = {
            name: correlation_intervals(
                human.scores[chosen],
                human.samples[:, chosen],
                points[:, chosen],
                samples[:, :, chosen],
                name,
                level,
            )
            for name in COEFFICIENTS
        }
        for place, (metric, _, _) in enumerate(kept):
            row: dict[str, Any] = {
                "method": human.method,
                "system_set": system_set,
                "metric": metric.metric,
                "scored_on": metric.reference_set,
                "n_systems": len(chosen),
                "systems": [human.systems[one] for one in chosen],
                "scores": points[place, chosen].tolist(),
            }
            # A row has ranks that differ where it has values that differ: both exist or neither.
            row["n_samples"] = found["pearson"].n_samples[place]
            for name, column in COEFFICIENTS.items():
                row[column] = found[name].coefficient[place]
                row[f"{name}_ci_low"] = found[name].low[place]
                row[f"{name}_ci_high"] = found[name].high[place]
                row[f"{name}_p"] = found[name].p[place]
            # A metric that gives all systems one score correlates with nothing.
            yield {
                key: None if isinstance(value, float) and np.isnan(value) else value
                for key, value in row.items()
            }


def _soft_accuracies(
    judged: Judged,
    systems: tuple[str, ...],
    metrics: list[ScoredSet],
    is_judged: np.ndarray,
    permutations: int,
    seed: int,
) -> dict[str, float]:
    """Return the soft pairwise accuracy of every metric on the judged sentences, by name."""
    among = judged.among(systems)
    if among.systems != list(systems) or len(systems) < 2:
        return {}
    wins = among.counts(len(is_judged)).wins[is_judged]
    signs = random_signs(permutations, len(wins), seed)
    p_human = paired_permutation_p(judged_pair_differences(wins), signs)
    found = {}
    for metric in metrics:
        places = of_systems(metric, systems)
        if places is not None:
            scores = np.nan_to_num(metric.scores[places][:, is_judged])
            p_metric = paired_permutation_p(system_pair_differences(scores), signs)
            found[metric.metric] = float(soft_pairwise_accuracy(p_human, p_metric))
    return found
