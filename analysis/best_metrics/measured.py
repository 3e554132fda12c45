"""How well all metrics do at one task, in resamples that they share, and the rows that follow."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.best_set import best_set
from maege.analysis.statistics.bootstrap import Floats, percentile_intervals
from maege.analysis.statistics.least_samples import expanded_level, with_width
from maege.analysis.statistics.planning import units_to_tell

SCHEMA = pa.schema(
    [
        ("task", pa.string()),
        ("corpus", pa.string()),
        ("judgment_set", pa.string()),
        ("metric", pa.string()),
        ("estimate", pa.float64()),
        ("ci_low", pa.float64()),
        ("ci_high", pa.float64()),
        ("best_share", pa.float64()),
        ("in_best_set", pa.bool_()),
        ("n", pa.int64()),
        ("n_needed", pa.int64()),
        ("n_resamples", pa.int64()),
        ("too_few", pa.string()),
    ]
)
# Who would ask for more does not differ.
MOST_NEEDED = 1e9


# Correlations of 1 have no inverse hyperbolic tangent.
LARGEST_R = 1 - 1e-9


class Measured(NamedTuple):
    """What is estimated of each metric (the larger the better), and the same in resamples.

    `estimates` and the bounds have shape (k,), `samples` (n_samples, k); `n` is how many systems or
    sentences were redrawn, `n_effective` of how many equal ones they are. Where there are too few
    of them, `too_few` says of what, and nothing else is read than the estimates. `compared` are the
    estimates on the scale of the samples where that is another one.
    """

    metrics: Sequence[str]
    estimates: Floats
    low: Floats
    high: Floats
    samples: Floats
    n: int
    n_effective: float
    too_few: str | None
    compared: Floats | None = None


def fisher_z(r: Floats) -> Floats:
    """Return the inverse hyperbolic tangent, which is nearly normal whatever r is."""
    z: Floats = np.arctanh(np.clip(r, -LARGEST_R, LARGEST_R))
    return z


def intervals(samples: Floats, n: Sequence[float], level: float) -> tuple[Floats, Floats]:
    """Return the percentile bounds of each column, widened for so few; NaN where they are equal."""
    bounds = []
    for column, of_column in zip(samples.T, n, strict=True):
        ends = percentile_intervals(column[:, np.newaxis], expanded_level(level, of_column))
        bounds.append(with_width(*(float(end[0]) for end in ends)))
    low, high = np.array(bounds).reshape(-1, 2).T
    return low, high


def best_rows(
    task: str, corpus: str, judgment_set: str | None, measured: Measured, level: float
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric that has an estimate."""
    known = np.flatnonzero(~np.isnan(measured.estimates))
    if not known.size:
        return
    found, needed = None, list[int | None]()
    if measured.too_few is None:
        compared = measured.estimates if measured.compared is None else measured.compared
        needed = _units_needed(measured.n, compared[known], measured.samples[:, known])
        found = best_set(compared[known], measured.samples[:, known], measured.n_effective, level)
    for place, metric in enumerate(known.tolist()):
        row: dict[str, Any] = {
            "task": task,
            "corpus": corpus,
            "judgment_set": judgment_set,
            "metric": measured.metrics[metric],
            "estimate": measured.estimates[metric],
            "n": measured.n,
            "too_few": measured.too_few,
        }
        if found is not None:
            row |= {
                "ci_low": measured.low[metric],
                "ci_high": measured.high[metric],
                "best_share": found.best_share[place],
                "in_best_set": bool(found.in_best_set[place]),
                "n_needed": needed[place],
                "n_resamples": len(measured.samples),
            }
        yield row


def _units_needed(n: int, estimates: Floats, samples: Floats) -> list[int | None]:
    """Return how many units would tell each metric from the one with the highest estimate."""
    best = int(np.argmax(estimates))
    behind = samples[:, [best]] - samples
    found = [
        units_to_tell(n, float(difference), float(error))
        for difference, error in zip(
            estimates[best] - estimates, np.nanstd(behind, axis=0), strict=True
        )
    ]
    return [math.ceil(one) if 0 < one < MOST_NEEDED else None for one in found]
