"""Randomisation and permutation tests of systems and metrics."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import scipy  # its modules are imported at first use: a build without new scores imports none
from numpy.typing import ArrayLike, NDArray

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.scores import SINGLES, resampled
from maege.analysis.sample_weights import drawn_sums
from maege.analysis.statistics.correlations import average_ranks, pearson_of_rows
from maege.analysis.statistics.resampling import (
    Floats,
    Integers,
    percentile_intervals,
    resampled_sums,
    two_sided_quantile,
)

# --- Random signs: test of a ratio of sums over sentences, and its interval ---
#
# The contribution of each sentence gets a random sign (Fisher 1935, "The design of experiments";
# Edgington 1964, "Randomization tests"). Under the null hypothesis, a sentence favours either side
# with equal probability, whatever its number of pairs. Pairs of one sentence share words, so only
# sentences are assumed to be independent.
#
# The interval contains the ratios that the same test does not reject. It contains 0 if and only if
# the p-value is above 1 - level. A choice of signs moves the sum at least as far as observed if the
# tested ratio lies between the ratio of the sentences with a positive sign and that of the others
# (typical values: Hartigan 1969, "Using subsample values as typical values").

SIGNS_AT_ONCE = 1000


class SignTests(NamedTuple):
    """Interval of each ratio and two-sided p-value of a ratio of 0, each of shape (k,).

    The bounds are infinite or NaN if there are too few choices of signs for the level.
    """

    low: Floats
    high: Floats
    p_value: Floats


def sign_tests(gains: Floats, sizes: Floats, level: float, n_signs: int, seed: int) -> SignTests:
    """Test sum(gains) / sum(sizes) = 0 for each column.

    Args:
        gains: the summands of each sentence, whole numbers or halves, shape (sentences, k).
        sizes: number of pairs of each sentence, of the same shape.
    """
    signed = signed_sums(np.concatenate([gains, sizes], axis=1), n_signs, seed)
    signed_gains, signed_sizes = np.split(signed, 2, axis=1)
    return sums_tested(signed_gains, signed_sizes, level)


def signed_sums(values: Floats, n_signs: int, seed: int) -> Floats:
    """Return sums over sentences with random signs, shape (1 + n_signs, k).

    All signs of the first row are positive. Sums of whole numbers are exact in any order.
    """
    observed = values.sum(axis=0)
    # Single precision halves the memory if it represents whole numbers and halves exactly.
    is_small = 2 * np.abs(values).sum(axis=0).max(initial=0) <= SINGLES
    columns = values.astype(np.float32) if is_small else values
    generator = np.random.Generator(np.random.PCG64(seed))
    sums = [observed[np.newaxis]]
    for start in range(0, n_signs, SIGNS_AT_ONCE):
        shape = (min(SIGNS_AT_ONCE, n_signs - start), len(values))
        is_positive = generator.integers(0, 2, shape, np.int8).astype(np.uint8)
        sums.append(2 * drawn_sums(is_positive, columns) - observed)
    return np.concatenate(sums)


def sums_tested(gains: Floats, sizes: Floats, level: float) -> SignTests:
    """Return the tests of sums from `signed_sums`, each of shape (1 + n_signs, k)."""
    observed, randomised = gains[0], gains[1:]
    reached = (np.abs(randomised) >= np.abs(observed)).sum(axis=0)
    p_value = (reached + 1) / len(gains)
    # A ratio is rejected if fewer choices of signs than this reach it.
    rank = math.floor(round((1 - level) * len(gains), 9))
    if rank < 1:
        unknown = np.full(observed.shape, np.nan)
        return SignTests(unknown, unknown, p_value)
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = (observed + randomised) / (sizes[0] + sizes[1:])
        negative = (observed - randomised) / (sizes[0] - sizes[1:])
    # Choices with the same sign for all sentences with pairs cannot reject any ratio.
    is_one_sided = np.isnan(positive) | np.isnan(negative)
    lower = np.where(is_one_sided, -np.inf, np.minimum(positive, negative))
    upper = np.where(is_one_sided, np.inf, np.maximum(positive, negative))
    low = np.partition(lower, rank - 1, axis=0)[rank - 1]
    high = np.partition(upper, -rank, axis=0)[-rank]
    return SignTests(low, high, p_value)


# --- Swaps of sentences between two systems: approximate randomisation (Noreen 1989) ---
#
# Riezler and Maxwell (2005): it has fewer false positives than the bootstrap.

# About 5 MB of single precision for 1,312 sentences, which fit into the processor's cache.
AT_ONCE = 1_000


@dataclass(frozen=True)
class Swaps:
    """The swapped sentences: blocks of 0 and 1, shape (swaps, sentences)."""

    n_sentences: int
    n_swaps: int
    seed: int

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        generator = np.random.PCG64(np.random.SeedSequence([self.seed, 1]))
        for start in range(0, self.n_swaps, AT_ONCE):
            shape = (min(AT_ONCE, self.n_swaps - start), self.n_sentences)
            numbers = generator.random_raw(-(-math.prod(shape) // 8)).astype("<u8")
            yield (numbers.view(np.uint8)[: math.prod(shape)] & np.uint8(1)).reshape(shape)

    def moved(self, addends: FloatArray) -> FloatArray:
        """Return sums over swapped sentences: (systems, sentences, k) to (swaps, systems, k)."""
        return np.concatenate([resampled(addends, block) for block in self])


def randomisation_p(difference: Floats, swapped: Floats) -> Floats:
    """Return two-sided p-values of differences (k,), given differences after swaps (swaps, k)."""
    # Treat differences as equal if they differ only in the last bits.
    reached = (np.abs(swapped) >= np.abs(difference) - 1e-12).sum(axis=0)
    p: Floats = (reached + 1) / (len(swapped) + 1)
    return p


# --- Random orders of systems: test of one correlation ---
#
# The test is Pitman's (1937), "Significance tests which may be applied to samples from any
# populations II": if a metric is unrelated to quality, every order of systems is equally probable.

ALL_ORDERS, SOME_ORDERS = 40_000, 10_000
# Equal correlations computed in another order differ in the last bits.
DIGITS = 12


class PermutationTest(NamedTuple):
    median: float
    low: float
    high: float
    p_value: float


@cache
def random_orders_of(n_systems: int, seed: int) -> Integers:
    if math.factorial(n_systems) <= ALL_ORDERS:
        return np.array(list(permutations(range(n_systems))), np.int64)
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.permuted(np.tile(np.arange(n_systems), (SOME_ORDERS, 1)), axis=1)


def permutation_test(
    permuted: Floats, observed: float, n_systems: int, level: float
) -> PermutationTest:
    """Test a correlation against those in the orders of `random_orders_of`, shape (orders,).

    `level` is the share of the orders between the two bounds.
    """
    (low,), (high,) = percentile_intervals(permuted[:, np.newaxis], level)
    sizes = np.abs(np.round(permuted, DIGITS))
    p_value = two_sided_p(sizes, np.round(abs(observed), DIGITS), n_systems)
    return PermutationTest(float(np.median(permuted)), float(low), float(high), float(p_value))


def two_sided_p(sizes: Floats, observed: float | Floats, n_systems: int) -> Floats:
    """Return p-values from rounded absolute correlations in `random_orders_of`: (orders, ...)."""
    added = added_orders(n_systems)
    p_values: Floats = ((sizes >= observed).sum(axis=0) + added) / (len(sizes) + added)
    return p_values


def added_orders(n_systems: int) -> int:
    """Return 1 for the observed order, which a sample of orders lacks (Phipson and Smyth 2010)."""
    return int(math.factorial(n_systems) > ALL_ORDERS)


# --- Correlations over systems: an interval and a test that never contradict each other ---
#
# The test is the one above. The interval is Fisher's (1921) on the scale of z = atanh(r). Its
# standard error is 1 / sqrt(n - 3), for Spearman's rho times sqrt(1 + rho^2 / 2) (Bonett and
# Wright 2000). Its half-width is the larger one of two values: the normal quantile times the
# standard error, and the critical value of the permutation test. The p-value is the larger one of
# both methods: it is at most 1 - level if and only if 0 lies outside of the interval.
#
# The variance over systems includes the noise of sentences and judgments. Bootstrap percentiles
# over systems and sentences have 7 to 9 % false positives with 8 to 24 systems
# (`tests/simulations/inference_validity.py`).


class SystemCorrelations(NamedTuple):
    """One value per metric: interval, two-sided p-value, and the range of correlations by chance.

    Pearson's r lies outside of `chance_low` to `chance_high` if and only if its p-value is at most
    1 - level. NaN without a correlation; no interval for correlations of 1 or -1, and no median for
    Spearman's rho.
    """

    low: Floats
    high: Floats
    p_value: Floats
    chance_median: Floats
    chance_low: Floats
    chance_high: Floats


def system_correlations(
    scores: ArrayLike, human: ArrayLike, coefficient: str, seed: int, level: float = 0.95
) -> SystemCorrelations:
    """Return the inference about each metric's correlation with human scores, for other systems.

    Args:
        scores: scores of the systems by each metric, shape (k, n).
        human: the systems' human scores, shape (n,), at least four systems.
        coefficient: `pearson` or `spearman`.
    """
    values, gold = np.asarray(scores, np.float64).T, np.asarray(human, np.float64)[:, np.newaxis]
    is_rank = coefficient == "spearman"
    if is_rank:
        values, gold = average_ranks(values), average_ranks(gold)
    values, gold = _unit(values), _unit(gold)
    has_correlation = ~np.isnan(values).any(axis=0) & ~np.isnan(gold).any()
    result = SystemCorrelations(*np.full((6, values.shape[1]), np.nan))
    if has_correlation.any():
        orders = random_orders_of(len(gold), seed)
        permuted = np.round(gold[orders, 0] @ values[:, has_correlation], DIGITS)
        observed = np.round(gold[:, 0] @ values[:, has_correlation], DIGITS)
        inferred = _inferred(permuted, observed, len(gold), level, is_rank=is_rank)
        for column, numbers in zip(result, inferred, strict=True):
            column[has_correlation] = numbers
    return result


def _inferred(
    permuted: Floats, observed: Floats, n_systems: int, level: float, *, is_rank: bool
) -> SystemCorrelations:
    """Return the inference from the correlations in all orders, shape (orders, k)."""
    sizes = np.abs(permuted)
    added = added_orders(n_systems)
    n_orders = len(sizes) + added
    p_permuted = two_sided_p(sizes, np.abs(observed), n_systems)
    # At most this many orders reach a rejected correlation; the next size is the critical value.
    n_rejected = max(0, math.floor(n_orders * (1 - level) + 1e-9) - added)
    critical = np.partition(sizes, -n_rejected - 1, axis=0)[-n_rejected - 1]
    quantile = two_sided_quantile(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = _standard_error(observed, n_systems, is_rank=is_rank)
        z = np.arctanh(observed)
        by_orders = np.arctanh(critical) / _standard_error(critical, n_systems, is_rank=is_rank)
        errors = np.maximum(quantile, by_orders)
        # Rounded, so that a correlation of exactly the critical size has a bound of 0.
        low, high = (np.round(np.tanh(z + sign * errors * error), DIGITS) for sign in (-1, 1))
        p_fisher = 2 * scipy.special.ndtr(-np.abs(z) / error)
    # Widened by the rounding error, so that a correlation of exactly the critical size is inside.
    limit = np.tanh(errors * _standard_error(np.zeros(1), n_systems))
    chance_high = np.minimum(1, limit + 10.0**-DIGITS)
    return SystemCorrelations(
        low,
        high,
        np.maximum(p_permuted, p_fisher),
        np.full(len(observed), np.nan) if is_rank else np.median(permuted, axis=0),
        -chance_high,
        chance_high,
    )


def _standard_error(coefficient: Floats, n_systems: int, *, is_rank: bool = False) -> Floats:
    variance = 1 + coefficient**2 / 2 if is_rank else np.ones_like(coefficient)
    return np.sqrt(variance / (n_systems - 3))


def _unit(columns: Floats) -> Floats:
    """Scale columns to mean 0 and length 1; NaN if all values are equal."""
    centred = columns - columns.mean(axis=0)
    varies = columns.max(axis=0) > columns.min(axis=0)
    unit: Floats = centred / np.where(varies, np.sqrt((centred**2).sum(axis=0)), np.nan)
    return unit


# --- Permutation tests of metrics: PERM-BOTH, and the p-values of soft pairwise accuracy ---
#
# PERM-BOTH: Deutsch, Dror and Roth (2021), "A statistical analysis of summarization evaluation
# metrics using resampling methods", arXiv 2104.00054. If two metrics were equally good, it would
# not matter which of them scored a system. The scores of both, standardised over the systems to
# mean 0 and variance 1, are therefore swapped at random for every system, in samples of
# sentences. The paper swaps sentence scores. Here corpus scores are swapped, computed from
# statistics summed over the sentences of each sample, because most metrics' corpus scores are not
# means of sentence scores. The p-value is two-sided: the share of swaps after which the
# correlations with the human scores, resampled as well, differ by at least the observed
# difference.
#
# Soft pairwise accuracy (SPA): Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving
# statistical significance in human evaluation of automatic metrics via soft pairwise accuracy",
# arXiv 2409.09598:
#
#     SPA = 1 - mean over pairs of systems of |p_human - p_metric|
#
# with one-sided p-values of "the first system is better" from paired permutation tests: each
# sentence's difference changes its sign at random, with the same signs for all pairs. The paper
# counts a permuted sum that equals the observed one in full. Here it counts half (the
# mid-p-value, Lancaster 1961), so a constant metric has p = .5, whatever the order of systems.

# Equal correlations computed in another order differ in the last bits.
_ROUNDING = 1e-9
# Number of samples of sentences that are swapped at a time.
_SAMPLES_AT_ONCE = 50


def perm_both(
    scores: ArrayLike,
    samples: ArrayLike,
    human: ArrayLike,
    human_samples: ArrayLike,
    seed: int,
    n_resamples: int,
) -> Floats:
    """Return two-sided p-values of equal correlations for all pairs of metrics.

    One per pair of rows, in the order of `itertools.combinations`, shape (k (k - 1) / 2,). NaN if a
    correlation is NaN. Every sample of sentences has the same number of swaps, shared by all pairs,
    so there may be slightly more than `n_resamples`. The true arrangement counts as one of them
    (Phipson and Smyth 2010), so no p-value is 0.

    Args:
        scores: corpus scores of the systems by each metric, shape (k, n).
        samples: corpus scores on samples of sentences, shape (k, n_samples, n).
        human: the systems' human scores, shape (n,).
        human_samples: human scores on the same samples, shape (n_samples, n).
    """
    values, sample_scores = np.asarray(scores, np.float64), np.asarray(samples, np.float64)
    gold, gold_drawn = np.asarray(human, np.float64), np.asarray(human_samples, np.float64)
    r = pearson_of_rows(values, gold)
    pairs = np.array(list(combinations(range(len(values)), 2)), np.int64).reshape(-1, 2)
    observed = np.abs(r[pairs[:, 0]] - r[pairs[:, 1]])
    generator = np.random.Generator(np.random.PCG64(seed))
    n_samples = len(gold_drawn)
    swaps = -(-n_resamples // n_samples)
    reached, n_arrangements = np.zeros((2, len(pairs)))
    for start in range(0, n_samples, _SAMPLES_AT_ONCE):
        block = slice(start, start + _SAMPLES_AT_ONCE)
        block_scores = _standardised(np.moveaxis(sample_scores[:, block], 0, -1), axis=1)
        block_human = _standardised(gold_drawn[block], axis=1)[..., np.newaxis]
        is_swapped = generator.integers(
            0, 2, size=(len(block_human), swaps, gold.size), dtype=np.int8
        ).astype(np.float64)
        difference = np.abs(_swapped_differences(block_scores, block_human, pairs, is_swapped))
        # A sample with a missing score, or with equal scores of all systems, has no correlation.
        with np.errstate(invalid="ignore"):
            reached += (difference >= observed - _ROUNDING).sum(axis=(0, 1))
        n_arrangements += (~np.isnan(difference)).sum(axis=(0, 1))
    has_test = ~np.isnan(observed) & (n_arrangements > 0)
    return np.where(has_test, (reached + 1) / (n_arrangements + 1), np.nan)


def random_signs(n_permutations: int, n_sentences: int, seed: int) -> Floats:
    """Return signs of shape (n_permutations, n_sentences), 1 or -1 with equal probability."""
    generator = np.random.Generator(np.random.PCG64(seed))
    heads = generator.integers(0, 2, size=(n_permutations, n_sentences)).astype(np.float64)
    return 2 * heads - 1


def paired_permutation_p(differences: ArrayLike, signs: Floats) -> Floats:
    """Return the one-sided mid-p-value of a positive sum of each column: (n_sentences, k) to (k,).

    Sentences without judgments have a difference of 0.
    """
    columns = np.asarray(differences, dtype=np.float64)
    everything = resampled_sums(columns, np.vstack([np.ones(len(columns)), signs]))
    observed, permuted = everything[0], everything[1:]
    p: Floats = (permuted > observed).mean(axis=0) + (permuted == observed).mean(axis=0) / 2
    return p


def system_pair_differences(scores: ArrayLike) -> Floats:
    """Return the differences of all pairs: (n_systems, n_sentences) to (n_sentences, pairs)."""
    values = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(len(values), k=1)
    return np.ascontiguousarray((values[first] - values[second]).T)


def judged_pair_differences(wins: ArrayLike) -> Floats:
    """Return wins minus losses of every pair: (n_sentences, n, n) to (n_sentences, pairs)."""
    won = np.asarray(wins, dtype=np.float64)
    first, second = np.triu_indices(won.shape[-1], k=1)
    return won[:, first, second] - won[:, second, first]


def soft_pairwise_accuracy(p_human: ArrayLike, p_metric: ArrayLike) -> Floats:
    """Return 1 - mean |p_human - p_metric| over pairs: (pairs,) and (..., pairs) to (...)."""
    accuracy: Floats = 1 - np.abs(np.asarray(p_metric) - np.asarray(p_human)).mean(axis=-1)
    return accuracy


def _swapped_differences(
    scores: Floats, human: Floats, pairs: ArrayLike, is_swapped: Floats
) -> Floats:
    """Return the difference of the correlations of each pair after each swap of systems.

    Shape (samples, swaps, pairs). A swapped sum is the first metric's sum plus the second metric's
    excess over the swapped systems, so matrix products compute all pairs at once.

    Args:
        scores: standardised, shape (samples, systems, metrics).
        human: standardised, shape (samples, systems, 1).
        pairs: shape (pairs, 2).
        is_swapped: shape (samples, swaps, systems).
    """
    first, second = (scores[..., places] for places in np.asarray(pairs).T)
    more, squares = second - first, second**2 - first**2
    moved, moved_squares, moved_products = (
        is_swapped @ part for part in (more, squares, more * human)
    )
    n_systems = scores.shape[1]
    correlations = []
    for scores_of_one, sign in ((first, 1.0), (second, -1.0)):
        products = (scores_of_one * human).sum(axis=1, keepdims=True) + sign * moved_products
        spread = n_systems + sign * moved_squares - moved**2 / n_systems
        # After swapping two constants only rounding errors remain.
        spread = np.where(spread > _ROUNDING, spread, np.nan)
        correlations.append(products / np.sqrt(n_systems * spread))
    difference: Floats = correlations[0] - correlations[1]
    return difference


def _standardised(values: Floats, axis: int) -> Floats:
    """Scale values to mean 0 and variance 1 along an axis; NaN if they are all equal."""
    centred = values - values.mean(axis=axis, keepdims=True)
    # A constant such as 0.1 has rounding noise as deviations, which must not be scaled up.
    varies = values.max(axis=axis, keepdims=True) > values.min(axis=axis, keepdims=True)
    deviation = np.where(varies, values.std(axis=axis, keepdims=True), np.nan)
    scores: Floats = centred / deviation
    return scores
