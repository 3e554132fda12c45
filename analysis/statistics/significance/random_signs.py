"""Test whether a ratio of sums over sentences is 0 by random signs, and invert the test.

What each sentence adds gets a random sign (Fisher 1935, "The design of experiments"; Edgington
1964, "Randomization tests"). Under the null hypothesis a sentence is as likely to favour one side
as the other, whatever its number of pairs. Pairs of one sentence share words, so only sentences are
taken as independent.

The interval holds the ratios that the same test does not reject, so that the interval contains 0
where the p-value is above 1 - level, and nowhere else. With a ratio between that of the sentences
with a positive sign and that of the others, a choice of signs moves the sum at least as far as it
was observed (typical values: Hartigan 1969, "Using subsample values as typical values").
"""

import math
from typing import NamedTuple

import numpy as np

from maege.analysis.metrics.scores.score import SINGLES
from maege.analysis.sample_weights import drawn_sums
from maege.analysis.statistics.samples.bootstrap import Floats

SIGNS_AT_ONCE = 1000


class SignTests(NamedTuple):
    """Bounds of each ratio and the two-sided p-value of a ratio of 0, each of shape (k,).

    The bounds are infinite or NaN where the choices of signs are too few for the level.
    """

    low: Floats
    high: Floats
    p_value: Floats


def sign_tests(gains: Floats, sizes: Floats, level: float, n_signs: int, seed: int) -> SignTests:
    """Test sum(gains) / sum(sizes) = 0 for each column.

    Args:
        gains: what each sentence adds, whole numbers or halves, shape (sentences, k).
        sizes: how many pairs each sentence has, of the same shape.
        level: confidence level of the intervals.
        n_signs: number of choices of signs.
        seed: of the signs.

    """
    signed = signed_sums(np.concatenate([gains, sizes], axis=1), n_signs, seed)
    signed_gains, signed_sizes = np.split(signed, 2, axis=1)
    return sums_tested(signed_gains, signed_sizes, level)


def signed_sums(values: Floats, n_signs: int, seed: int) -> Floats:
    """Return sums over sentences with random signs, shape (1 + n_signs, k).

    All signs of the first row are positive. No sum of whole numbers rounds, so that the result does
    not depend on the order of summation.
    """
    observed = values.sum(axis=0)
    # Half the bytes where whole numbers and halves are exact in 32 bits.
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
    """Return the tests of sums that `signed_sums` returned: each of shape (1 + n_signs, k)."""
    observed, drawn = gains[0], gains[1:]
    reached = (np.abs(drawn) >= np.abs(observed)).sum(axis=0)
    p_value = (reached + 1) / len(gains)
    # A ratio is rejected by fewer choices of signs than this.
    rank = math.floor(round((1 - level) * len(gains), 9))
    if rank < 1:
        unknown = np.full(observed.shape, np.nan)
        return SignTests(unknown, unknown, p_value)
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = (observed + drawn) / (sizes[0] + sizes[1:])
        negative = (observed - drawn) / (sizes[0] - sizes[1:])
    # Signs that are the same for all sentences with pairs reject nothing.
    is_one_sided = np.isnan(positive) | np.isnan(negative)
    lower = np.where(is_one_sided, -np.inf, np.minimum(positive, negative))
    upper = np.where(is_one_sided, np.inf, np.maximum(positive, negative))
    low = np.partition(lower, rank - 1, axis=0)[rank - 1]
    high = np.partition(upper, -rank, axis=0)[-rank]
    return SignTests(low, high, p_value)
