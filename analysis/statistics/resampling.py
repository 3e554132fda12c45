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
# source sentence share its words, so the sentence is what gets drawn with replacement (Field and
# Welsh 2007, "Bootstrapping clustered data"): a draw gives each sentence a weight, and any ratio of
# sums over sentences is then one matrix product away from its bootstrap distribution.
#
# A matrix product adds in an order that depends on the number of BLAS threads and on the processor.
# The results here do not: values are rounded to a binary grid so coarse that every partial sum is
# exact in a double, and exact sums do not depend on their order. The rounding is below 1e-9 of the
# largest value even for 10,000 sentences.

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_EXACT_BITS = 52


class Intervals(NamedTuple):
    """Lower and upper bounds, one of each for every column."""

    low: Floats
    high: Floats


def cluster_weights(n_clusters: int, n_samples: int, seed: int | Sequence[int]) -> SampleWeights:
    """Return how often each cluster is drawn in each sample: shape (n_samples, n_clusters).

    Every row is a multinomial draw of `n_clusters` clusters with replacement, from PCG64; the
    same arguments give the same array everywhere. A thousand samples of 20,000 clusters are 40 MB:
    no count is larger than the number of clusters.

    Raises:
        ValueError: there is no cluster or no sample to draw.

    """
    if n_clusters < 1 or n_samples < 1:
        raise ValueError(
            f"expected at least one cluster and one sample, found {n_clusters} and {n_samples}"
        )
    return next(weights_in_blocks(n_clusters, n_samples, seed, n_samples))


def weights_in_blocks(
    n_clusters: int, n_samples: int, seed: int | Sequence[int], at_once: int
) -> Iterator[SampleWeights]:
    """Yield the rows of `cluster_weights`, so many samples at once: all of them may be large."""
    generator = np.random.Generator(np.random.PCG64(seed))
    for start in range(0, n_samples, at_once):
        weights = np.empty(
            (min(at_once, n_samples - start), n_clusters), np.min_scalar_type(n_clusters)
        )
        for row in weights:
            drawn = generator.integers(0, n_clusters, size=n_clusters)
            row[:] = np.bincount(drawn, minlength=n_clusters)
        yield weights


