"""Which metrics cannot be told from the best, and how often each of them comes first.

Hansen, Lunde and Nason (2011), "The model confidence set": of all metrics the one that is furthest
behind another leaves, as long as the largest of all differences, each by its standard error, is
larger than the largest that resamples bring about where nothing differs. What stays holds the best
one in 95 % of data sets at least, and is one metric alone where the data say so. That it is the
largest difference that is looked up keeps the error of all comparisons together at 5 % (Hothorn,
Bretz and Westfall 2008, "Simultaneous inference in general parametric models").

Of few sentences the limit is as much larger as Student's t is than the normal distribution
(Hesterberg 2015). Of correlations over few systems it is not: their resamples have longer tails
than Student's t, and hold what is promised as they are (benchmarks/inference_validity.py).
"""

import math
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.bootstrap import Floats
from maege.analysis.statistics.ties import RELATIVE

Flags = NDArray[np.bool_]


class BestSet(NamedTuple):
    """Of each metric the share of resamples in which it is first, and whether it is in the set.

    Metrics that are first together share the resample.
    """

    best_share: Floats
    in_best_set: Flags


def best_set(estimates: ArrayLike, samples: ArrayLike, n: float, level: float = 0.95) -> BestSet:
    """Return the shares and the set; what a resample cannot say of all metrics it says of none.

    Args:
        estimates: of the metrics, the larger the better, shape (k,).
        samples: the same in resamples that all metrics share, shape (n_samples, k).
        n: how many equal units were redrawn, at least 2, for whose number the limit is widened;
            infinite: it is not.
        level: how sure it is to be that the best is in the set.

    Raises:
        ValueError: the shapes do not fit, an estimate is not finite, or no resample is complete.

    """
    values, drawn = np.asarray(estimates, np.float64), np.asarray(samples, np.float64)
    drawn = drawn[~np.isnan(drawn).any(axis=1)] if drawn.ndim == 2 else drawn
    if drawn.shape != (len(drawn), *values.shape) or not np.isfinite(values).all():
        raise ValueError(
            f"expected a finite estimate and samples of each metric, found shapes {values.shape} "
            f"and {drawn.shape}"
        )
    if not len(drawn):
        raise ValueError("expected a resample in which every metric has a value, found none")
    return BestSet(_shares(drawn), _confidence_set(values, drawn, n, level))


def _shares(samples: Floats) -> Floats:
    best = samples.max(axis=1, keepdims=True)
    is_first = samples >= best - RELATIVE * np.abs(best)
    shares: Floats = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def _confidence_set(estimates: Floats, samples: Floats, n: float, level: float) -> Flags:
    a, b = np.triu_indices(len(estimates), k=1)
    differences = samples[:, a] - samples[:, b]
    errors = differences.std(axis=0)
    # The same metric twice differs from itself in its last bits.
    varies = errors > RELATIVE * np.abs(samples).max(initial=0)
    scale = np.where(varies, errors, np.inf)
    deviations = np.abs(differences - differences.mean(axis=0)) / scale
    t = (estimates[a] - estimates[b]) / scale
    stays = np.ones(len(estimates), np.bool_)
    while stays.sum() > 1:
        compared = np.flatnonzero(stays[a] & stays[b])
        limit = _widened(np.quantile(deviations[:, compared].max(axis=1), level), n)
        furthest = compared[np.argmax(np.abs(t[compared]))]
        if abs(t[furthest]) <= limit:
            break
        stays[b[furthest] if t[furthest] > 0 else a[furthest]] = False
    return stays


def _widened(limit: float, n: float) -> float:
    """Return the limit that Student's t has where the normal distribution has this one."""
    if math.isinf(n):
        return limit
    t = scipy.special.stdtrit(n - 1, scipy.special.ndtr(limit))
    return float(t) * math.sqrt(n / (n - 1))
