"""Which metrics correlate better with human scores than which, and which cannot be told apart.

Over the judged sentences and the systems of the choice `base`, or all that were judged where the
manifest has no such choice. Metrics with a score of every judged sentence are compared with each
other at once; one that lacks some, with each other metric over the sentences that both have.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.metrics.base import FloatArray
from analysis.statistics.correlation_bootstrap import pearson_of_rows
from analysis.statistics.metric_comparison import metric_clusters, williams
from analysis.statistics.permutation import perm_both
from analysis.stored.metric_scores import by_reference_set, of_systems, score_systems
from analysis.stored.rankings import (
    Flags,
    HumanScores,
    ScoredSet,
    human_scores,
    judged_corpora,
    judged_sets,
    judged_statistics,
    scored_sets,
)

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "method": pa.string(),
        "reference_set": pa.string(),
        "system_set": pa.string(),
        "metric_a": pa.string(),
        "metric_b": pa.string(),
        "n_systems": pa.int32(),
        "n_sentences": pa.int32(),
        "pearson_a": pa.float64(),
        "pearson_b": pa.float64(),
        "pearson_between": pa.float64(),
        "williams_p": pa.float64(),
        "perm_both_p": pa.float64(),
        "cluster_a": pa.int32(),
        "cluster_b": pa.int32(),
    }
)
CHOICES = ("base", "all")


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per pair of metrics, the one that correlates better first."""
    permutations = int(dbt.config.meta_get("bootstrap_samples"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    judged = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judged, dbt.ref("corpora"))
    statistics = judged_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        dbt.ref("metric_registry"),
        n_sentences,
    )
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    rows: list[dict[str, Any]] = []
    for one in judged:
        choices = _of_best_choice(human.get((one.corpus, one.judgment_set), []))
        if not choices:
            continue
        # All methods score the same systems.
        systems = choices[0].systems
        is_judged = one.is_judged(n_sentences[one.corpus])
        once = np.ones((1, len(is_judged)))
        for reference_set, metrics in by_reference_set(scores[one.corpus]).items():
            kept = [metric for metric in metrics if of_systems(metric, systems) is not None]
            for compared, sentences in _groups(kept, is_judged):
                places = [of_systems(metric, systems) for metric in compared]
                corpus_scores = np.stack(
                    [
                        score_systems(
                            metric, one.corpus, statistics, sentences, once, gleu_rng
                        ).score[place]
                        for metric, place in zip(compared, places, strict=True)
                    ]
                )
                sentence_scores = np.stack(
                    [
                        metric.scores[place][:, sentences]
                        for metric, place in zip(compared, places, strict=True)
                    ]
                )
                has_clusters = np.array_equal(sentences, is_judged)
                rows += [
                    row
                    | {
                        "corpus": one.corpus,
                        "judgment_set": one.judgment_set,
                        "method": choice.method,
                        "reference_set": reference_set,
                        "system_set": choice.system_set,
                        "n_systems": len(systems),
                        "n_sentences": np.count_nonzero(sentences),
                    }
                    | ({} if has_clusters else {"cluster_a": None, "cluster_b": None})
                    for choice in choices
                    for row in _comparisons(
                        compared, corpus_scores, sentence_scores, choice.scores, permutations, seed
                    )
                ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _groups(metrics: list[ScoredSet], is_judged: Flags) -> Iterator[tuple[list[ScoredSet], Flags]]:
    """Yield metrics that are compared with each other, and the sentences over which they are.

    First all that have every judged sentence, then each pair with one that has not.
    """
    incomplete = [not metric.is_scored()[is_judged].all() for metric in metrics]
    complete = [metric for metric, lacks in zip(metrics, incomplete, strict=True) if not lacks]
    if len(complete) > 1:
        yield complete, is_judged
    for first, second in combinations(range(len(metrics)), 2):
        if incomplete[first] or incomplete[second]:
            pair = [metrics[first], metrics[second]]
            yield pair, is_judged & pair[0].is_scored() & pair[1].is_scored()


def _of_best_choice(choices: list[HumanScores]) -> list[HumanScores]:
    """Return the scores of the first of CHOICES that the judgment set has, by every method."""
    names = {choice.system_set for choice in choices}
    best = next((name for name in CHOICES if name in names), None)
    return [choice for choice in choices if choice.system_set == best]


def _comparisons(
    metrics: list[ScoredSet],
    corpus_scores: FloatArray,
    sentences: FloatArray,
    human: FloatArray,
    permutations: int,
    seed: int,
) -> list[dict[str, Any]]:
    if not sentences.size:
        first, second = metrics
        return [{"metric_a": first.metric, "metric_b": second.metric}]
    r = pearson_of_rows(corpus_scores, human)
    between = pearson_of_rows(corpus_scores[:, np.newaxis], corpus_scores[np.newaxis])
    p_williams = williams(r[:, np.newaxis], r[np.newaxis], between, len(human)).p_greater
    p_perm = perm_both(sentences, human, seed, n_permutations=permutations).p_better
    cluster = metric_clusters(r, p_williams)
    # Metrics without a coefficient cannot be compared.
    order = [place for place in np.argsort(-r, kind="stable") if not np.isnan(r[place])]
    return [
        {
            "metric_a": metrics[a].metric,
            "metric_b": metrics[b].metric,
            "pearson_a": r[a],
            "pearson_b": r[b],
            "pearson_between": between[a, b],
            "williams_p": None if np.isnan(p_williams[a, b]) else p_williams[a, b],
            "perm_both_p": None if np.isnan(p_perm[a, b]) else p_perm[a, b],
            "cluster_a": cluster[a],
            "cluster_b": cluster[b],
        }
        for place, a in enumerate(order)
        for b in order[place + 1 :]
    ]
