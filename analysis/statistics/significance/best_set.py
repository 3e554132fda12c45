"""Which metrics cannot be told from the best, and how often each of them comes first.

Hansen, Lunde and Nason (2011), "The model confidence set": of all metrics the one that is furthest
behind another leaves, as long as the largest of all differences, each by its standard error, is
larger than the largest that resamples bring about where nothing differs. What stays holds the best
one in 95 % of data sets at least, and is one metric alone where the data say so. That it is the
largest difference that is looked up keeps the error of all comparisons together at 5 % (Hothorn,
Bretz and Westfall 2008, "Simultaneous inference in general parametric models").

Of few sentences a difference counts for as much less as Student's t is wider than the normal
distribution (Hesterberg 2015). Of correlations over few systems it does not: their resamples have
longer tails than Student's t, and hold what is promised as they are
(benchmarks/inference_validity.py).

A metric leaves only where other resamples would have it leave as well: as long as the probability
is too near the limit for those that were drawn, their number is doubled (sequential Monte Carlo
tests: Besag and Clifford 1991; Gandy 2009). Where the last doubling does not settle it either, the
metric stays.
"""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.correlations.ties import RELATIVE
from maege.analysis.statistics.samples.bootstrap import Floats

Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
# Resamples of the metrics at some places, shape (n_samples, places): of block 1, 2, ...
MoreResamples = Callable[[int, Places], Floats]

# Parts of the resamples whose spread shows how far chance moves a probability.
BATCHES = 20
# Student's t with one less: one decision in a thousand is another with other resamples.
CERTAIN = float(scipy.special.stdtrit(BATCHES - 1, 0.9995))
MOST_BLOCKS = 8


class BestSet(NamedTuple):
    """Of each metric the share of resamples in which it is first, and whether it is in the set.

    Metrics that are first together share the resample. `n_resamples` are behind the shares,
    `n_decided_by` behind the set.
    """

    best_share: Floats
    in_best_set: Flags
    n_resamples: int
    n_decided_by: int


class _Step(NamedTuple):
    """The place of the metric that is furthest behind, and the probability of that by chance."""

    loser: int
    p_value: float
    error: float


def best_set(
    estimates: ArrayLike,
    samples: ArrayLike,
    n: float,
    level: float = 0.95,
    more: MoreResamples | None = None,
) -> BestSet:
    """Return the shares and the set; what a resample cannot say of all metrics it says of none.

    Args:
        estimates: of the metrics, the larger the better, shape (k,).
        samples: the same in resamples that all metrics share, shape (n_samples, k).
        n: how many equal units were redrawn, at least 2, for whose number a difference counts for
            less; infinite: it does not.
        level: how sure it is to be that the best is in the set.
        more: draws further blocks of as many resamples; without it those given have to do.

    Raises:
        ValueError: the shapes do not fit, an estimate is not finite, or no resample is complete.

    """
    values, drawn = np.asarray(estimates, np.float64), np.asarray(samples, np.float64)
    if drawn.shape != (len(drawn), *values.shape) or not np.isfinite(values).all():
        raise ValueError(
            f"expected a finite estimate and samples of each metric, found shapes {values.shape} "
            f"and {drawn.shape}"
        )
    whole = drawn[~np.isnan(drawn).any(axis=1)]
    if not len(whole):
        raise ValueError("expected a resample in which every metric has a value, found none")
    stays, n_drawn = _confidence_set(values, drawn, n, 1 - level, more)
    return BestSet(_shares(whole), stays, len(whole), n_drawn)


def _shares(samples: Floats) -> Floats:
    best = samples.max(axis=1, keepdims=True)
    is_first = samples >= best - RELATIVE * np.abs(best)
    shares: Floats = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def _confidence_set(
    estimates: Floats, samples: Floats, n: float, alpha: float, more: MoreResamples | None
) -> tuple[Flags, int]:
    left = np.arange(len(estimates))
    per_block, blocks = len(samples), 1
    standing = _Differences(estimates, samples, n)
    while len(left) > 1:
        step = standing.furthest(alpha)
        margin = CERTAIN * step.error if more else 0.0
        if step.p_value + margin <= alpha:
            left = np.delete(left, step.loser)
            standing.leave(step.loser)
        elif step.p_value - margin > alpha or blocks == MOST_BLOCKS or more is None:
            break
        else:
            drawn = [samples[:, left], *(more(block, left) for block in range(1, 2 * blocks))]
            blocks *= 2
            standing = _Differences(estimates[left], np.concatenate(drawn), n)
    stays = np.zeros(len(estimates), np.bool_)
    stays[left] = True
    return stays, per_block * blocks


