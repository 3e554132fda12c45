"""Coverage and number of variants from a histogram of a sample, without a linear programme.

Good 1953 (Biometrika 40:237) and Turing: the share of the population that a sample of n holds is
1 - f_1 / n. Its standard error is Esty's (1983, Annals of Statistics 11:905), as Chao and Lee 1992
(JASA 87:210) use it. For samples smaller and larger than the one at hand: Chao and Jost 2012
(Ecology 93:2533). Number of variants, a lower bound: Chao 1984 (Scandinavian Journal of Statistics
11:265), with the log-normal interval of Chao 1987 (Biometrics 43:783).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import norm

from maege.analysis.statistics.unseen import sample_size

Array = NDArray[np.float64]


class Estimate(NamedTuple):
    """A number with the bounds of its interval."""

    value: float
    low: float
    high: float


def good_turing_coverage(histogram: Sequence[int], level: float = 0.95) -> Estimate:
    """Return the share of the population that the sample holds, with Chao and Lee's interval."""
    size = sample_size(histogram)
    once, twice = _once_and_twice(histogram)
    value = 1 - once / size
    error = math.sqrt(max(once + 2 * twice - once**2 / size, 0.0)) / size
    reach = float(norm.ppf((1 + level) / 2)) * error
    return Estimate(value, max(value - reach, 0.0), min(value + reach, 1.0))


def rarefied_coverage(histogram: Sequence[int], most_references: int) -> Array:
    """Return the coverage of 1, 2 ... `most_references` answers, after Chao and Jost.

    Below the sample's n it is unbiased: the share of answers whose variant is among m of the other
    n - 1, over all choices. From n on the answers still missed thin out geometrically.
    """
    size = sample_size(histogram)
    once, twice = _once_and_twice(histogram)
    wanted = np.arange(1, most_references + 1)
    smaller = wanted[wanted < size][:, None]
    times = np.arange(1, len(histogram) + 1)[None, :]
    counts = np.asarray(histogram, dtype=float)[None, :]
    # C(n - x, m) / C(n - 1, m): none of m other answers is of a variant that was seen x times.
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
    beyond = wanted[wanted >= size] - size
    outside = 1 - once / size * ratio ** (beyond + 1)
    return np.concatenate([inside, outside])


def chao1(histogram: Sequence[int], level: float = 0.95) -> Estimate:
    """Return a lower bound of the number of variants, seen and unseen, with its interval."""
    size = sample_size(histogram)
    seen = sum(histogram)
    once, twice = _once_and_twice(histogram)
    shrink = (size - 1) / size
    if twice:
        ratio = once / twice
        unseen = shrink * once * ratio / 2
        variance = twice * (shrink * ratio**2 / 2 + shrink**2 * ratio**3 + shrink**2 * ratio**4 / 4)
    else:
        unseen = shrink * once * (once - 1) / 2
        total = max(seen + unseen, 1.0)
        variance = (
            unseen + shrink**2 * once * (2 * once - 1) ** 2 / 4 - shrink**2 * once**4 / 4 / total
        )
    if unseen <= 0:
        return Estimate(float(seen), float(seen), float(seen))
    width = float(norm.ppf((1 + level) / 2)) * math.sqrt(math.log1p(variance / unseen**2))
    return Estimate(seen + unseen, seen + unseen / math.exp(width), seen + unseen * math.exp(width))


def _once_and_twice(histogram: Sequence[int]) -> tuple[int, int]:
    return histogram[0], histogram[1] if len(histogram) > 1 else 0
