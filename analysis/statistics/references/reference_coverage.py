"""Coverage: the share of valid corrections that M references of a sentence hold, in expectation.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 2.2: a correction
is drawn as people make it, and so are the references; coverage is the probability that it is among
them. They drew; here it is summed.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom

from maege.analysis.statistics.references.unseen import Distribution

Array = NDArray[np.float64]

# Grid points below it hold what an interior-point solver leaves of a zero.
NO_MASS = 1e-6
# Nodes of the trapezoid rule over the logarithm of time; twice as many change no fifth digit.
NODES = 160
WHOLE = 1e-9


def expected_coverage(distribution: Distribution, n_references: ArrayLike) -> Array:
    """Return the expected coverage of each number of references, drawn with replacement.

    sum_j h_j x_j (1 - (1 - x_j)^M): a variant is covered unless all M references miss it.
    """
    drawn = np.asarray(n_references, dtype=float)
    missed = (1 - np.minimum(distribution.frequencies, 1.0)) ** drawn[..., None]
    return np.asarray((distribution.mass * (1 - missed)).sum(axis=-1))


def expected_distinct_coverage(distribution: Distribution, most_references: int) -> Array:
    """Return the expected coverage of 1, 2 ... `most_references` references that all differ.

    References are drawn one after the other, each from the variants not drawn yet. Let every
    variant arrive after a time of its own, exponential with its frequency as the rate: they arrive
    in the order of such draws, and a variant is among the first M if fewer than M others arrive
    before it. So variant i is covered with probability

        integral of x_i exp(-x_i t) P(fewer than M others arrived at t) dt,

    where the number of arrivals is a sum of independent Bernoulli variables: its probabilities are
    the coefficients of a product over variants. Of 2.3 variants, two are there and a third with
    probability .3. As many references as there are variants cover all of them.
    """
    kept = distribution.mass > NO_MASS
    frequencies, variants = distribution.frequencies[kept], distribution.variants[kept]
    logs = np.linspace(np.log(1e-6), np.log(60 / frequencies.min()), NODES)
    times = np.exp(logs)
    arrived = 1 - np.exp(-np.outer(times, frequencies))
    density = frequencies * (1 - arrived) * times[:, None] * (logs[1] - logs[0])
    before = _products(arrived, variants, most_references)
    after = _products(arrived[:, ::-1], variants[::-1], most_references)[::-1]
    covered = np.zeros(most_references)
    for j, count in enumerate(variants):
        with_twins = _times(before[j], _row(arrived[:, j], max(count - 1, 0.0), most_references))
        few = _times(with_twins, after[j]).cumsum(axis=1)
        probability = np.minimum((density[:, j, None] * few).sum(axis=0), 1.0)
        covered += count * frequencies[j] * probability
    covered[math.ceil(variants.sum() - WHOLE) - 1 :] = (frequencies * variants).sum()
    return covered


def _products(arrived: Array, variants: Array, length: int) -> list[Array]:
    """Return, for each column, the distribution of how many variants of those before it arrived."""
    polynomial = np.zeros((len(arrived), length))
    polynomial[:, 0] = 1.0
    products = []
    for j, count in enumerate(variants):
        products.append(polynomial)
        polynomial = _times(polynomial, _row(arrived[:, j], count, length))
    return products


def _row(arrived: Array, count: float, length: int) -> Array:
    """Return the distribution of how many of `count` variants arrived, one row a point of time."""
    whole = math.floor(count + WHOLE)
    numbers = np.arange(min(length, whole + 1))
    certain = binom.pmf(numbers[None, :], whole, arrived[:, None])
    part = max(count - whole, 0.0) * arrived[:, None]
    grown = np.pad(certain, ((0, 0), (0, 1)))
    grown[:, 1:] = certain * part + grown[:, 1:] * (1 - part)
    grown[:, 0] *= (1 - part)[:, 0]
    return grown[:, :length]


def _times(polynomial: Array, factor: Array) -> Array:
    product = np.zeros_like(polynomial)
    for power in range(factor.shape[1]):
        product[:, power:] += factor[:, power, None] * polynomial[:, : product.shape[1] - power]
    return product
