"""Estimate how many of all valid corrections the references cover."""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, gammaln

from maege.analysis.statistics.resampling import two_sided_quantile

# --- UnseenEst: number and frequency of variants, unseen ones included ---
#
# Zou et al. 2016 (Nature Communications 7:13293), as Choshen and Abend 2018 used it for corrections
# of a sentence. The histogram of n answers is f_1, f_2, ...: f_i variants were seen i times. Among
# all distributions over a grid of frequencies x_j, with h_j variants at x_j, a linear programme
# chooses the one whose expected histogram is nearest:
#
#     minimise    sum_i |sum_j binom(i; n, x_j) h_j - f_i| / sqrt(f_i + 1)
#     subject to  sum_j x_j h_j = 1,  sum_j h_j <= 65 million,  h_j >= 0
#
# Frequencies grow by 5 % from 1 / (100 n) to len(f) / n, and f is padded with ceil(sqrt(len(f)))
# zeros. The programme is solved for the masses x_j h_j, which have similar magnitudes.
#
# Its authors (Valiant and Valiant 2017, J. ACM 64:37, and their program of 2013) use it only for
# rare counts. A count i is frequent if fewer than sqrt(i) variants were seen between
# i - ceil(sqrt(i)) and i + ceil(sqrt(i)) times: the frequency is then the observed one, and the
# programme distributes the remaining mass.

Array = NDArray[np.float64]

GRID_FACTOR = 1.05


@dataclass(frozen=True)
class Distribution:
    frequencies: Array
    variants: Array

    @property
    def mass(self) -> Array:
        return self.frequencies * self.variants


def sample_size(histogram: Sequence[int]) -> int:
    size = sum(times * count for times, count in enumerate(histogram, start=1))
    if not size or min(histogram) < 0:
        raise ValueError(f"expected a histogram of at least one answer, found {list(histogram)}")
    return size


def unseen_estimate(histogram: Sequence[int]) -> Distribution:
    """Return the estimate from f_1, f_2, ... without zeros at the end.

    Raises ValueError if the histogram is empty, or if the solver fails.
    """
    return _solved(histogram, sample_size(histogram), 1.0)


def rare_unseen_estimate(histogram: Sequence[int]) -> Distribution:
    """Return observed frequent variants and estimated rare ones, like `unseen_estimate`."""
    size = sample_size(histogram)
    counts = np.asarray(histogram, dtype=float)
    times = np.arange(1, len(counts) + 1)
    frequent = frequent_counts(histogram)
    frequent_variants = Distribution(times[frequent] / size, counts[frequent])
    rare = np.where(frequent, 0, counts)
    if not rare.any():
        return frequent_variants
    most = int(times[rare > 0].max())
    rare_variants = _solved(rare[:most], size, float((rare * times).sum()) / size)
    return Distribution(
        np.concatenate([rare_variants.frequencies, frequent_variants.frequencies]),
        np.concatenate([rare_variants.variants, frequent_variants.variants]),
    )


def frequent_counts(histogram: Sequence[int]) -> NDArray[np.bool_]:
    around = [math.ceil(math.sqrt(times)) for times in range(1, len(histogram) + 1)]
    return np.array(
        [
            count > 0
            and sum(histogram[max(0, times - 1 - reach) : times + reach]) < math.sqrt(times)
            for times, (count, reach) in enumerate(zip(histogram, around, strict=True), start=1)
        ],
        dtype=bool,
    )


def _solved(histogram: ArrayLike, size: int, mass: float) -> Distribution:
    counts = np.asarray(histogram, dtype=float)
    lowest = 0.01 / size
    steps = math.ceil(math.log(len(counts) / size / lowest) / math.log(GRID_FACTOR))
    grid = lowest * GRID_FACTOR ** np.arange(steps + 1)
    expected_counts = np.concatenate([counts, np.zeros(math.ceil(math.sqrt(len(counts))))])
    rows = len(expected_counts)
    times = np.arange(1, rows + 1)
    expected = (
        scipy.stats.binom.pmf(times[:, None], size, np.minimum(grid, 1.0)[None, :]) / grid[None, :]
    )
    weights = 1 / np.sqrt(expected_counts + 1)
    identity = np.eye(rows)
    solved = scipy.optimize.linprog(
        np.concatenate([np.zeros(len(grid)), weights, weights]),
        A_ub=np.concatenate([1 / grid, np.zeros(2 * rows)])[None, :],
        b_ub=[65e6],
        A_eq=np.block([[expected, -identity, identity], [np.ones(len(grid)), np.zeros(2 * rows)]]),
        b_eq=np.append(expected_counts, mass),
        method="highs",
    )
    if solved.status != 0:
        raise ValueError(f"UnseenEst of {counts.tolist()} has no solution: {solved.message}")
    masses = solved.x[: len(grid)]
    # Smaller masses are numerical residues of zero.
    has_mass = masses > 1e-12
    # The last step of the grid may exceed 1, which is not a frequency.
    frequencies = np.minimum(grid[has_mass], 1.0)
    return Distribution(frequencies, masses[has_mass] / frequencies)


