"""Resampling of sentences: bootstrap intervals, estimates with bounds, sample sizes."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.sample_weights import SampleWeights, drawn_sums

# --- Bootstrap of clusters (source sentences), equal on every machine ---
#
# Efron (1979), "Bootstrap methods: another look at the jackknife". Nodes, chains and pairs of one
# source sentence share its words, so sentences are sampled with replacement (Field and Welsh 2007,
# "Bootstrapping clustered data"). A sample gives each sentence a weight.
#
# The summation order of a matrix product depends on the number of BLAS threads and on the
# processor. Values are therefore rounded to a binary grid so coarse that every partial sum is exact
# in a double. The rounding is below 1e-9 of the largest value even for 10,000 sentences.

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_EXACT_BITS = 52


class Intervals(NamedTuple):
    low: Floats
    high: Floats


def cluster_weights(n_clusters: int, n_samples: int, seed: int | Sequence[int]) -> SampleWeights:
    """Return how often each sample contains each cluster, shape (n_samples, n_clusters).

    Every row is a multinomial sample of `n_clusters` clusters with replacement. A thousand samples
    of 20,000 clusters take 40 MB.
    """
    return next(weights_in_blocks(n_clusters, n_samples, seed, n_samples))


def weights_in_blocks(
    n_clusters: int, n_samples: int, seed: int | Sequence[int], at_once: int
) -> Iterator[SampleWeights]:
    generator = np.random.Generator(np.random.PCG64(seed))
    for start in range(0, n_samples, at_once):
        shape = (min(at_once, n_samples - start), n_clusters)
        weights = np.empty(shape, np.min_scalar_type(n_clusters))
        # One row at a time would be slow for few clusters, all rows would need much memory.
        for rows in np.array_split(weights, 1 + weights.size // 100_000):
            clusters = generator.integers(0, n_clusters, size=rows.shape)
            clusters += np.arange(len(rows))[:, np.newaxis] * n_clusters
            rows[:] = np.bincount(clusters.ravel(), minlength=rows.size).reshape(rows.shape)
        yield weights


def ratio_intervals(
    numerators: ArrayLike, denominators: ArrayLike, weights: SampleWeights, level: float = 0.95
) -> Intervals:
    """Return percentile intervals of sum(numerators) / sum(denominators), for every column.

    Samples with a denominator of zero (a rare error type without sampled sentences) are ignored for
    that column. A column without remaining samples gets NaN.

    Args:
        numerators: sums within each cluster, shape (n_clusters, k) or (n_clusters,).
        denominators: the same shape, such as numbers of pairs.
    """
    upper = np.asarray(numerators, np.float64).reshape(weights.shape[1], -1)
    lower = np.asarray(denominators, np.float64).reshape(weights.shape[1], -1)
    sums, counts = np.split(resampled_sums(np.hstack([upper, lower]), weights), 2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(counts == 0, np.nan, sums / counts)
    return percentile_intervals(ratios, level)


def paired_p_values(differences: Floats) -> Floats:
    """Return two-sided p-values of paired differences, one per column of (n_samples, k).

    A p-value is twice the share of samples on the rarer side of zero. Zeros count on both sides,
    and one sample is added to each side so that no p-value is 0 (Koehn 2004, "Statistical
    significance tests for machine translation evaluation"; Davison and Hinkley 1997, section 4.2,
    for the added sample). NaN is ignored; a column with only NaN has a p-value of NaN.
    """
    below = (differences <= 0).sum(axis=0) + 1
    above = (differences >= 0).sum(axis=0) + 1
    n_samples = (~np.isnan(differences)).sum(axis=0)
    p: Floats = np.minimum(1, 2 * np.minimum(below, above) / (n_samples + 1))
    return np.where(n_samples > 0, p, np.nan)


def resampled_sums(values: Floats, weights: SampleWeights) -> Floats:
    """Return the sum of each column in each sample, shape (n_samples, k).

    Columns, shape (n_clusters, k), are rounded first, so that all sums are exact in any order.
    """
    # The sum of a sample's weights bounds every partial sum.
    bound = np.abs(values).max(axis=0, initial=0.0) * weights.sum(axis=1).max(initial=0)
    _, exponents = np.frexp(bound)
    shift = _EXACT_BITS - exponents
    sums: Floats = np.ldexp(drawn_sums(weights, np.rint(np.ldexp(values, shift))), -shift)
    return sums


def percentile_intervals(samples: Floats, level: float) -> Intervals:
    """Return the percentile interval of each column of (n_samples, k), without its NaN values.

    Quantiles follow Hazen's rule, because NumPy's default makes intervals of 200 samples 2.3 % too
    narrow.
    """
    bounds = np.array([(1 - level) / 2, (1 + level) / 2])
    limits = np.full((bounds.size, samples.shape[1]), np.nan)
    undefined = np.isnan(samples)
    # In most columns either all samples have a value or none has, so one sort handles these
    # columns.
    is_complete = ~undefined.any(axis=0)
    if is_complete.any():
        limits[:, is_complete] = np.quantile(
            samples[:, is_complete].T.copy(), bounds, axis=1, method="hazen"
        )
    for column in np.flatnonzero(~is_complete & ~undefined.all(axis=0)):
        limits[:, column] = np.quantile(
            samples[~undefined[:, column], column], bounds, method="hazen"
        )
    return Intervals(*limits)


# --- Minimum sizes for inference ---

LEAST_SYSTEMS = 5
LEAST_SENTENCES = 20
LEAST_PAIRS = 20


def too_few(
    *, systems: int | None = None, sentences: int | None = None, pairs: int | None = None
) -> str | None:
    """Return what there is too little of for an interval, a test or a rank; None if nothing."""
    if systems is not None and systems < LEAST_SYSTEMS:
        return "systems"
    if sentences is not None and sentences < LEAST_SENTENCES:
        return "sentences"
    if pairs is not None and pairs < LEAST_PAIRS:
        return "pairs"
    return None


def with_width(low: float, high: float) -> tuple[float, float]:
    """Return the bounds, NaN if they are equal, because an interval of width 0 is not credible."""
    return (low, high) if low < high else (math.nan, math.nan)


def n_effective(sizes: ArrayLike) -> float:
    """Return the effective number of equal clusters for a mean (Kish 1965)."""
    values = np.asarray(sizes, dtype=np.float64)
    return float(values.sum() ** 2 / (values**2).sum())


def expanded_level(level: float, n: float) -> float:
    """Return the level at which bootstrap percentiles of n equal clusters cover `level`.

    Percentile intervals are as narrow as intervals that treat an estimated deviation as known. They
    are widened as Student's t widens those (Hesterberg 2015, "What teachers should know about the
    bootstrap", section 4.2).
    """
    t = scipy.special.stdtrit(n - 1, (1 + level) / 2) * math.sqrt(n / (n - 1))
    return float(2 * scipy.special.ndtr(t) - 1)


# --- Shares, means and ratios over sentences, with intervals ---


class Interval(NamedTuple):
    """The bounds are None if they cannot be estimated."""

    value: float
    low: float | None
    high: float | None

    def with_enough_sentences(self, sentences: int) -> "Interval":
        if too_few(sentences=sentences) or self.low == self.high:
            return Interval(self.value, None, None)
        return self


class RatioSums(NamedTuple):
    """Sums over sentences of two counts x and y, of their squares, and of their product."""

    x: float
    y: float
    xx: float
    xy: float
    yy: float


def estimated_share(count: float, n: int, level: float) -> Interval:
    """Return the share of `count` among n with Wilson's interval (Wilson 1927)."""
    z = two_sided_quantile(level)
    observed = count / n
    centre = (count + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * math.sqrt(n * observed * (1 - observed) + z * z / 4)
    # At 0 and at 1 a bound equals the share, except for rounding.
    low, high = max(centre - reach, 0.0), min(centre + reach, 1.0)
    return Interval(observed, min(low, observed), max(high, observed))


def estimated_mean(values: Sequence[float], level: float) -> Interval:
    numbers = np.asarray(values, dtype=np.float64)
    centre = math.fsum(numbers) / len(numbers)
    if len(numbers) < 2:
        return Interval(centre, None, None)
    error = math.sqrt(math.fsum((numbers - centre) ** 2) / (len(numbers) - 1) / len(numbers))
    reach = two_sided_quantile(level) * error
    return Interval(centre, centre - reach, centre + reach)


def estimated_ratio(sums: RatioSums, level: float) -> Interval:
    """Return the ratio of the sums of x and y, with an interval that is symmetric in the logarithm.

    The variance of the logarithm is sum (x - r y)^2 / (sum x)^2 for independent sentences (the
    delta method). If the sum of x is 0, there are no bounds.
    """
    observed = sums.x / sums.y
    if sums.x == 0:
        return Interval(0.0, None, None)
    squares = sums.xx - 2 * observed * sums.xy + observed**2 * sums.yy
    reach = math.exp(two_sided_quantile(level) * math.sqrt(max(squares, 0.0)) / sums.x)
    return Interval(observed, observed / reach, observed * reach)


def two_sided_quantile(level: float) -> float:
    """Return the normal quantile z such that an interval of +- z standard errors has the level."""
    return float(scipy.special.ndtri((1 + level) / 2))


# --- Sample sizes for a given power ---
#
# Cohen (1988), "Statistical power analysis for the behavioral sciences", chapter 2, with the normal
# distribution:
#
#     n' = n ((z of 1 - alpha / 2 + z of power) se / |difference|)^2
#
# Two systems or metrics are equivalent if both one-sided tests at 5 % show that they differ by less
# than a margin, so if the 90 % interval of their difference lies within the margin (Schuirmann
# 1987; Lakens 2017, "Equivalence tests").

LEVEL = 0.95
POWER = 0.8
EQUIVALENCE_LEVEL = 0.9


def standard_error(low: float, high: float) -> float:
    return (high - low) / (2 * two_sided_quantile(LEVEL))


def units_to_tell(n: float, difference: float, error: float) -> float:
    """Return the sample size at which the difference would be significant; infinite if it is 0."""
    if difference == 0:
        return math.inf
    return n * ((two_sided_quantile(LEVEL) + _quantile(POWER)) * error / difference) ** 2


def units_to_equal(n: float, difference: float, error: float, margin: float) -> float:
    """Return the sample size that would show equivalence within a margin; may be infinite."""
    distance = margin - abs(difference)
    if distance <= 0:
        return math.inf
    # If the difference is 0, both tests must reject.
    power = (1 + POWER) / 2 if difference == 0 else POWER
    return n * ((two_sided_quantile(EQUIVALENCE_LEVEL) + _quantile(power)) * error / distance) ** 2


def power_of(difference: float, error: float) -> float:
    limit, shift = two_sided_quantile(LEVEL), abs(difference) / error if error else math.inf
    return float(scipy.special.ndtr(shift - limit) + scipy.special.ndtr(-shift - limit))


def margin_shown(difference: float, error: float) -> float:
    """Return the smallest margin within which two one-sided tests at 5 % show equivalence."""
    return abs(difference) + two_sided_quantile(EQUIVALENCE_LEVEL) * error


def _quantile(share: float) -> float:
    return float(scipy.special.ndtri(share))
