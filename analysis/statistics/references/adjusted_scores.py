"""What the score of a system would be with more references than there are.

With M of its references, drawn at random, a system has a lower F than with all of them, because
corrections that are valid are missing from M. Choshen and Abend 2018 write that loss as one minus
coverage: if valid corrections are made as people make them, what a system gets right grows with M
as the coverage of M references does. So, with c(k) for coverage,

    score(T) = score(1) + (score(M) - score(1)) (c(T) - c(1)) / (c(M) - c(1)).

Both scores are of the references at hand: score(1) is the mean over them one by one. c comes from a
crowd, or, without one, from the bias that falls as 1 / k (the first-order jackknife, Quenouille
1956; Burnham and Overton 1978 for numbers of species).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.sample_weights import SampleWeights

Array = NDArray[np.float64]


class Growth(NamedTuple):
    """(c(T) - c(1)) / (c(M) - c(1)): its value, and draws of what it might be."""

    factor: float
    draws: Array


class Adjusted(NamedTuple):
    """Of every system, the score with these references, the adjusted score and its bounds."""

    score: Array
    adjusted: Array
    low: Array
    high: Array


def no_growth(draws: int) -> Growth:
    """Return the growth that leaves scores as they are."""
    return Growth(1.0, np.ones(draws))


def jackknife_growth(n_references: int, target: float, draws: int) -> Growth:
    """Return the growth from M to `target` references, infinite or not, if the loss is as 1 / k."""
    factor = (1 - 1 / target) / (1 - 1 / n_references)
    return Growth(factor, np.full(draws, factor))


def crowd_growth(curves: Array, n_references: int, target: float, weights: SampleWeights) -> Growth:
    """Return the growth by a crowd's coverage; NaN where more references do not cover more.

    Args:
        curves: coverage of 1, 2 ... references, a row a sentence of the crowd.
        n_references: M.
        target: references; infinite for complete coverage.
        weights: how often each sentence is drawn in each draw: (draws, sentences).

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
    of_sums: Callable[[Array], Array],
    subset: Sequence[int],
    growths: dict[str, Growth],
    weights: SampleWeights,
    level: float,
    seed: int,
) -> dict[str, Adjusted]:
    """Return what every growth makes of the scores with a subset of two references or more.

    The intervals draw sentences, the growth, and references: their effect on the score is taken as
    normal with the variance that the scores with single references have, over M.

    Args:
        counts_with: returns, of the references at these positions, true positives, proposed and
            gold edits of every sentence: (systems, sentences, 3).
        of_sums: the score of their sums, on the last axis.
        subset: positions of the references at hand.
        growths: by estimator, with as many draws as there are samples.
        weights: how often each sentence is drawn: (samples, sentences).
        level: the share of draws between the bounds.
        seed: of the effects of references.

    """
    everything = np.vstack([np.ones(weights.shape[1]), weights])

    def scores(chosen: Sequence[int]) -> Array:
        return of_sums(np.tensordot(everything, counts_with(chosen), axes=(1, 1)))

    together = scores(subset)
    singles = np.stack([scores([position]) for position in subset])
    alone = singles.mean(axis=0)
    spread = singles[:, 0].std(axis=0, ddof=1) / np.sqrt(len(subset))
    relative = np.divide(spread, alone[0], out=np.zeros_like(spread), where=alone[0] > 0)
    noise = np.random.default_rng(seed).standard_normal((len(weights), 1)) * relative
    found = {}
    for name, growth in growths.items():
        factors = np.concatenate([[growth.factor], growth.draws])[:, None]
        values = alone + (together - alone) * factors
        draws = np.clip(values[1:] * (1 + noise), 0, 1)
        bounds = [(1 - level) / 2, (1 + level) / 2]
        low, high = np.quantile(draws, bounds, axis=0, method="hazen")
        found[name] = Adjusted(together[0], np.clip(values[0], 0, 1), low, high)
    return found