# --- Parametric bootstrap of an estimate ---
#
# Resampling the observed answers loses unseen variants: on simulated populations, the percentiles
# contain the true coverage in 0 to 85 of 100 cases. Answers are therefore sampled from the
# estimated distribution, unseen variants included (Efron and Tibshirani 1993, section 6.5).
# tests/simulations/coverage_estimators.py measures the coverage of these intervals.


def count_histogram(counts: Sequence[int]) -> list[int]:
    return [int(count) for count in np.bincount(counts)[1:]]


def redrawn_estimates(
    histogram: Sequence[int],
    estimate_of: Callable[[Sequence[int]], Distribution],
    redraws: int,
    seed: int,
) -> Iterator[tuple[list[int], Distribution]]:
    """Yield the histogram and its estimate, then those of each resample of its answers."""
    estimate = estimate_of(tuple(histogram))
    yield list(histogram), estimate
    digest = hashlib.md5(repr(list(histogram)).encode(), usedforsecurity=False).digest()
    generator = np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])
    masses = estimate.mass / estimate.mass.sum()
    variants = np.maximum(np.ceil(estimate.variants - 1e-9), 1).astype(np.int64)
    for _ in range(redraws):
        rows = generator.choice(len(masses), size=sample_size(histogram), p=masses)
        variant = generator.integers(0, variants[rows])
        _, counts = np.unique(rows * variants.max() + variant, return_counts=True)
        redrawn = count_histogram(counts.tolist())
        yield redrawn, estimate_of(tuple(redrawn))


# --- Expected coverage of M references ---
#
# Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 2.2: a correction
# and the references are sampled from the distribution of people's corrections. Coverage is the
# probability that the correction is among the references.

# Nodes of the trapezoid rule over the logarithm of time. With 320 nodes the fifth digit is the
# same.
NODES = 160
ROUNDING = 1e-9


def expected_coverage(distribution: Distribution, n_references: ArrayLike) -> Array:
    """Return sum_j h_j x_j (1 - (1 - x_j)^M): M references are sampled with replacement."""
    n_sampled = np.asarray(n_references, dtype=float)
    missed = (1 - np.minimum(distribution.frequencies, 1.0)) ** n_sampled[..., None]
    return np.asarray((distribution.mass * (1 - missed)).sum(axis=-1))


def expected_distinct_coverage(distribution: Distribution, most_references: int) -> Array:
    """Return the expected coverage of 1, 2 ... `most_references` references that all differ.

    References are sampled one after the other, each from the remaining variants. Equivalently,
    every variant arrives after an exponential time with its frequency as the rate, and is among the
    first M if fewer than M others arrive before it. Variant i is covered with probability

        integral of x_i exp(-x_i t) P(fewer than M others arrived at t) dt.

    The number of arrivals is a sum of independent Bernoulli variables, so its probabilities are the
    coefficients of a product over variants. A fractional number of variants such as 2.3 means two
    variants and a third one with probability 0.3.
    """
    # Smaller values at grid points are numerical residues of an interior-point solver.
    has_mass = distribution.mass > 1e-6
    frequencies, variants = distribution.frequencies[has_mass], distribution.variants[has_mass]
    logs = np.linspace(np.log(1e-6), np.log(60 / frequencies.min()), NODES)
    times = np.exp(logs)
    arrived = 1 - np.exp(-np.outer(times, frequencies))
    density = frequencies * (1 - arrived) * times[:, None] * (logs[1] - logs[0])
    before = _products(arrived, variants, most_references)
    after = _products(arrived[:, ::-1], variants[::-1], most_references)[::-1]
    covered = np.zeros(most_references)
    for j, count in enumerate(variants):
        with_twins = _product(
            before[j], _arrivals(arrived[:, j], max(count - 1, 0.0), most_references)
        )
        fewer_than = _product(with_twins, after[j]).cumsum(axis=1)
        probability = np.minimum((density[:, j, None] * fewer_than).sum(axis=0), 1.0)
        covered += count * frequencies[j] * probability
    covered[math.ceil(variants.sum() - ROUNDING) - 1 :] = (frequencies * variants).sum()
    return covered


def _products(arrived: Array, variants: Array, length: int) -> list[Array]:
    polynomial = np.zeros((len(arrived), length))
    polynomial[:, 0] = 1.0
    products = []
    for j, count in enumerate(variants):
        products.append(polynomial)
        polynomial = _product(polynomial, _arrivals(arrived[:, j], count, length))
    return products