class _Differences:
    """Differences of every two metrics that are left, each by its standard error."""

    def __init__(self, estimates: Floats, samples: Floats, n: float) -> None:
        """Compare all of them.

        Args:
            estimates: shape (k,).
            samples: shape (n_samples, k); those that are not complete are left out.
            n: how many equal units were redrawn.

        """
        whole = np.flatnonzero(~np.isnan(samples).any(axis=1))
        # In turns: what is drawn with one and the same sample of judgments is in one batch.
        of_batches = [whole[whole % BATCHES == batch] for batch in range(BATCHES)]
        self._ends = np.cumsum([0, *map(len, of_batches)])
        self._samples = samples[np.concatenate(of_batches)].T.copy()
        self._estimates, self._n = estimates, n
        self._a, self._b = np.triu_indices(len(estimates), k=1)
        self._scale = RELATIVE * np.abs(self._samples).max(initial=0)
        # Half the bytes: a deviation is only held against the largest.
        self._deviations = np.empty((len(self._a), self._samples.shape[1]), np.float32)
        self._t = np.empty(len(self._a))
        for pair, (a, b) in enumerate(self._pairs()):
            deviations, self._t[pair] = self._compared(a, b, slice(None))
            self._deviations[pair] = deviations

    def leave(self, place: int) -> None:
        """Compare a metric no longer."""
        kept = (self._a != place) & (self._b != place)
        self._a, self._b = (side[kept] - (side[kept] > place) for side in (self._a, self._b))
        self._t, self._deviations = self._t[kept], self._deviations[kept]
        self._samples = np.delete(self._samples, place, axis=0)
        self._estimates = np.delete(self._estimates, place)

    def furthest(self, alpha: float) -> _Step:
        """Return who is furthest behind another metric, and how likely that is by chance."""
        pair = int(np.argmax(np.abs(self._t)))
        loser = int(self._b[pair] if self._t[pair] > 0 else self._a[pair])
        largest = self._deviations.max(axis=0)
        reached = largest >= _narrowed(abs(self._t[pair]), self._n)
        p_value = float(reached.mean())
        error = math.sqrt(max(p_value, alpha) / reached.size)
        if abs(p_value - alpha) < 4 * CERTAIN * error:
            # Near the limit the standard errors, which are of resamples, too, count as well.
            error = max(error, self._error(pair))
        return _Step(loser, p_value, error)

    def _error(self, pair: int) -> float:
        """Return the standard error of the probability, from what batches of resamples find."""
        found = []
        for first, last in pairwise(self._ends):
            largest, t = np.zeros(last - first), 0.0
            for place, (a, b) in enumerate(self._pairs()):
                deviations, of_batch = self._compared(a, b, slice(first, last))
                np.maximum(largest, deviations, out=largest)
                t = abs(of_batch) if place == pair else t
            found.append((largest >= _narrowed(t, self._n)).mean())
        return float(np.std(found, ddof=1) / math.sqrt(BATCHES))

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return zip(self._a.tolist(), self._b.tolist(), strict=True)

    def _compared(self, a: int, b: int, chosen: slice) -> tuple[Floats, float]:
        """Return the deviations of two metrics' difference and its t, of some of the resamples.

        Both are 0 of the same metric twice, which differs from itself in its last bits; a
        difference that no resample moves has an infinite t.
        """
        differences = self._samples[a, chosen] - self._samples[b, chosen]
        differences -= differences.mean()
        error = math.sqrt(np.square(differences).mean())
        difference = float(self._estimates[a] - self._estimates[b])
        if error > self._scale:
            return np.abs(differences) / error, difference / error
        t = math.copysign(math.inf, difference) if abs(difference) > self._scale else 0.0
        return np.zeros_like(differences), t


def _narrowed(t: float, n: float) -> float:
    """Return the normal deviate that is as likely as this one of Student's t is of so few."""
    if math.isinf(n) or math.isinf(t):
        return t
    of_t = scipy.special.stdtr(n - 1, t * math.sqrt((n - 1) / n))
    return float(scipy.special.ndtri(of_t))
