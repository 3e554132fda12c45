"""How metrics' scores of systems correlate with those of judges, over many choices of systems.

Judgments and metric scores are drawn again together: both from the same samples of sentences.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from analysis.metrics.base import FloatArray
from analysis.rankings.metric_scores import (
    by_reference_set,
    of_systems,
    score_systems,
    summed_families,
)
from analysis.rankings.stored import Judged, ScoredSet, judged_sets, scored_sets
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
from analysis.stored_statistics import summed_statistics
from analysis.system_scores import SystemScores

COEFFICIENTS = {"pearson": "pearson_r", "spearman": "spearman_rho"}
SCHEMA = pa.schema(
    {
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
        "soft_pairwise_accuracy": pa.float64(),
        # What was correlated: the metric's scores of these systems.
        "systems": pa.list_(pa.string()),
        "scores": pa.list_(pa.float64()),
    }
)


class Human(NamedTuple):
    """Human scores of a choice of systems by one method: (systems,) and (samples, systems)."""

    system_set: str
    method: str
    systems: list[str]
    scores: FloatArray
    samples: FloatArray


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per judgment set, method, reference set, choices and metric."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    judged = judged_sets(dbt.ref("judged_pairs"))
    corpora = {one.corpus for one in judged}
    n_sentences = {
        corpus: sentences
        for corpus, sentences in dbt.ref("corpora").select("corpus, sentences").fetchall()
        if corpus in corpora
    }
    signatures = dict(
        dbt.ref("metric_registry")
        .filter("is_selected")
        .select("family, signature_key")
        .distinct()
        .fetchall()
    )
    listed = ", ".join(f"'{corpus}'" for corpus in n_sentences) or "null"
    statistics = summed_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        signatures,
        f"corpus in ({listed})",
    )
    human = _human(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    rows: list[dict[str, Any]] = []
    for corpus, scored in scored_sets(dbt.ref("judged_sentence_scores"), n_sentences).items():
        weights = cluster_weights(n_sentences[corpus], samples, seed)
        for reference_set, metrics in by_reference_set(scored).items():
            everywhere = np.ones(n_sentences[corpus], dtype=np.bool_)

            def of_metrics(
                sentences: np.ndarray,
                metrics: list[ScoredSet] = metrics,
                corpus: str = corpus,
                weights: FloatArray = weights,
            ) -> list[tuple[ScoredSet, SystemScores]]:
                return [
                    (
                        metric,
                        score_systems(
                            metric,
                            summed_families(metric, corpus, statistics),
                            sentences,
                            weights,
                            gleu_rng,
                        ),
                    )
                    for metric in metrics
                ]

            on_all = of_metrics(everywhere)
            for one in (one for one in judged if one.corpus == corpus):
                is_judged = np.isin(np.arange(n_sentences[corpus]), one.sentence)
                for sentence_set, scores in (("judged", of_metrics(is_judged)), ("all", on_all)):
                    for choice in human[corpus, one.judgment_set]:
                        soft = (
                            _soft_accuracies(one, choice, metrics, is_judged, samples, seed)
                            if sentence_set == "judged"
                            else {}
                        )
                        rows += [
                            row
                            | {
                                "corpus": corpus,
                                "judgment_set": one.judgment_set,
                                "reference_set": reference_set,
                                "sentence_set": sentence_set,
                                "soft_pairwise_accuracy": soft.get(row["metric"])
                                if row["system_set"] == choice.system_set
                                else None,
                            }
                            for row in _correlations(choice, scores, level)
                        ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _human(samples: Any, judged_systems: Any) -> dict[tuple[str, str], list[Human]]:
    """Return the human scores of all systems with an output, by judgment set.

    A choice of systems keeps the scores that they got among all, as published correlations do.
    """
    among_all = samples.filter("system_set = 'all'").select(
        "corpus, judgment_set, system, method, score, samples"
    )
    rows = (
        judged_systems.filter("has_output")
        .join(among_all, "corpus, judgment_set, system")
        .order("corpus, judgment_set, system_set, method, system")
    )
    columns = "corpus, judgment_set, system_set, method, system, score, samples"
    grouped: dict[tuple[str, str, str, str], list[tuple[Any, ...]]] = {}
    for *key, system, score, of_system in rows.select(columns).fetchall():
        grouped.setdefault((key[0], key[1], key[2], key[3]), []).append((system, score, of_system))
    found: dict[tuple[str, str], list[Human]] = {}
    for (corpus, judgment_set, system_set, method), of_choice in grouped.items():
        systems, scores, drawn = zip(*of_choice, strict=True)
        found.setdefault((corpus, judgment_set), []).append(
            Human(system_set, method, list(systems), np.array(scores), np.array(drawn).T)
        )
    return found


def _correlations(
    human: Human, scores: list[tuple[ScoredSet, SystemScores]], level: float
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a choice of systems and, of the choice `base`, those of its windows."""
    kept = [
        (metric.metric, result, places)
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
                "metric": metric,
                "n_systems": len(chosen),
                "systems": [human.systems[one] for one in chosen],
                "scores": points[place, chosen].tolist(),
            }
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
    human: Human,
    metrics: list[ScoredSet],
    is_judged: np.ndarray,
    permutations: int,
    seed: int,
) -> dict[str, float]:
    """Return the soft pairwise accuracy of every metric on the judged sentences, by name."""
    among = judged.among(human.systems)
    if among.systems != human.systems or len(human.systems) < 2:
        return {}
    wins = among.counts(len(is_judged)).wins[is_judged]
    signs = random_signs(permutations, len(wins), seed)
    p_human = paired_permutation_p(judged_pair_differences(wins), signs)
    found = {}
    for metric in metrics:
        places = of_systems(metric, human.systems)
        if places is not None:
            scores = np.nan_to_num(metric.scores[places][:, is_judged])
            p_metric = paired_permutation_p(system_pair_differences(scores), signs)
            found[metric.metric] = float(soft_pairwise_accuracy(p_human, p_metric))
    return found
