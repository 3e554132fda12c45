"""Agreement of metrics with ratings and preferences of single outputs.

In all functions, `item` is the number of the item of each output, pair or rating, from 0, and
`presented` has equal numbers for ratings of the same presentation. `weights` says how often each
sample contains each item, shape (samples, items). Scores and ratings are higher for better outputs.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.rankings.judged import Judged, ScoredSet
from maege.analysis.sample_weights import SampleWeights, drawn_sums
from maege.analysis.statistics.correlations import pearson_of_rows, spearman_of_rows
from maege.analysis.statistics.pair_agreement import (
    RULES,
    PairAgreement,
    agreement_of_outcomes,
    outcomes,
    outcomes_by_unit,
    score_differences,
    tuned_epsilon,
)
from maege.analysis.statistics.randomisation import system_correlations
from maege.analysis.statistics.resampling import (
    Floats,
    Integers,
    Intervals,
    cluster_weights,
    percentile_intervals,
    ratio_intervals,
    too_few,
)

# --- Tests with clusters: outputs or edits of one item are dependent ---
#
# Each statistic is a sum over items. The sum of the items' squares estimates its variance (Liang
# and Zeger 1986, "Longitudinal data analysis using generalized linear models"; for the area under
# the curve Obuchowski 1997, "Nonparametric analysis of clustered ROC curve data"). The ratio
# follows Student's t with one degree of freedom fewer than items. Tests are two-sided.


def clustered_p_value(distance: float, added: ArrayLike) -> float:
    """Return the p-value of an estimate this far from chance; NaN for fewer than two items."""
    item_sums = np.asarray(added, np.float64)
    n_items = np.count_nonzero(item_sums)
    if n_items < 2:
        return math.nan
    t = abs(distance) / math.sqrt(float(item_sums @ item_sums))
    return float(2 * scipy.special.stdtr(n_items - 1, -t))


def covariance_p_value(item: Integers, scores: Floats, values: Floats) -> float:
    """Return the p-value of the hypothesis that the covariance, and so Pearson's r, is 0."""
    if scores.min() == scores.max() or values.min() == values.max():
        return math.nan
    return order_p_value(item, (scores - scores.mean()) * (values - values.mean()))


def order_p_value(item: Integers, outcome: Integers | Floats) -> float:
    """Return the p-value of the hypothesis of equally many concordant and discordant pairs.

    `outcome` is 1 for a concordant pair, -1 for a discordant pair, 0 if the metric ties.
    """
    item_sums = np.bincount(item, outcome)
    return clustered_p_value(float(item_sums.sum()), item_sums)


def area_p_value(source: Integers, is_valid: NDArray[np.bool_], differences: Floats) -> float:
    """Return the p-value of the hypothesis that the AUC of valid against invalid edits is 0.5."""
    n_valid, n_invalid = int(is_valid.sum()), int((~is_valid).sum())
    if not n_valid or not n_invalid:
        return math.nan
    ranks = scipy.stats.rankdata(differences)
    class_ranks = np.empty(len(differences))
    for side in (is_valid, ~is_valid):
        class_ranks[side] = scipy.stats.rankdata(differences[side])
    # For a valid edit the share of invalid edits below it, for an invalid one the share of valid
    # edits above it.
    placed = (ranks - class_ranks) / np.where(is_valid, n_invalid, n_valid)
    placed[~is_valid] = 1 - placed[~is_valid]
    area = float(placed[is_valid].mean())
    added = (placed - area) / np.where(is_valid, n_valid, n_invalid)
    return clustered_p_value(area - 0.5, np.bincount(source, added))


# --- Agreement with ratings: over all outputs, within items, by system ---
#
# Pooled over all outputs, a metric may correlate only because it follows how difficult sentences
# are. Within items only outputs of the same sentence are compared. On GMEG, SARI orders two thirds
# of the pairs correctly within items, but its pooled correlation is 0.16.


class Coefficients(NamedTuple):
    """Pearson's r, Spearman's rho and Kendall's tau-b; NaN if scores or ratings are constant."""

    pearson: float
    spearman: float
    kendall_tau_b: float


def coefficients(scores: ArrayLike, values: ArrayLike) -> Coefficients:
    x, y = np.asarray(scores, np.float64), np.asarray(values, np.float64)
    tau = float("nan")
    if x.size > 1 and x.min() < x.max() and y.min() < y.max():
        tau = float(scipy.stats.kendalltau(x, y).statistic)
    return Coefficients(float(pearson_of_rows(x, y)), float(spearman_of_rows(x, y)), tau)


