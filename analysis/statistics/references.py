"""Scores of systems with more, fewer or other references."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.resampling import Interval, too_few, two_sided_quantile

# --- Scores adjusted to a larger number of references ---
#
# M references lack valid corrections. Choshen and Abend 2018 express this loss as one minus
# coverage: if the valid corrections are distributed like those of people, the number of correct
# edits of a system grows with M as the coverage c(M) of M references does:
#
#     score(T) = score(1) + (score(M) - score(1)) (c(T) - c(1)) / (c(M) - c(1)).
#
# Both scores on the right use the available references: score(1) is the mean over single
# references. c comes from a crowd or, without one, from a bias proportional to 1 / k (the
# first-order jackknife, Quenouille 1956; Burnham and Overton 1978 for numbers of species).

Array = NDArray[np.float64]


class Growth(NamedTuple):
    """(c(T) - c(1)) / (c(M) - c(1)): its value, and draws from its distribution."""

    factor: float
    draws: Array


class Adjusted(NamedTuple):
    score: Array
    adjusted: Array
    low: Array
    high: Array


def no_growth(draws: int) -> Growth:
    return Growth(1.0, np.ones(draws))


def jackknife_growth(n_references: int, target: float, draws: int) -> Growth:
    factor = (1 - 1 / target) / (1 - 1 / n_references)
    return Growth(factor, np.full(draws, factor))


def crowd_growth(curves: Array, n_references: int, target: float, weights: SampleWeights) -> Growth:
    """Return the growth by a crowd's coverage; NaN if more references do not increase the coverage.

    `curves` have the coverage of 1, 2 ... references, one row per sentence of the crowd. `target`
    is infinite for complete coverage. `weights` have shape (draws, sentences).
    """
    means = np.vstack([np.ones(len(curves)), weights]) @ curves
    means /= np.vstack([np.ones(len(curves)), weights]).sum(axis=1)[:, None]
    goal = 1.0 if np.isinf(target) else means[:, int(target) - 1]
    grown = means[:, n_references - 1] - means[:, 0]
    factors = np.full(len(means), np.nan)
    np.divide(goal - means[:, 0], grown, out=factors, where=grown > 0)
    return Growth(float(factors[0]), np.asarray(factors[1:]))


def adjusted_scores(
    counts_with: Callable[[Sequence[int]], Array],
    score_of_sums: Callable[[Array], Array],
    subset: Sequence[int],
    growths: dict[str, Growth],
    weights: SampleWeights,
    level: float,
    seed: int,
) -> dict[str, Adjusted]:
    """Return the scores with a subset of two or more references, adjusted by every growth.

    The intervals cover the sampling of sentences, of the growth and of references. The effect of
    the references on the score is taken as normal, with the variance of the scores with single
    references divided by M.

    Args:
        counts_with: returns the numbers of true positives, proposed edits and gold edits with the
            references at these positions, shape (systems, sentences, 3).
        growths: growth for each estimator, with one draw per sample.
        weights: how often each sample contains each sentence, shape (samples, sentences).
    """
    everything = np.vstack([np.ones(weights.shape[1]), weights])

    def scores(positions: Sequence[int]) -> Array:
        return score_of_sums(np.tensordot(everything, counts_with(positions), axes=(1, 1)))

    subset_scores = scores(subset)
    singles = np.stack([scores([position]) for position in subset])
    single_scores = singles.mean(axis=0)
    spread = singles[:, 0].std(axis=0, ddof=1) / np.sqrt(len(subset))
    relative = np.divide(
        spread, single_scores[0], out=np.zeros_like(spread), where=single_scores[0] > 0
    )
    noise = np.random.default_rng(seed).standard_normal((len(weights), 1)) * relative
    adjusted = {}
    for name, growth in growths.items():
        factors = np.concatenate([[growth.factor], growth.draws])[:, None]
        values = single_scores + (subset_scores - single_scores) * factors
        draws = np.clip(values[1:] * (1 + noise), 0, 1)
        bounds = [(1 - level) / 2, (1 + level) / 2]
        low, high = np.quantile(draws, bounds, axis=0, method="hazen")
        adjusted[name] = Adjusted(subset_scores[0], np.clip(values[0], 0, 1), low, high)
    return adjusted


# --- A perfect corrector, scored with M references ---
#
# Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 2.2: output and
# references are sampled from the crowd's corrections of a sentence, with replacement. In the order
# of a metric's preference, the best of M references is the k-th correction with probability
#
#     S_k^M - S_(k+1)^M,
#
# where S_k is the share of answers that are the k-th or a later correction.

RESAMPLES = 1000


class Compared(NamedTuple):
    """Statistics of all pairs of corrections of a sentence: (outputs, references, k).

    `shares` holds the relative frequency of each correction.
    """

    statistics: Array
    shares: Array


def best_of_many(compared: Compared, preference: Array, n_references: int) -> Array:
    """Return the expected statistics, shape (k,), with the reference of the highest preference."""
    order = np.argsort(-preference, axis=1, kind="stable")
    remaining = np.cumsum(compared.shares[order][:, ::-1], axis=1)[:, ::-1]
    after = np.concatenate([remaining[:, 1:], np.zeros((len(order), 1))], axis=1)
    chances = np.clip(remaining, 0, 1) ** n_references - np.clip(after, 0, 1) ** n_references
    ordered_statistics = np.take_along_axis(compared.statistics, order[..., None], axis=1)
    expected = (chances[..., None] * ordered_statistics).sum(axis=1)
    return np.asarray(compared.shares @ expected)


def expected_counts(sentences: Sequence[Compared], n_references: int, beta: float) -> Array:
    """Return the expected tp, proposed and gold of each sentence, shape (sentences, 3).

    In a long corpus, the reference that maximises F is the one with the largest (1 + beta^2) tp - F
    (proposed + beta^2 gold).
    """
    score = 0.0
    # F has converged after 50 steps.
    for _ in range(50):
        rows = []
        for sentence in sentences:
            tp, proposed, gold = np.moveaxis(sentence.statistics, -1, 0)
            gain = (1 + beta**2) * tp - score * (proposed + beta**2 * gold)
            rows.append(best_of_many(sentence, gain, n_references))
        counts = np.stack(rows)
        new_score = float(f_of_sums(counts.sum(axis=0), beta))
        if new_score == score:
            break
        score = new_score
    return counts


def corpus_interval(
    rows: Array, score: Callable[[Array], Array], level: float, seed: int
) -> Interval:
    """Return the score of the rows' sum, with the BCa interval over sentences (Efron 1987).

    `rows` has shape (sentences, k); `score` takes sums of shape (..., k).
    """
    value = float(score(rows.sum(axis=0)))
    if too_few(sentences=len(rows)) or (rows == rows[0]).all():
        return Interval(value, None, None)

    def score_of_places(places: NDArray[np.int64], axis: int) -> Array:
        del axis
        return score(rows[places].sum(axis=-2))

    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = scipy.stats.bootstrap(
            (np.arange(len(rows)),),
            score_of_places,
            n_resamples=RESAMPLES,
            vectorized=True,
            confidence_level=level,
            method="BCa",
            rng=np.random.default_rng(seed),
        ).confidence_interval
    if not np.isfinite([bounds.low, bounds.high]).all():
        return Interval(value, None, None)
    return Interval(value, float(bounds.low), float(bounds.high)).with_enough_sentences(len(rows))


def mean_interval(values: Sequence[float] | Array, level: float, seed: int) -> Interval:
    numbers = np.asarray(values, dtype=np.float64)
    return corpus_interval(
        np.stack([numbers, np.ones_like(numbers)], axis=1), mean_of_sums, level, seed
    )


def mean_of_sums(sums: Array) -> Array:
    return np.asarray(sums[..., 0] / sums[..., 1])


# --- Stability of the order of systems by number of references ---
#
# The two sets of k references are disjoint, because overlapping sets would look too stable.

Choice = tuple[int, ...]


class Stability(NamedTuple):
    """Shares of pairs of systems, and of whole orders, that are the same in two sets of references.

    `pairs_low` and `pairs_high` are quantiles over choices of sets of the same annotators.
    """

    n_references: int
    n_choices: int
    pairs: float
    pairs_low: float
    pairs_high: float
    orders: float


def stability(
    scores: Callable[[Sequence[Choice]], Array],
    n_references: int,
    draws: int,
    level: float,
    seed: int,
) -> Iterator[Stability]:
    """Yield the stability of orders with 1, 2 ... references, up to half of all references.

    `scores` returns the systems' scores with each choice, shape (choices, systems).
    """
    rng = np.random.default_rng(seed)
    for k in range(1, n_references // 2 + 1):
        permutations = [rng.permutation(n_references).tolist() for _ in range(draws)]
        halves = [(tuple(sorted(d[:k])), tuple(sorted(d[k : 2 * k]))) for d in permutations]
        choices = sorted({choice for pair in halves for choice in pair})
        scores_with = dict(zip(choices, scores(choices), strict=True))
        pairs = [same_order(scores_with[first], scores_with[second]) for first, second in halves]
        low, high = np.quantile(pairs, [(1 - level) / 2, (1 + level) / 2], method="hazen")
        orders = float(np.mean([share == 1 for share in pairs]))
        yield Stability(k, draws, float(np.mean(pairs)), float(low), float(high), orders)


def same_order(first_scores: Array, second_scores: Array) -> float:
    """Return the share of pairs of systems in the same order; a tie agrees only with a tie."""
    first, second = np.triu_indices(len(first_scores), 1)
    agrees = np.sign(first_scores[first] - first_scores[second]) == np.sign(
        second_scores[first] - second_scores[second]
    )
    return float(agrees.mean())


# --- Reranking by an oracle that knows the references ---
#
# Choshen and Abend (2018), "Inherent Biases in Reference-based Evaluation", section 3.3: the oracle
# takes the candidate with the highest metric score.

Flags = NDArray[np.bool_]
Places = NDArray[np.intp]


def oracle_choice(scores: Array, is_source: Sequence[bool]) -> Places:
    """Return the oracle's candidate, shape (...), from scores (..., candidates) of at least 0.

    As in the paper's program, it is the last candidate with the best score. If that score is first
    reached by the source, later candidates with the same score do not replace it.
    """
    is_unchanged = np.asarray(is_source)
    best = np.zeros(scores.shape[:-1])
    choice = np.zeros(scores.shape[:-1], np.intp)
    for place in range(scores.shape[-1]):
        score = scores[..., place]
        is_taken = (score > best) | ((score == best) & ~(is_unchanged[choice] & (place > 0)))
        choice[is_taken] = place
        best[is_taken] = score[is_taken]
    return choice


def drawn_references(
    n_references: int, n_drawn: int, draws: int, seed: Sequence[int], *, with_replacement: bool
) -> Places:
    """Return sampled positions of a sentence's references, shape (draws, `n_drawn`), each sorted.

    Without replacement, at most `n_drawn` references are all returned once.
    """
    if not with_replacement and n_drawn >= n_references:
        return np.tile(np.arange(n_references), (draws, 1))
    rng = np.random.default_rng(list(seed))
    if with_replacement:
        positions = rng.integers(0, n_references, (draws, n_drawn))
    else:
        orders = np.tile(np.arange(n_references), (draws, 1))
        positions = rng.permuted(orders, axis=1)[:, :n_drawn]
    return np.sort(positions, axis=1)


def over_draws(counts: Array, level: float) -> Interval:
    """Return the mean and the central range of the draws, taken as normal."""
    mean = float(counts.mean())
    reach = two_sided_quantile(level) * float(counts.std(ddof=1))
    return Interval(mean, mean - reach, mean + reach)