def _arrivals(arrived: Array, count: float, length: int) -> Array:
    n_certain = math.floor(count + ROUNDING)
    numbers = np.arange(min(length, n_certain + 1))
    certain = scipy.stats.binom.pmf(numbers[None, :], n_certain, arrived[:, None])
    part = max(count - n_certain, 0.0) * arrived[:, None]
    grown = np.pad(certain, ((0, 0), (0, 1)))
    grown[:, 1:] = certain * part + grown[:, 1:] * (1 - part)
    grown[:, 0] *= (1 - part)[:, 0]
    return grown[:, :length]


def _product(polynomial: Array, factor: Array) -> Array:
    product = np.zeros_like(polynomial)
    for power in range(factor.shape[1]):
        product[:, power:] += factor[:, power, None] * polynomial[:, : product.shape[1] - power]
    return product


# --- Coverage from a histogram, without a linear programme (Chao and Jost 2012) ---
#
# "Coverage-based rarefaction and extrapolation" (Ecology 93:2533), after Good and Turing: a sample
# of n answers covers a share of 1 - f_1 / n of the population.


def rarefied_coverage(histogram: Sequence[int], most_references: int) -> Array:
    """Return the coverage of 1, 2 ... `most_references` answers, after Chao and Jost.

    Below the sample size n: the share of answers whose variant is among m of the other n - 1
    answers, averaged over all choices. From n on, the missing share decreases geometrically.
    """
    size = sample_size(histogram)
    once, twice = histogram[0], histogram[1] if len(histogram) > 1 else 0
    numbers = np.arange(1, most_references + 1)
    smaller = numbers[numbers < size][:, None]
    times = np.arange(1, len(histogram) + 1)[None, :]
    counts = np.asarray(histogram, dtype=float)[None, :]
    # C(n - x, m) / C(n - 1, m): the probability that none of m other answers has a variant seen x
    # times.
    possible = size - times >= smaller
    log_missed = np.where(
        possible,
        gammaln(size - times + 1)
        - gammaln(np.maximum(size - times - smaller, 0) + 1)
        - gammaln(size)
        + gammaln(size - smaller),
        -np.inf,
    )
    inside = 1 - (counts * times / size * np.exp(log_missed)).sum(axis=1)
    if twice:
        ratio = (size - 1) * once / ((size - 1) * once + 2 * twice)
    else:
        ratio = (size - 1) * (once - 1) / ((size - 1) * (once - 1) + 2) if once > 1 else 0.0
    beyond = numbers[numbers >= size] - size
    outside = 1 - once / size * ratio ** (beyond + 1)
    return np.concatenate([inside, outside])


# --- Coverage by number of references, with intervals ---


class Curve(NamedTuple):
    """Coverage of 1, 2 ... references, and the standard error of each."""

    shares: Array
    errors: Array

    def sure_to(self, n_references: int) -> "Curve":
        has_error = np.arange(1, len(self.shares) + 1) <= n_references
        return Curve(self.shares, np.where(has_error, self.errors, np.nan))

    def interval(self, level: float) -> tuple[Array, Array]:
        """Return the bounds of the coverage, NaN if it is 0 or 1 or has no error.

        They are symmetric on the scale of log odds, whose derivative is 1 / (p (1 - p)).
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(self.shares / (1 - self.shares))
            reach = two_sided_quantile(level) * self.errors
            reach = reach / (self.shares * (1 - self.shares))
            return expit(odds - reach), expit(odds + reach)


def unseen_curve(estimates: Sequence[Distribution], most_references: int) -> Curve:
    numbers = np.arange(1, most_references + 1)
    return _curve([expected_coverage(distribution, numbers) for distribution in estimates])


def good_turing_curve(
    histogram: Sequence[int], redrawn: Sequence[Sequence[int]], most_references: int
) -> Curve:
    return _curve([rarefied_coverage(h, most_references) for h in (histogram, *redrawn)])


def corpus_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean curve over sentences, with the error of a mean over a sample of sentences.

    The variance between sentences includes the error of each estimate, which is the only known
    error of a single sentence. If a sentence has no error, the mean has none.
    """
    shares = np.stack([curve.shares for curve in curves])
    estimate_error = np.sqrt((np.stack([curve.errors for curve in curves]) ** 2).sum(axis=0))
    sampling_error = (
        shares.std(axis=0, ddof=1) * np.sqrt(len(shares)) if len(shares) > 1 else estimate_error
    )
    return Curve(shares.mean(axis=0), np.maximum(sampling_error, estimate_error) / len(shares))


def _curve(shares: Sequence[Array]) -> Curve:
    """Return the curve of the first shares; its errors are the spread over the others."""
    original, *resampled = shares
    has_spread = len(resampled) > 1
    errors = np.std(resampled, axis=0, ddof=1) if has_spread else np.full_like(original, np.nan)
    return Curve(original, errors)
