"""Agreement of metrics with judges' preferences between outputs of a sentence, by rule for ties.

With unit `outputs`, two outputs that a judge compared are one pair. With unit `systems`, as in
papers, all pairs of systems with these outputs count.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.rankings.judged import Judged, ScoredSet, system_positions
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judgments import opinion_of_others, units_of
from maege.analysis.statistics.pair_agreement import (
    OUTCOMES,
    RULES,
    PairAgreement,
    agreement_of_outcomes,
    outcomes,
    outcomes_by_unit,
    score_differences,
    tuned_epsilon,
)
from maege.analysis.statistics.randomisation import signed_sums, sums_tested
from maege.analysis.statistics.resampling import (
    LEAST_PAIRS,
    Floats,
    percentile_intervals,
    ratio_intervals,
    too_few,
)


class _Agreement(NamedTuple):
    """`gain` is the number of concordant minus the number of discordant pairs of each sentence."""

    metric: ScoredSet
    rule: str
    agreement: PairAgreement
    right: Floats
    n_counted: Floats
    gain: Floats


def agreement_rows(
    judgments: Judged,
    metrics: list[ScoredSet],
    weights: SampleWeights,
    level: float,
    seed: int,
    units: Sequence[str] = ("outputs", "systems"),
) -> Iterator[dict[str, Any]]:
    """Yield a row for each unit, metric and tie rule; none for a metric without a judged pair."""
    for unit in units:
        pairs = judgments.pairs_of_outputs() if unit == "outputs" else judgments.different_outputs()
        agreements = _agreements(pairs, metrics, weights.shape[1])
        if not agreements:
            continue
        estimates = _estimates(agreements, weights, level, seed)
        ceilings = _ceilings(pairs)
        for agreement, estimate in zip(agreements, estimates, strict=True):
            n_sentences = int(np.count_nonzero(agreement.n_counted))
            missing = too_few(sentences=n_sentences, pairs=agreement.agreement.n_pairs)
            row = {
                "unit": unit,
                "reference_set": agreement.metric.reference_set,
                "metric": agreement.metric.metric,
                "tie_rule": agreement.rule,
                "n_sentences": n_sentences,
                "too_few": missing,
                "ceiling": ceilings.get(agreement.rule),
                **agreement.agreement._asdict(),
            }
            if missing is None:
                row |= {"n_resamples": len(weights)}
                if estimate["ci_low"] < estimate["ci_high"]:
                    row |= {name: estimate[name] for name in ("ci_low", "ci_high")}
                # The epsilon of `acc_eq` is tuned to the metric. A metric that ties all pairs that
                # the judges decided has nothing to test.
                if unit == "outputs" and agreement.rule != "acc_eq" and agreement.gain.any():
                    row |= {name: estimate[name] for name in estimate if name.startswith("chance_")}
            yield row


def sentence_agreements(
    pairs: Judged, metrics: Sequence[ScoredSet], rule: str
) -> list[tuple[str, Floats, Floats]]:
    """Return the correctly ordered and all pairs of each sentence for each metric with scores."""
    agreements = _agreements(pairs, metrics, metrics[0].scores.shape[1])
    return [
        (agreement.metric.metric, agreement.right, agreement.n_counted)
        for agreement in agreements
        if agreement.rule == rule
    ]


def _agreements(pairs: Judged, metrics: Sequence[ScoredSet], n_sentences: int) -> list[_Agreement]:
    agreements: list[_Agreement] = []
    first, second = (side * n_sentences + pairs.sentence for side in (pairs.first, pairs.second))
    for metric in metrics:
        places = system_positions(metric, pairs.systems)
        if places is None:
            continue
        scores = metric.scores[places].ravel()
        gap = score_differences(scores[first], scores[second])
        sentence, preference = pairs.sentence, pairs.preference
        is_scored = ~np.isnan(gap)
        gap, sentence, preference = gap[is_scored], sentence[is_scored], preference[is_scored]
        if not gap.size:
            continue
        tuned = tuned_epsilon(preference, gap)
        untuned = outcomes_by_unit(sentence, outcomes(preference, gap), n_sentences)
        acc_eq_outcomes = outcomes_by_unit(sentence, outcomes(preference, gap, tuned), n_sentences)
        for rule, n_pairs in (dict.fromkeys(RULES, untuned) | {"acc_eq": acc_eq_outcomes}).items():
            agreement = agreement_of_outcomes(rule, n_pairs.sum(axis=0), tuned)
            right, n_counted = n_pairs @ RULES[rule].credit, n_pairs @ RULES[rule].counts
            # If a tie counts as an error, it favours neither side.
            by_gain = RULES["ties_half" if rule == "ties_wrong" else rule]
            gain = n_pairs @ (2 * by_gain.credit - by_gain.counts)
            agreements.append(_Agreement(metric, rule, agreement, right, n_counted, gain))
    return agreements


def _estimates(
    agreements: Sequence[_Agreement], weights: SampleWeights, level: float, seed: int
) -> list[dict[str, float]]:
    """Return the interval of each accuracy and its test against chance.

    Chance is the accuracy of a metric with the same ties and equally many concordant and discordant
    pairs. The test gives the gain of each sentence a random sign. If a tie counts as half a pair,
    or there are no ties, the accuracy is a linear function of the tested ratio, and the interval is
    the inverted test. Otherwise it is the bootstrap interval.
    """
    right, n_counted, gain = (
        np.stack([getattr(agreement, name) for agreement in agreements], axis=1)
        for name in ("right", "n_counted", "gain")
    )
    signed = signed_sums(np.concatenate([gain, n_counted], axis=1), len(weights), seed)
    gains, sizes = np.split(signed, 2, axis=1)
    tests = sums_tested(gains, sizes, level)
    low, high = ratio_intervals(right, n_counted, weights, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_chance = (right.sum(axis=0) + (gains - gain.sum(axis=0)) / 2) / n_counted.sum(axis=0)
        median = (right - gain / 2).sum(axis=0) / n_counted.sum(axis=0)
    chance_low, chance_high = percentile_intervals(by_chance[1:], level)
    is_half = np.array(
        [agreement.rule in ("ties_half", "ties_by_name") for agreement in agreements]
    )
    columns = {
        "ci_low": np.where(is_half, (1 + tests.low) / 2, low),
        "ci_high": np.where(is_half, (1 + tests.high) / 2, high),
        "chance_median": median,
        "chance_low": chance_low,
        "chance_high": chance_high,
        "chance_p_value": tests.p_value,
    }
    values = np.stack(list(columns.values()), axis=1).tolist()
    return [dict(zip(columns, estimate, strict=True)) for estimate in values]


def _ceilings(pairs: Judged) -> dict[str, float]:
    opinion = opinion_of_others(
        pairs.judge, units_of(pairs.sentence, pairs.first, pairs.second), pairs.preference
    )
    has_others = ~np.isnan(opinion)
    if np.count_nonzero(has_others) < LEAST_PAIRS:
        return {}
    n_pairs = np.bincount(
        outcomes(pairs.preference[has_others], opinion[has_others]), minlength=OUTCOMES
    )
    return {rule: agreement_of_outcomes(rule, n_pairs).accuracy for rule in RULES}