class ItemPairs(NamedTuple):
    first: Integers
    second: Integers
    item: Integers


def item_pairs(item: ArrayLike, text: ArrayLike) -> ItemPairs:
    """Return the positions of all pairs of rated outputs of one item with different texts."""
    items, texts = np.asarray(item, np.int64), np.asarray(text, np.int64)
    order = np.argsort(items, kind="stable")
    firsts: list[Integers] = []
    seconds: list[Integers] = []
    for members in np.split(order, np.flatnonzero(np.diff(items[order])) + 1):
        a, b = np.triu_indices(members.size, k=1)
        firsts.append(members[a])
        seconds.append(members[b])
    first = np.concatenate(firsts) if firsts else np.zeros(0, np.int64)
    second = np.concatenate(seconds) if seconds else np.zeros(0, np.int64)
    differ = texts[first] != texts[second]
    return ItemPairs(first[differ], second[differ], items[first[differ]])


class Agreement(NamedTuple):
    """The p-value tests whether concordant and discordant pairs are equally frequent."""

    agreement: PairAgreement
    ci_low: float
    ci_high: float
    p_value: float


def within_items(
    item: Integers, text: Integers, values: Floats, scores: Floats, weights: SampleWeights
) -> dict[str, Agreement]:
    """Return the agreement by rule for ties."""
    pairs = item_pairs(item, text)
    preference = np.sign(values[pairs.first] - values[pairs.second]).astype(np.int64)
    difference = score_differences(scores[pairs.first], scores[pairs.second])
    epsilon = tuned_epsilon(preference, difference)
    order = np.sign(preference * np.sign(difference)).astype(np.int64)
    p_value = order_p_value(pairs.item, order)
    agreements = {}
    for rule in RULES:
        threshold = epsilon if rule == "acc_eq" and epsilon == epsilon else 0.0
        outcome = outcomes(preference, difference, threshold)
        counts = outcomes_by_unit(pairs.item, outcome, weights.shape[1])
        # Items are resampled, not pairs.
        bounds = ratio_intervals(counts @ RULES[rule].credit, counts @ RULES[rule].counts, weights)
        agreement = agreement_of_outcomes(rule, counts.sum(axis=0), epsilon)
        low, high = float(bounds.low[0]), float(bounds.high[0])
        agreements[rule] = Agreement(agreement, low, high, p_value)
    return agreements


def pearson_interval(
    item: Integers, scores: Floats, values: Floats, weights: SampleWeights, level: float = 0.95
) -> Intervals:
    """Return the bounds of the pooled r over bootstrap samples of items, shape (1,) each."""
    x, y = scores - scores.mean(), values - values.mean()
    parts = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    by_item = np.zeros((weights.shape[1], parts.shape[1]))
    np.add.at(by_item, item, parts)
    n, sx, sy, sxx, syy, sxy = drawn_sums(weights, by_item).T
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (n * sxy - sx * sy) / np.sqrt((n * sxx - sx**2) * (n * syy - sy**2))
    return percentile_intervals(np.where(np.isfinite(r), r, np.nan)[:, np.newaxis], level)


def system_means(system: Integers, values: ArrayLike) -> Floats:
    numbers = np.asarray(values, np.float64)
    means: Floats = np.bincount(system, numbers) / np.bincount(system)
    return means


def one_against_rest(presented: ArrayLike, values: ArrayLike) -> tuple[Floats, Floats]:
    """Return each rating of an output with several ratings, and the mean of the other ratings."""
    _, unit = np.unique(np.asarray(presented), return_inverse=True)
    numbers = np.asarray(values, np.float64)
    n, total = np.bincount(unit), np.bincount(unit, numbers)
    has_others = n[unit] > 1
    other_means = (total[unit] - numbers)[has_others] / (n[unit][has_others] - 1)
    return numbers[has_others], other_means


def mean_of(presented: ArrayLike, values: ArrayLike) -> tuple[NDArray[np.int64], Floats]:
    """Return the position of the first rating of each presentation, and the mean of its ratings."""
    _, first, unit = np.unique(np.asarray(presented), return_index=True, return_inverse=True)
    means: Floats = np.bincount(unit, np.asarray(values, np.float64)) / np.bincount(unit)
    return first, means


