"""Whether metrics prefer the outputs that judges preferred, sentence by sentence, by tie rule.

A pair is of two `outputs` that a judge compared, once, however many systems made them; or of two
`systems`, as the papers count, which repeats what is said of an output that many systems made.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.rankings.judged import Judged, ScoredSet, of_systems
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations.tie_rules import (
    OUTCOMES,
    RULES,
    PairAgreement,
    agreement_of_outcomes,
    outcomes,
    outcomes_by_unit,
    tuned_epsilon,
)
from maege.analysis.statistics.correlations.ties import score_differences
from maege.analysis.statistics.judgments.ceilings import opinion_of_others, units_of
from maege.analysis.statistics.samples.bootstrap import Floats, ratio_intervals
from maege.analysis.statistics.samples.least_samples import LEAST_PAIRS, too_few
from maege.analysis.statistics.significance.random_metrics import (
    Chance,
    chance,
    discordant_by_chance,
)

UNITS = ("outputs", "systems")


class _Agreement(NamedTuple):
    """How a metric agrees with the judges by one rule, and what of it each sentence adds."""

    metric: ScoredSet
    rule: str
    agreement: PairAgreement
    right: Floats
    counted: Floats


def agreement_rows(
    judged: Judged,
    metrics: list[ScoredSet],
    weights: SampleWeights,
    level: float,
    seed: int,
    units: Sequence[str] = UNITS,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each unit, metric and tie rule; none for a metric without a judged pair.

    Args:
        judged: the pairs of a choice of systems.
        metrics: that scored outputs of the corpus.
        weights: how often each sample draws each sentence, shape (samples, sentences).
        level: the share of samples between the bounds of accuracy.
        seed: of random metrics.
        units: what pairs are of, of UNITS.

    """
    for unit in units:
        pairs = judged.pairs_of_outputs() if unit == "outputs" else judged.different_outputs()
        found, decided = _agreements(pairs, metrics, weights.shape[1])
        if not found:
            continue
        right, counted = (
            np.stack([getattr(one, name) for one in found], axis=1) for name in ("right", "counted")
        )
        bounds = ratio_intervals(right, counted, weights, level)
        by_chance = _chance(pairs, found, decided, seed, level) if unit == "outputs" else {}
        ceilings = _ceilings(pairs)
        for place, (one, low, high) in enumerate(zip(found, *bounds, strict=True)):
            n_sentences = int(np.count_nonzero(one.counted))
            missing = too_few(sentences=n_sentences, pairs=one.agreement.n_pairs)
            row = {
                "unit": unit,
                "reference_set": one.metric.reference_set,
                "metric": one.metric.metric,
                "tie_rule": one.rule,
                "n_sentences": n_sentences,
                "too_few": missing,
                "ceiling": ceilings.get(one.rule),
                **one.agreement._asdict(),
            }
            if missing is None:
                row |= {"n_resamples": len(weights)}
                if low < high:
                    row |= {"ci_low": low, "ci_high": high}
                if place in by_chance:
                    numbers = by_chance[place]._asdict().items()
                    row |= {f"chance_{name}": number for name, number in numbers}
            yield row


def sentence_agreements(
    pairs: Judged, metrics: Sequence[ScoredSet], rule: str
) -> list[tuple[str, Floats, Floats]]:
    """Return of each metric how many pairs of each sentence it orders rightly, and of how many.

    Args:
        pairs: what the judges compared.
        metrics: of the corpus; one that scored no output of a pair is left out.
        rule: what ties are worth, of RULES.

    """
    found, _ = _agreements(pairs, metrics, metrics[0].scores.shape[1])
    return [(one.metric.metric, one.right, one.counted) for one in found if one.rule == rule]


def _agreements(
    pairs: Judged, metrics: Sequence[ScoredSet], n_sentences: int
) -> tuple[list[_Agreement], NDArray[np.bool_]]:
    """Return agreements by metric and rule, and which pairs each of them decides: (pairs, k)."""
    found: list[_Agreement] = []
    decided: list[NDArray[np.bool_]] = []
    first, second = (side * n_sentences + pairs.sentence for side in (pairs.first, pairs.second))
    for metric in metrics:
        places = of_systems(metric, pairs.systems)
        if places is None:
            continue
        scores = metric.scores[places].ravel()
        gap = score_differences(scores[first], scores[second])
        sentence, preference = pairs.sentence, pairs.preference
        decides = (gap != 0) & ~np.isnan(gap) & (preference != 0)
        scored = ~np.isnan(gap)
        gap, sentence, preference = gap[scored], sentence[scored], preference[scored]
        if not gap.size:
            continue
        tuned = tuned_epsilon(preference, gap)
        untuned = outcomes_by_unit(sentence, outcomes(preference, gap), n_sentences)
        of_acc_eq = outcomes_by_unit(sentence, outcomes(preference, gap, tuned), n_sentences)
        for rule, n_pairs in (dict.fromkeys(RULES, untuned) | {"acc_eq": of_acc_eq}).items():
            agreement = agreement_of_outcomes(rule, n_pairs.sum(axis=0), tuned)
            of_sentences = n_pairs @ RULES[rule].credit, n_pairs @ RULES[rule].counts
            found.append(_Agreement(metric, rule, agreement, *of_sentences))
        decided.append(decides)
    return found, np.stack(decided, axis=1) if decided else np.zeros((0, 0), np.bool_)


def _chance(
    pairs: Judged,
    found: list[_Agreement],
    decided: NDArray[np.bool_],
    seed: int,
    level: float,
) -> dict[int, Chance]:
    """Return what random metrics get that tie the pairs which the metric ties, by place.

    None of `acc_eq`, whose epsilon is tuned to the metric.
    """
    prefers_first = pairs.preference > 0
    better = np.where(prefers_first, pairs.first, pairs.second)
    worse = np.where(prefers_first, pairs.second, pairs.first)
    wrong = discordant_by_chance(pairs.sentence, worse, better, decided, seed)
    by_chance = {}
    for place, one in enumerate(found):
        counted = one.counted.sum()
        if one.rule == "acc_eq" or not counted:
            continue
        # The rules for one metric stand together, ties_wrong first: what ties are worth by the
        # rule stays, and of what the metric decides all is right that is not wrong.
        discordant = found[place - place % len(RULES)].agreement.n_discordant
        right = one.right.sum()
        accuracies = (right + discordant - wrong[:, place // len(RULES)]) / counted
        of_place = chance(accuracies[:, np.newaxis], np.array([right / counted]), level)
        by_chance[place] = Chance(*(number[0] for number in of_place))
    return by_chance


def _ceilings(pairs: Judged) -> dict[str, float]:
    """Return how a judge agrees with the mean of the others, by rule; none from too few pairs."""
    opinion = opinion_of_others(
        pairs.judge, units_of(pairs.sentence, pairs.first, pairs.second), pairs.preference
    )
    known = ~np.isnan(opinion)
    if np.count_nonzero(known) < LEAST_PAIRS:
        return {}
    n_pairs = np.bincount(outcomes(pairs.preference[known], opinion[known]), minlength=OUTCOMES)
    return {rule: agreement_of_outcomes(rule, n_pairs).accuracy for rule in RULES}
