"""Whether metrics prefer the outputs that judges preferred, sentence by sentence, by tie rule."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.rankings.judged import Judged, ScoredSet, of_systems
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.bootstrap import ratio_intervals
from maege.analysis.statistics.tie_rules import (
    OUTCOMES,
    RULES,
    PairAgreement,
    agreement_of_outcomes,
    outcomes,
    tuned_epsilon,
)


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
        tuned = tuned_epsilon(preference, gap)
        untuned = _by_sentence(sentence, outcomes(preference, gap), n_sentences)
        of_acc_eq = _by_sentence(sentence, outcomes(preference, gap, tuned), n_sentences)
        for rule, n_pairs in (dict.fromkeys(RULES, untuned) | {"acc_eq": of_acc_eq}).items():
            found.append((metric, rule, agreement_of_outcomes(rule, n_pairs.sum(axis=0), tuned)))
            right.append(n_pairs @ RULES[rule].credit)
            counted.append(n_pairs @ RULES[rule].counts)
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


def _by_sentence(sentence: np.ndarray, outcome: np.ndarray, n_sentences: int) -> NDArray[np.int64]:
    """Return how many pairs of each sentence have each outcome: shape (n_sentences, OUTCOMES)."""
    cells = np.bincount(sentence * OUTCOMES + outcome, minlength=n_sentences * OUTCOMES)
    return cells.reshape(n_sentences, OUTCOMES)