def ratio_intervals(
    numerators: ArrayLike, denominators: ArrayLike, weights: SampleWeights, level: float = 0.95
) -> Intervals:
    """Return percentile bounds of sum(numerators) / sum(denominators), for every column.

    Samples in which a denominator is zero (a rare error type none of whose sentences was drawn)
    are left out for that column; a column without any sample left gets NaN.

    Args:
        numerators: shape (n_clusters, k), sums within each cluster; a vector means k = 1.
        denominators: the same shape, such as numbers of pairs.
        weights: from `cluster_weights`.
        level: the share of samples between the bounds.

    Raises:
        ValueError: the shapes do not fit, a value is not finite, or the level is not in (0, 1).

    """
    upper = _columns(numerators)
    lower = _columns(denominators)
    if upper.shape != lower.shape or upper.shape[0] != weights.shape[1]:
        raise ValueError(
            f"expected numerators and denominators of one shape with {weights.shape[1]} clusters, "
            f"found shapes {upper.shape} and {lower.shape}"
        )
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, found {level}")
    sums, counts = np.split(resampled_sums(np.hstack([upper, lower]), weights), 2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(counts == 0, np.nan, sums / counts)
    return percentile_intervals(ratios, level)


def mean_intervals(
    sums: ArrayLike, counts: ArrayLike, weights: SampleWeights, level: float = 0.95
) -> Intervals:
    """Return percentile bounds of a mean, from each cluster's sum and number of values."""
    return ratio_intervals(sums, counts, weights, level)


def paired_p_values(differences: Floats) -> Floats:
    """Return two-sided p-values of paired differences, one a column.

    Twice the share of samples on the rarer side of zero, zeros on both sides, one sample added to
    each side so that no p-value is 0 (Koehn 2004, "Statistical significance tests for machine
    translation evaluation"; Davison and Hinkley 1997, section 4.2, for the added sample).

    Args:
        differences: of two systems in the same samples, shape (n_samples, k). NaN is left out; a
            column of nothing else has NaN.

    """
    below = (differences <= 0).sum(axis=0) + 1
    above = (differences >= 0).sum(axis=0) + 1
    n_samples = (~np.isnan(differences)).sum(axis=0)
    p: Floats = np.minimum(1, 2 * np.minimum(below, above) / (n_samples + 1))
    return np.where(n_samples > 0, p, np.nan)


def _columns(values: ArrayLike) -> Floats:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim == 1:
        matrix = matrix[:, np.newaxis]
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise ValueError(
            f"expected finite values of shape (clusters, columns), found shape {matrix.shape}"
        )
    return matrix


def resampled_sums(values: Floats, weights: SampleWeights) -> Floats:
    """Return the sum of each column in each sample: shape (n_samples, k).

    Columns are rounded first so that no sum can round, whatever its order.

    Args:
        values: shape (n_clusters, k), finite.
        weights: from `cluster_weights`, or columns of it.

    """
    # What the weights of a sample add up to bounds every partial sum.
    bound = np.abs(values).max(axis=0, initial=0.0) * weights.sum(axis=1).max(initial=0)
    _, exponents = np.frexp(bound)
    shift = _EXACT_BITS - exponents
    sums: Floats = np.ldexp(drawn_sums(weights, np.rint(np.ldexp(values, shift))), -shift)
    return sums


def percentile_intervals(samples: Floats, level: float) -> Intervals:
    """Return the bounds of what is no NaN in each column; NaN where nothing is left.

    Quantiles by Hazen's rule: NumPy's default makes intervals of 1,000 samples 0.5 % too narrow and
    those of 200 samples 2.3 %, Hazen's less than 0.1 % and 0.3 %. The chance of the samples is
    larger: a standard deviation of 3 % of the width for 1,000 samples, 1 % for 10,000.

    Args:
        samples: shape (n_samples, k).
        level: the share of samples between the bounds.

    """
    bounds = np.array([(1 - level) / 2, (1 + level) / 2])
    limits = np.full((bounds.size, samples.shape[1]), np.nan)
    undefined = np.isnan(samples)
    # Mostly all samples of a column have a value, or none: one sort for all of these columns.
    whole = ~undefined.any(axis=0)
    if whole.any():
        limits[:, whole] = np.quantile(samples[:, whole].T.copy(), bounds, axis=1, method="hazen")
    for column in np.flatnonzero(~whole & ~undefined.all(axis=0)):
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
    """Return what is too few for an interval, a test or a rank; None where nothing is.

    What is not given is not asked for.
    """
    if systems is not None and systems < LEAST_SYSTEMS:
        return "systems"
    if sentences is not None and sentences < LEAST_SENTENCES:
        return "sentences"
    if pairs is not None and pairs < LEAST_PAIRS:
        return "pairs"
    return None


def with_width(low: float, high: float) -> tuple[float, float]:
    """Return the bounds, NaN where no number lies between them: no interval is so sure."""
    return (low, high) if low < high else (math.nan, math.nan)


def n_effective(sizes: ArrayLike) -> float:
    """Return of how many equal clusters a mean would be as sure as of these (Kish 1965).

    Args:
        sizes: how many values each cluster has; not all are 0.

    """
    values = np.asarray(sizes, dtype=np.float64)
    return float(values.sum() ** 2 / (values**2).sum())


def expanded_level(level: float, n: float) -> float:
    """Return the level at which percentiles of a bootstrap of so few cover `level`.

    Percentiles are as narrow as intervals that take an estimated deviation for the true one: they
    are widened as Student's t widens those (Hesterberg 2015, "What teachers should know about the
    bootstrap", section 4.2).

    Args:
        level: the coverage to reach.
        n: how many equal clusters there are, more than 1.

    """
    t = scipy.special.stdtrit(n - 1, (1 + level) / 2) * math.sqrt(n / (n - 1))
    return float(2 * scipy.special.ndtr(t) - 1)


# --- Shares, means and ratios over sentences, with intervals ---


class Interval(NamedTuple):
    """A value with its bounds; None where there is nothing to estimate them from."""

    value: float
    low: float | None
    high: float | None

    def of_enough(self, sentences: int) -> "Interval":
        """Return it without bounds where the sentences are too few, or nothing varies."""
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
    # At 0 and at 1 a bound is the share itself, but for rounding.
    low, high = max(centre - reach, 0.0), min(centre + reach, 1.0)
    return Interval(observed, min(low, observed), max(high, observed))


def estimated_mean(values: Sequence[float], level: float) -> Interval:
    """Return the mean, plus and minus its standard error times the normal quantile."""
    numbers = np.asarray(values, dtype=np.float64)
    centre = math.fsum(numbers) / len(numbers)
    if len(numbers) < 2:
        return Interval(centre, None, None)
    error = math.sqrt(math.fsum((numbers - centre) ** 2) / (len(numbers) - 1) / len(numbers))
    reach = two_sided_quantile(level) * error
    return Interval(centre, centre - reach, centre + reach)


def estimated_ratio(sums: RatioSums, level: float) -> Interval:
    """Return the ratio of the sums of x and y, its interval symmetric for the logarithm.

    The variance of the logarithm is sum (x - r y)^2 / (sum x)^2, sentences being independent
    (the delta method). Without any x there are no bounds.
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
# A standard error falls with the root of the number of what was drawn, so that what some sentences
# have shown says how many more would show (Cohen 1988, "Statistical power analysis for the
# behavioral sciences", chapter 2, with the normal distribution):
#
#     n' = n ((z of 1 - alpha / 2 + z of power) se / |difference|)^2
#
# Not significant is not equal: two things are called equivalent where both one-sided tests at 5 %
# find them no further apart than a margin, which is where the 90 % interval of their difference
# lies within it (Schuirmann 1987; Lakens 2017, "Equivalence tests").

LEVEL = 0.95
POWER = 0.8
EQUIVALENCE_LEVEL = 0.9


def standard_error(low: float, high: float, level: float = LEVEL) -> float:
    """Return the standard error of which the bounds are an interval, as if it were normal."""
    return (high - low) / (2 * two_sided_quantile(level))


def units_to_tell(
    n: float, difference: float, error: float, level: float = LEVEL, power: float = POWER
) -> float:
    """Return how many units would tell such a difference from 0; infinite where there is none.

    Args:
        n: how many units there are.
        difference: the observed or the assumed difference.
        error: its standard error with the units that there are.
        level: of the two-sided test, 1 - alpha.
        power: the probability with which the test is to find it.

    """
    if difference == 0:
        return math.inf
    return n * ((two_sided_quantile(level) + _quantile(power)) * error / difference) ** 2


def units_to_equal(n: float, difference: float, error: float, margin: float) -> float:
    """Return how many units would show two things to be no further apart than a margin.

    Infinite where the difference is no smaller than the margin. With POWER, by two one-sided tests
    at 5 %; where the difference is 0 both of them have to reject.

    Args:
        n: how many units there are.
        difference: between the two.
        error: its standard error with the units that there are.
        margin: the largest difference that does not matter.

    """
    distance = margin - abs(difference)
    if distance <= 0:
        return math.inf
    power = (1 + POWER) / 2 if difference == 0 else POWER
    return n * ((two_sided_quantile(EQUIVALENCE_LEVEL) + _quantile(power)) * error / distance) ** 2


def power_of(difference: float, error: float, level: float = LEVEL) -> float:
    """Return how often a two-sided test finds such a difference with the units that there are."""
    limit, shift = two_sided_quantile(level), abs(difference) / error if error else math.inf
    return float(scipy.special.ndtr(shift - limit) + scipy.special.ndtr(-shift - limit))


def margin_shown(difference: float, error: float) -> float:
    """Return the smallest margin within which two one-sided tests at 5 % find the difference."""
    return abs(difference) + two_sided_quantile(EQUIVALENCE_LEVEL) * error


def _quantile(share: float) -> float:
    return float(scipy.special.ndtri(share))
