"""The rows of the mart of ratings: each metric on each aspect, pooled, within items, by system."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.judgments.clustered import covariance_p_value
from maege.analysis.judgments.ratings import (
    coefficients,
    pearson_interval,
    system_means,
    within_items,
)
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.randomisation import system_correlations
from maege.analysis.statistics.resampling import (
    LEAST_PAIRS,
    LEAST_SENTENCES,
    Floats,
    Integers,
    cluster_weights,
    too_few,
)

# Correlations of fewer systems are no basis for a verdict on a metric.
LEAST_RATED_SYSTEMS = 10


class Rated(NamedTuple):
    """Rated outputs of an aspect with their mean ratings, larger being better.

    `presented` is equal where one thing was shown.
    """

    item: Integers
    output: Integers
    presented: Integers
    value: Floats

    def among(self, chosen: NDArray[np.bool_]) -> "Rated":
        """Return those chosen by a mask, items numbered anew."""
        _, item = np.unique(self.item[chosen], return_inverse=True)
        return Rated(
            item.astype(np.int64),
            self.output[chosen],
            self.presented[chosen],
            self.value[chosen],
        )


def rating_rows(
    rated: Rated,
    systems: Sequence[Sequence[str]],
    scores: Floats,
    n_samples: int,
    level: float,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each level of the metric; none where no rated output has a score.

    Args:
        rated: the outputs.
        systems: of each output those that gave it.
        scores: of each output, NaN where the metric has none.
        n_samples: how often items are drawn.
        level: the share of samples between bounds.
        seed: of the draws.

    """
    known = ~np.isnan(scores)
    if np.count_nonzero(known) < 2:
        return
    part, found = rated.among(known), scores[known]
    n_items = int(part.item.max()) + 1
    weights = cluster_weights(n_items, n_samples, seed)
    yield _pooled(part, found, weights, level)
    yield from _within(part, found, weights)
    chosen = [systems[place] for place in np.flatnonzero(known).tolist()]
    yield from _by_system(chosen, part, found, seed)


def _pooled(rated: Rated, scores: Floats, weights: SampleWeights, level: float) -> dict[str, Any]:
    n_items = weights.shape[1]
    missing = too_few(sentences=n_items)
    row = _coefficients("pooled", scores, rated.value, n_items)
    row["too_few"] = missing
    if missing is None:
        bounds = pearson_interval(rated.item, scores, rated.value, weights, level)
        row |= _bounds(float(bounds.low[0]), float(bounds.high[0]))
        row["p_value"] = covariance_p_value(rated.item, scores, rated.value)
    return row


def _within(rated: Rated, scores: Floats, weights: SampleWeights) -> Iterator[dict[str, Any]]:
    # What was shown once has one value: systems with one text do not tie by themselves.
    _, first, shown = np.unique(rated.presented, return_index=True, return_inverse=True)
    value = np.bincount(shown, rated.value) / np.bincount(shown)
    item = rated.item[first]
    agreements = within_items(item, rated.output[first], value, scores[first], weights)
    by_rule = {one.rule: one for one in agreements}
    half, equal = by_rule["ties_half"], by_rule["acc_eq"]
    if not equal.agreement.n_pairs:
        return
    n_pairs = half.agreement.n_pairs
    missing = "sentences" if weights.shape[1] < LEAST_SENTENCES else None
    missing = missing or ("pairs" if n_pairs < LEAST_PAIRS else None)
    row = {
        "level": "within_item",
        "n": int(first.size),
        "n_items": weights.shape[1],
        "n_pairs": n_pairs,
        "n_concordant": half.agreement.n_concordant,
        "n_discordant": half.agreement.n_discordant,
        "n_tied": half.agreement.n_tied,
        "accuracy": half.agreement.accuracy,
        "acc_eq": equal.agreement.accuracy,
        "epsilon": equal.agreement.epsilon,
        "too_few": missing,
    }
    if missing is None:
        row |= _bounds(half.ci_low, half.ci_high) | {"p_value": half.p_value}
    yield row


def _by_system(
    systems: Sequence[Sequence[str]], rated: Rated, scores: Floats, seed: int
) -> Iterator[dict[str, Any]]:
    names = sorted({name for of_output in systems for name in of_output})
    if len(names) < 2:
        return
    number = {name: place for place, name in enumerate(names)}
    members = [(place, number[name]) for place, of in enumerate(systems) for name in of]
    output, system = np.array(members, np.int64).T
    means, human = (system_means(system, side[output]) for side in (scores, rated.value))
    row = _coefficients("system", means, human, int(rated.item.max()) + 1)
    row["too_few"] = "systems" if len(names) < LEAST_RATED_SYSTEMS else None
    if row["too_few"] is None:
        tested = system_correlations(means[np.newaxis], human, "pearson", seed)
        row["p_value"] = float(tested.p_value[0])
    yield row


def _coefficients(level: str, scores: Floats, values: Floats, n_items: int) -> dict[str, Any]:
    found = coefficients(scores, values)
    return {
        "level": level,
        "n": int(values.size),
        "n_items": n_items,
        "pearson_r": found.pearson,
        "spearman_rho": found.spearman,
        "kendall_tau_b": found.kendall_tau_b,
    }


def _bounds(low: float, high: float) -> dict[str, Any]:
    return {"ci_low": low, "ci_high": high} if low < high else {}
