"""Estimates of all metrics at one task, in common resamples, and the rows that follow."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.resampling import (
    Floats,
    expanded_level,
    percentile_intervals,
    units_to_tell,
    weights_in_blocks,
)
from maege.analysis.statistics.significance import MoreResamples, best_set

BETTER, NOT_BETTER, WORSE = (
    "better than chance",
    "not better than chance",
    "worse than chance",
)
# Larger sample sizes are reported as no difference.
MOST_NEEDED = 1e9
# Correlations of 1 have no inverse hyperbolic tangent.
LARGEST_R = 1 - 1e-9
# Only resamples in which all metrics have a value count. A metric that lacks a value in a larger
# share of them does not compete.
MOST_UNDEFINED = 0.05
# Number of resamples whose weights are in memory at once.
AT_ONCE = 1000


class Resampling(NamedTuple):
    """Numbers of resamples for intervals and for best sets, and the coverage needed to compete.

    `coverage` is the minimum share of all pairs or sentences that a metric must score. Metrics are
    compared on the pairs or sentences that all competing metrics have scored.
    """

    intervals: int
    sets: int
    level: float
    seed: int
    coverage: float

    def block_seed(self, block: int) -> int | list[int]:
        return [self.seed, block] if block else self.seed

    def samples(self, n: int, block: int, measure: Callable[[SampleWeights], Floats]) -> Floats:
        """Return the measure in a block of resamples of n units: (n_samples, k)."""
        weights = weights_in_blocks(n, self.sets, self.block_seed(block), AT_ONCE)
        return np.concatenate([measure(some) for some in weights])


class Measured(NamedTuple):
    """The estimate of each metric (larger is better), and its values in resamples.

    `estimates`, `n` (number of resampled systems or sentences) and the bounds have shape (k,),
    `samples` has shape (n_samples, k). `more` draws further samples. `n_effective` is the effective
    number of independent units in a resample. `lacking` says for each metric what there is too
    little of; such a metric has only an estimate. `compared` holds the estimates on the scale of
    the samples, `chance` the estimate of a chance baseline.
    """

    metrics: Sequence[str]
    estimates: Floats
    n: NDArray[np.int64]
    lacking: Sequence[str | None]
    low: Floats
    high: Floats
    samples: Floats
    n_effective: float
    compared: Floats
    more: MoreResamples | None = None
    chance: float = 0.0


def without_inference(
    metrics: Sequence[str],
    estimates: Floats,
    n: NDArray[np.int64] | int,
    lacking: str | Sequence[str],
) -> Measured:
    k = len(metrics)
    missing = [lacking] * k if isinstance(lacking, str) else lacking
    nothing, counts = np.full(k, math.nan), np.broadcast_to(np.asarray(n, np.int64), k)
    none = np.zeros((0, k))
    return Measured(metrics, estimates, counts, missing, nothing, nothing, none, math.nan, nothing)


def with_others(competing: Measured, estimates_only: Measured) -> Measured:
    k = len(estimates_only.metrics)
    unknown = np.full((len(competing.samples), k), math.nan)
    return competing._replace(
        metrics=[*competing.metrics, *estimates_only.metrics],
        estimates=np.r_[competing.estimates, estimates_only.estimates],
        n=np.r_[competing.n, estimates_only.n],
        lacking=[*competing.lacking, *estimates_only.lacking],
        low=np.r_[competing.low, estimates_only.low],
        high=np.r_[competing.high, estimates_only.high],
        samples=np.concatenate([competing.samples, unknown], axis=1),
        compared=np.r_[competing.compared, estimates_only.compared],
    )


def fisher_z(r: Floats) -> Floats:
    z: Floats = np.arctanh(np.clip(r, -LARGEST_R, LARGEST_R))
    return z


def intervals(samples: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    """Return the percentile bounds of each column, widened for small n; NaN if they are equal."""
    return with_widths(*percentile_intervals(samples, expanded_level(level, n)))


def with_widths(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the bounds, NaN if they are equal, because an interval of width 0 is not credible."""
    has_width = low < high
    return np.where(has_width, low, np.nan), np.where(has_width, high, np.nan)


def best_rows(
    level: str, corpus: str, judgment_set: str | None, measured: Measured, confidence: float
) -> Iterator[dict[str, Any]]:
    lacking = _without_values(measured)
    if lacking.count(None) == 1:
        lacking[lacking.index(None)] = "metrics"
    competing = np.flatnonzero([missing is None for missing in lacking])
    inferred = _inferred(measured, competing, confidence) if competing.size else {}
    for place, metric in enumerate(measured.metrics):
        yield {
            "level": level,
            "corpus": corpus,
            "judgment_set": judgment_set,
            "metric": metric,
            "estimate": measured.estimates[place],
            "n": int(measured.n[place]),
            "too_few": lacking[place],
            **inferred.get(place, {}),
        }


def _without_values(measured: Measured) -> list[str | None]:
    """Return for each metric what it lacks: `values` if it has no value in too many resamples."""
    undefined = np.isnan(measured.samples)
    share = undefined.mean(axis=0) if len(undefined) else np.zeros(len(measured.metrics))
    has_none = np.isnan(measured.estimates) | (share > MOST_UNDEFINED)
    return [
        "values" if missing is None and none else missing
        for missing, none in zip(measured.lacking, has_none.tolist(), strict=True)
    ]


def _inferred(
    measured: Measured, competing: NDArray[np.intp], level: float
) -> dict[int, dict[str, Any]]:
    samples, compared = measured.samples[:, competing], measured.compared[competing]
    n = int(measured.n[competing[0]])
    resample = measured.more
    more = resample and (lambda block, places: resample(block, competing[places]))
    best = best_set(compared, samples, measured.n_effective, level, more)
    rows = {}
    for place, (metric, n_needed) in enumerate(
        zip(competing.tolist(), _units_needed(n, compared, samples), strict=True)
    ):
        low, high = measured.low[metric], measured.high[metric]
        verdict = verdict_on(measured.estimates[metric], low, high, measured.chance)
        rows[metric] = {
            "ci_low": low,
            "ci_high": high,
            "verdict": verdict,
            "best_share": best.best_share[place],
            "in_best_set": bool(best.in_best_set[place]) and verdict == BETTER,
            "n_needed": n_needed,
            "n_resamples": best.n_resamples,
        }
    return rows


def verdict_on(estimate: float, low: float, high: float, chance: float) -> str:
    """Return whether a metric is better or worse than chance. Intervals of width 0 are NaN."""
    low, high = (estimate if math.isnan(end) else end for end in (low, high))
    if low > chance:
        return BETTER
    return WORSE if high < chance else NOT_BETTER


def _units_needed(n: int, estimates: Floats, samples: Floats) -> list[int | None]:
    best = int(np.argmax(estimates))
    behind = samples[:, [best]] - samples
    n_units = [
        units_to_tell(n, float(difference), float(error))
        for difference, error in zip(
            estimates[best] - estimates, np.nanstd(behind, axis=0), strict=True
        )
    ]
    return [
        math.ceil(n_required) if 0 < n_required < MOST_NEEDED else None for n_required in n_units
    ]
