"""How metrics' scores of systems correlate with those of judges, over many choices of systems.

Judgments and metric scores are drawn again together: both from the same samples of sentences.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.metrics.base import FloatArray
from maege.analysis.metrics.score import SystemScores
from maege.analysis.rankings.judged import (
    Flags,
    HumanScores,
    Judged,
    Key,
    ScoredSet,
    by_reference_set,
    of_systems,
)
from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.statistics.correlation_bootstrap import (
    CorrelationIntervals,
    correlation_intervals,
)
from maege.analysis.statistics.permutation import (
    judged_pair_differences,
    paired_permutation_p,
    random_signs,
    soft_pairwise_accuracy,
    system_pair_differences,
)
from maege.analysis.statistics.system_windows import SEEDA_WINDOW, system_windows

COEFFICIENTS = {"pearson": "pearson_r", "spearman": "spearman_rho"}
Scores = list[tuple[ScoredSet, SystemScores]]
# By the names of two systems, the earlier first: p of the earlier being better.
PairP = dict[tuple[str, str], float]


class Draws(NamedTuple):
    """What chance decides: the share of samples in intervals, permutations and their seed."""

    level: float
    permutations: int
    seed: int


def correlation_rows(
    judged: Sequence[Judged],
    human: dict[Key, list[HumanScores]],
    scored: list[ScoredSet],
    corpus_scores: CorpusScores,
    draws: Draws,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each judgment set, method, reference set, choices and metric of one corpus.

    Args:
        judged: the corpus's judgment sets.
        human: their human scores, by corpus and judgment set.
        scored: the metrics' sentence scores.
        corpus_scores: what scores its systems.
        draws: of intervals and permutations.

    """
    soft = _SoftAccuracies(draws)
    for reference_set, metrics in by_reference_set(scored).items():
        for one in judged:
            n_sentences = metrics[0].scores.shape[1]
            is_judged = one.is_judged(n_sentences)
            choices = human.get((one.corpus, one.judgment_set), [])
            accuracies = soft.of(one, choices, metrics, is_judged)
            for sentence_set, sentences in (
                ("judged", is_judged),
                ("all", np.ones(n_sentences, np.bool_)),
            ):
                scores = [(metric, corpus_scores.of(metric, sentences)) for metric in metrics]
                for choice in choices:
                    for row in _correlations(choice, scores, draws.level):
                        has_soft = sentence_set == "judged" and row["system_set"] == (
                            choice.system_set
                        )
                        yield row | {
                            "corpus": one.corpus,
                            "judgment_set": one.judgment_set,
                            "reference_set": reference_set,
                            "sentence_set": sentence_set,
                            "soft_pairwise_accuracy": accuracies.get(
                                (tuple(choice.systems), row["metric"])
                            )
                            if has_soft
                            else None,
                        }
        # Metrics that read no references stand beside the next set, too; others do not.
        corpus_scores.forget(reference_set)


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
            yield row


class _SoftAccuracies:
    """Soft pairwise accuracies; a metric's p-values are kept, of all pairs of its systems."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._kept: dict[tuple[str, str, bytes], PairP] = {}

    def of(
        self,
        judged: Judged,
        choices: Sequence[HumanScores],
        metrics: list[ScoredSet],
        is_judged: Flags,
    ) -> dict[tuple[tuple[str, ...], str], float]:
        """Return the accuracy on the judged sentences by choice of systems and metric."""
        wanted = {tuple(choice.systems) for choice in choices}
        kept = [one for one in wanted if set(one) <= set(judged.systems) and len(one) > 1]
        if not kept:
            return {}
        signs = random_signs(
            self._draws.permutations, int(np.count_nonzero(is_judged)), self._draws.seed
        )
        wins = judged.counts(len(is_judged)).wins[is_judged]
        p_human = _by_pair(
            judged.systems, paired_permutation_p(judged_pair_differences(wins), signs)
        )
        found = {}
        for metric in metrics:
            p_metric = self._p_of_pairs(metric, is_judged, signs)
            for systems in kept:
                if of_systems(metric, systems) is not None:
                    pairs = list(combinations(systems, 2))
                    found[systems, metric.metric] = float(
                        soft_pairwise_accuracy(
                            [p_human[pair] for pair in pairs], [p_metric[pair] for pair in pairs]
                        )
                    )
        return found

    def _p_of_pairs(self, metric: ScoredSet, is_judged: Flags, signs: FloatArray) -> PairP:
        key = (metric.reference_set, metric.metric, is_judged.tobytes())
        if key not in self._kept:
            scores = np.nan_to_num(metric.scores[:, is_judged])
            self._kept[key] = _by_pair(
                metric.systems, paired_permutation_p(system_pair_differences(scores), signs)
            )
        return self._kept[key]


def _by_pair(systems: Sequence[str], p: FloatArray) -> PairP:
    """Return p-values, which are in the order of pairs of sorted systems, by their names."""
    return dict(zip(combinations(systems, 2), p.tolist(), strict=True))
