"""Whether metrics prefer the outputs that judges preferred, sentence by sentence, by tie rule."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.metrics.base import FloatArray
from analysis.rankings.judged import Judged, ScoredSet, of_systems
from analysis.sample_weights import SampleWeights
from analysis.statistics.bootstrap import ratio_intervals
from analysis.statistics.tie_rules import (
    PairAgreement,
    acc_eq,
    ties_by_name,
    ties_half,
    ties_wrong,
    tuned_epsilon,
)

RULES = {"ties_wrong": ties_wrong, "ties_by_name": ties_by_name, "ties_half": ties_half}


def agreement_rows(
    judged: Judged, metrics: list[ScoredSet], weights: SampleWeights, level: float
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric and tie rule; none for a metric with which no pair was judged.

    Args:
        judged: the pairs of a choice of systems.
        metrics: that scored outputs of the corpus.
        weights: how often each sample draws each sentence, shape (samples, sentences).
        level: the share of samples between the bounds of accuracy.

    """
    found: list[tuple[ScoredSet, str, PairAgreement]] = []
    # What accuracies are ratios of, by sentence. One product with the weights for all of them.
    right: list[np.ndarray] = []
    counted: list[np.ndarray] = []
    # Nobody was asked about two equal outputs, and any metric ties them.
    asked = ~judged.is_same_output
    asked_sentence, asked_preference = judged.sentence[asked], judged.preference[asked]
    n_sentences = weights.shape[1]
    first, second = (
        side[asked] * n_sentences + asked_sentence for side in (judged.first, judged.second)
    )
    for metric in metrics:
        places = of_systems(metric, judged.systems)
        if places is None:
            continue
        scores = metric.scores[places].ravel()
        gap, sentence, preference = scores[first] - scores[second], asked_sentence, asked_preference
        unscored = np.isnan(gap)
        if unscored.any():
            gap, sentence, preference = (part[~unscored] for part in (gap, sentence, preference))
        if not gap.size:
            continue
        epsilon = tuned_epsilon(preference, gap)
        by_rule = {rule: compare(preference, gap) for rule, compare in RULES.items()}
        by_rule["acc_eq"] = acc_eq(preference, gap, epsilon)
        for rule, agreement in by_rule.items():
            found.append((metric, rule, agreement))
            pairs, credit = _credit(rule, preference, gap, epsilon)
            right.append(np.bincount(sentence, credit, n_sentences))
            counted.append(np.bincount(sentence, pairs, n_sentences))
    if not found:
        return
    bounds = ratio_intervals(np.stack(right, axis=1), np.stack(counted, axis=1), weights, level)
    for (metric, rule, agreement), low, high in zip(found, *bounds, strict=True):
        yield {
            "reference_set": metric.reference_set,
            "metric": metric.metric,
            "tie_rule": rule,
            "ci_low": low,
            "ci_high": high,
            **agreement._asdict(),
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
