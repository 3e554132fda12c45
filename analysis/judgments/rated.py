"""Rows of the marts about ratings and preferences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.judgments.ratings import (
    coefficients,
    covariance_p_value,
    mean_of,
    pearson_interval,
    system_means,
    within_items,
)
from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.rankings.judged import Judged, ScoredSet
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.randomisation import system_correlations
from maege.analysis.statistics.resampling import (
    Floats,
    Integers,
    cluster_weights,
    too_few,
)

# --- Rows of the mart of ratings: pooled, within items, by system ---

# With fewer systems, correlations are too uncertain for a verdict on a metric.
LEAST_RATED_SYSTEMS = 10
# A metric with a larger q-value is not significantly better than chance.
Q_LIMIT = 0.05


class Rated(NamedTuple):
    """Rated outputs of an aspect with their mean ratings (higher is better).

    Outputs with equal `presented` were shown to judges as one.
    """

    item: Integers
    output: Integers
    presented: Integers
    value: Floats

    def among(self, chosen: NDArray[np.bool_]) -> "Rated":
        """Return the outputs chosen by a mask, with items renumbered."""
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
    """Yield a row for each level of the metric; none if no rated output has a score.

    Args:
        rated: the outputs.
        systems: the systems that produced each output.
        scores: score of each output, NaN if the metric has none.
        n_samples: number of bootstrap resamples of items.
        level: confidence level of the intervals.
        seed: seed for the resamples.
    """
    is_scored = ~np.isnan(scores)
    if np.count_nonzero(is_scored) < 2:
        return
    part, known_scores = rated.among(is_scored), scores[is_scored]
    n_items = int(part.item.max()) + 1
    weights = cluster_weights(n_items, n_samples, seed)
    yield _pooled(part, known_scores, weights, level)
    yield from _within(part, known_scores, weights)
    chosen = [systems[place] for place in np.flatnonzero(is_scored).tolist()]
    yield from _by_system(chosen, part, known_scores, seed)


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
    # A text that was shown once has one value, so systems with the same text are not compared.
    first, value = mean_of(rated.presented, rated.value)
    item = rated.item[first]
    agreements = within_items(item, rated.output[first], value, scores[first], weights)
    by_rule = {agreement.rule: agreement for agreement in agreements}
    half, equal = by_rule["ties_half"], by_rule["acc_eq"]
    if not equal.agreement.n_pairs:
        return
    n_pairs = half.agreement.n_pairs
    missing = too_few(sentences=weights.shape[1], pairs=n_pairs)
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
    estimates = coefficients(scores, values)
    return {
        "level": level,
        "n": int(values.size),
        "n_items": n_items,
        "pearson_r": estimates.pearson,
        "spearman_rho": estimates.spearman,
        "kendall_tau_b": estimates.kendall_tau_b,
    }


def _bounds(low: float, high: float) -> dict[str, Any]:
    return {"ci_low": low, "ci_high": high} if low < high else {}


def above_ceiling(row: Mapping[str, Any]) -> bool | None:
    """Return whether a metric is significantly better than chance and above the judges' ceiling.

    None if that depends on a missing q-value or interval. The difference has the interval of two
    estimates that are treated as independent (Zou 2007). They use the same items, so the interval
    is too wide rather than too narrow.
    """
    pearson, accuracy, low, q_value, ceiling, ceiling_high = (
        np.nan if row.get(name) is None else row[name]
        for name in ("pearson_r", "accuracy", "ci_low", "q_value", "ceiling", "ceiling_ci_high")
    )
    estimate = accuracy if np.isnan(pearson) else pearson
    margin = estimate - ceiling - np.hypot(estimate - low, ceiling_high - ceiling)
    if q_value > Q_LIMIT or margin <= 0:
        return False
    return None if np.isnan(q_value + margin) else True


# --- Pairwise preferences, as pairs and scores of rankings ---
#
# The code for rankings is reused: an output's position takes the place of a system.


class Preference(NamedTuple):
    """A judge's preference between two outputs: 1 for the first, -1 for the second, 0 for a tie."""

    judge: str
    item: str
    first: int
    second: int
    preference: int


def preference_rows(
    preferences: Sequence[Preference],
    scores: Mapping[tuple[str, str], Mapping[tuple[str, int], float]],
    n_samples: int,
    level: float,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of `agreement_rows` for each metric and tie rule, with items resampled.

    Args:
        preferences: preferences of one task and aspect.
        scores: by reference set and metric, then by item and output; higher is better.
        n_samples: number of bootstrap resamples of items.
        level: confidence level of the intervals.
        seed: seed for the resamples, and for random metrics.
    """
    items = {item: place for place, item in enumerate(dict.fromkeys(p.item for p in preferences))}
    judges = sorted({preference.judge for preference in preferences})
    n_outputs = 1 + max(max(preference.first, preference.second) for preference in preferences)
    places = [f"{place:04}" for place in range(n_outputs)]
    judged = Judged(
        "",
        "",
        places,
        np.array([items[preference.item] for preference in preferences], np.int64),
        np.array([preference.first for preference in preferences], np.int64),
        np.array([preference.second for preference in preferences], np.int64),
        np.array([preference.preference for preference in preferences], np.int64),
        np.array([preference.first == preference.second for preference in preferences]),
        np.array([judges.index(preference.judge) for preference in preferences], np.int64),
        np.arange(len(preferences)),
    )
    scored = []
    for (reference_set, metric), by_output in scores.items():
        by_place = np.full((n_outputs, len(items)), np.nan)
        for (item, output), score in by_output.items():
            if item in items and output < n_outputs:
                by_place[output, items[item]] = score
        scored.append(ScoredSet(reference_set, metric, places, by_place))
    weights = cluster_weights(len(items), n_samples, seed)
    yield from agreement_rows(judged, scored, weights, level, seed, units=("outputs",))
