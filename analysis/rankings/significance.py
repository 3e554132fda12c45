"""Which metrics correlate better with human scores than which, and which cannot be told apart."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from maege.analysis.metrics.base import FloatArray
from maege.analysis.rankings.judged import (
    Flags,
    HumanScores,
    Judged,
    ScoredSet,
    by_reference_set,
    of_systems,
)
from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.statistics.correlation_bootstrap import pearson_of_rows
from maege.analysis.statistics.metric_comparison import metric_clusters, williams
from maege.analysis.statistics.permutation import Swaps, random_swaps, swap_comparisons

CHOICES = ("base", "all")


def significance_rows(
    judged: Judged,
    human: Sequence[HumanScores],
    scored: list[ScoredSet],
    corpus_scores: CorpusScores,
    permutations: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each method, reference set and pair of metrics, of one judgment set.

    Args:
        judged: the judgment set.
        human: its human scores, by choice of systems and method.
        scored: the sentence scores of the corpus's metrics.
        corpus_scores: what scores its systems.
        permutations: of PERM-BOTH.
        seed: of these.

    """
    choices = _of_best_choice(human)
    if not choices:
        return
    # All methods score the same systems.
    systems = choices[0].systems
    for reference_set, metrics in by_reference_set(scored).items():
        is_judged = judged.is_judged(metrics[0].scores.shape[1])
        kept = [metric for metric in metrics if of_systems(metric, systems) is not None]
        for compared, sentences in _groups(kept, is_judged):
            scores, by_sentence = _scores(compared, systems, sentences, corpus_scores)
            swaps = random_swaps(by_sentence, seed, permutations) if by_sentence.size else None
            of_group = {
                "corpus": judged.corpus,
                "judgment_set": judged.judgment_set,
                "reference_set": reference_set,
                "n_systems": len(systems),
                "n_sentences": np.count_nonzero(sentences),
            }
            if not np.array_equal(sentences, is_judged):
                of_group |= {"cluster_a": None, "cluster_b": None}
            for choice in choices:
                of_choice = {"method": choice.method, "system_set": choice.system_set}
                for row in _comparisons(compared, scores, swaps, choice.scores):
                    yield row | of_group | of_choice


def _scores(
    metrics: list[ScoredSet],
    systems: Sequence[str],
    sentences: Flags,
    corpus_scores: CorpusScores,
) -> tuple[FloatArray, FloatArray]:
    """Return scores of systems by each metric, of the corpus and of each sentence."""
    found = []
    for metric in metrics:
        places = of_systems(metric, systems)
        of_corpus = corpus_scores.of(metric, sentences).score[places]
        found.append((of_corpus, metric.scores[places][:, sentences]))
    of_corpora, by_sentence = zip(*found, strict=True)
    return np.stack(of_corpora), np.stack(by_sentence)


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


def _of_best_choice(choices: Sequence[HumanScores]) -> list[HumanScores]:
    """Return the scores of the first of CHOICES that the judgment set has, by every method."""
    names = {choice.system_set for choice in choices}
    best = next((name for name in CHOICES if name in names), None)
    return [choice for choice in choices if choice.system_set == best]


def _comparisons(
    metrics: list[ScoredSet],
    corpus_scores: FloatArray,
    swaps: Swaps | None,
    human: FloatArray,
) -> list[dict[str, Any]]:
    if swaps is None:
        first, second = metrics
        return [{"metric_a": first.metric, "metric_b": second.metric}]
    r = pearson_of_rows(corpus_scores, human)
    between = pearson_of_rows(corpus_scores[:, np.newaxis], corpus_scores[np.newaxis])
    p_williams = williams(r[:, np.newaxis], r[np.newaxis], between, len(human)).p_greater
    p_perm = swap_comparisons(swaps, human).p_better
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
            "williams_p": p_williams[a, b],
            "perm_both_p": p_perm[a, b],
            "cluster_a": cluster[a],
            "cluster_b": cluster[b],
        }
        for place, a in enumerate(order)
        for b in order[place + 1 :]
    ]