def ceiling_outcomes(
    item: ArrayLike, presented: ArrayLike, judge: ArrayLike, values: ArrayLike
) -> Integers:
    """Return the number of pairs with each outcome for each item, shape (items, OUTCOMES).

    Pairs are two outputs of an item that one judge rated, compared with the mean of the other
    judges of the same outputs. `judge` may be a position among ratings without a named judge.
    """
    units, judges, numbers = np.asarray(presented), np.asarray(judge), np.asarray(values, float)
    _, unit = np.unique(units, return_inverse=True)
    n, total = np.bincount(unit), np.bincount(unit, numbers)
    with np.errstate(invalid="ignore", divide="ignore"):
        other_means = (total[unit] - numbers) / (n[unit] - 1)
    _, by_judge = np.unique(np.stack([np.asarray(item), judges]), axis=1, return_inverse=True)
    pairs = item_pairs(by_judge.ravel(), unit)
    preference = np.sign(numbers[pairs.first] - numbers[pairs.second]).astype(np.int64)
    difference = score_differences(other_means[pairs.first], other_means[pairs.second])
    has_others = ~np.isnan(difference)
    items = np.asarray(item, np.int64)
    outcome = outcomes(preference[has_others], difference[has_others])
    return outcomes_by_unit(items[pairs.first[has_others]], outcome, int(items.max()) + 1)


# --- Rows of the mart of ratings: pooled, within items, by system ---

# With fewer systems, correlations are too uncertain for a verdict on a metric.
LEAST_RATED_SYSTEMS = 10
# A metric with a larger q-value is not significantly better than chance.
Q_LIMIT = 0.05


class Rated(NamedTuple):
    """Outputs with equal `presented` were shown to judges as one; a higher `value` is better."""

    item: Integers
    output: Integers
    presented: Integers
    value: Floats

    def among(self, mask: NDArray[np.bool_]) -> "Rated":
        _, item = np.unique(self.item[mask], return_inverse=True)
        return Rated(
            item.astype(np.int64),
            self.output[mask],
            self.presented[mask],
            self.value[mask],
        )


def rating_rows(
    rated: Rated,
    systems: Sequence[Sequence[str]],
    scores: Floats,
    n_samples: int,
    level: float,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each level of the metric; none if no rated output has a score."""
    is_scored = ~np.isnan(scores)
    if np.count_nonzero(is_scored) < 2:
        return
    part, known_scores = rated.among(is_scored), scores[is_scored]
    n_items = int(part.item.max()) + 1
    weights = cluster_weights(n_items, n_samples, seed)
    yield _pooled(part, known_scores, weights, level)
    yield from _within(part, known_scores, weights)
    scored_systems = [systems[place] for place in np.flatnonzero(is_scored).tolist()]
    yield from _by_system(scored_systems, part, known_scores, seed)


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
    by_rule = within_items(item, rated.output[first], value, scores[first], weights)
    half, equal = by_rule["ties_half"], by_rule["acc_eq"]
    if not equal.agreement.n_pairs:
        return
    missing = too_few(sentences=weights.shape[1], pairs=half.agreement.n_pairs)
    counted = ("n_pairs", "n_concordant", "n_discordant", "n_tied", "accuracy")
    row = {
        "level": "within_item",
        "n": int(first.size),
        "n_items": weights.shape[1],
        **{name: getattr(half.agreement, name) for name in counted},
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
    names = sorted({name for names_of_output in systems for name in names_of_output})
    if len(names) < 2:
        return
    number = {name: place for place, name in enumerate(names)}
    members = [
        (place, number[name])
        for place, names_of_output in enumerate(systems)
        for name in names_of_output
    ]
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
    """`scores` are by reference set and metric, then by item and output."""
    judges, item_names, *columns = zip(*preferences, strict=True)
    items = {item: place for place, item in enumerate(dict.fromkeys(item_names))}
    first, second, preference = np.array(columns, np.int64)
    n_outputs = 1 + int(max(first.max(), second.max()))
    places = [f"{place:04}" for place in range(n_outputs)]
    pairs = Judged(
        "",
        "",
        places,
        np.array([items[item] for item in item_names], np.int64),
        first,
        second,
        preference,
        first == second,
        np.unique(judges, return_inverse=True)[1],
        np.arange(len(preferences)),
    )
    metrics = []
    for (reference_set, metric), by_output in scores.items():
        by_place = np.full((n_outputs, len(items)), np.nan)
        for (item, output), score in by_output.items():
            if item in items and output < n_outputs:
                by_place[output, items[item]] = score
        metrics.append(ScoredSet(reference_set, metric, places, by_place))
    weights = cluster_weights(len(items), n_samples, seed)
    yield from agreement_rows(pairs, metrics, weights, level, seed, units=("outputs",))
