"""Taus of metrics over comparable pairs: intervals, ranks and differences, by source sentence.

The coefficients are those of `maege.analysis.statistics.kendall`, and `tau_macro`, the mean over
sentences of each one's kendall_tau_maege: in the others a sentence counts as often as it has pairs.

Intervals and ranks redraw source sentences. Differences are tested by random signs: where two
metrics are alike it is chance which of the two a sentence favours (Fisher 1935; Edgington 1964,
"Randomization tests"), whatever the number of pairs of the sentence.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.bootstrap import Floats, percentile_intervals, resampled_sums
from maege.analysis.statistics.kendall import (
    goodman_kruskal_gamma,
    kendall_tau_b,
    kendall_tau_maege,
)
from maege.analysis.statistics.least_samples import expanded_level, n_effective

MEASURES = ("kendall_tau_maege", "goodman_kruskal_gamma")
COEFFICIENTS = (*MEASURES, "kendall_tau_b", "tau_macro")
SIGNS_AT_ONCE = 1000


class TauDifference(NamedTuple):
    """One of MEASURES of metric `a` minus that of metric `b` (columns), on what both have scored.

    The p-value is two-sided; where one of the metrics decides no pair, all are NaN.
    """

    a: int
    b: int
    measure: str
    n_sentences: int
    n_pairs: int
    estimate_a: float
    estimate_b: float
    difference: float
    low: float
    high: float
    p_value: float


def coefficients(by_outcome: Floats) -> Floats:
    """Return the first three of COEFFICIENTS of concordant, discordant and tied pairs.

    Args:
        by_outcome: shape (3, ...).

    """
    c, d, t = by_outcome
    return np.stack(
        [
            kendall_tau_maege(c, d, t).coefficient,
            goodman_kruskal_gamma(c, d),
            kendall_tau_b(c, d, t),
        ]
    )


def tau_samples(by_outcome: Floats, weights: SampleWeights) -> Floats:
    """Return COEFFICIENTS of every metric in every sample: shape (4, n_samples, n_metrics).

    Args:
        by_outcome: concordant, discordant and tied pairs of each sentence by each metric: shape
            (3, n_sentences, n_metrics). A sentence that a metric has not scored has no pairs.
        weights: what `cluster_weights` returned for these sentences.

    """
    sums = np.stack([resampled_sums(part, weights) for part in by_outcome])
    of_sentences = coefficients(by_outcome)[0]
    scored = ~np.isnan(of_sentences)
    with np.errstate(divide="ignore", invalid="ignore"):
        macro = resampled_sums(np.nan_to_num(of_sentences), weights) / resampled_sums(
            scored.astype(np.float64), weights
        )
    return np.concatenate([coefficients(sums), macro[np.newaxis]])


def tau_differences(
    by_outcome: Floats, weights: SampleWeights, level: float, n_signs: int, seed: int
) -> Iterator[TauDifference]:
    """Yield the differences of every pair of metrics that share a sentence, `a` before `b`.

    A sentence is shared that has the same number of pairs, not 0, by both.

    Args:
        by_outcome: as for `tau_samples`.
        weights: as for `tau_samples`.
        level: what the intervals are to cover.
        n_signs: how often all sentences draw a sign, behind p.
        seed: of the signs.

    """
    pairs = by_outcome.sum(axis=0)

    @cache
    def shared_taus(shared: bytes) -> tuple[Floats, Floats]:
        rows = np.frombuffer(shared, dtype=np.bool_)[:, np.newaxis]
        counts = np.where(rows, by_outcome, 0.0)
        return tau_samples(counts, weights)[: len(MEASURES)], _signed_taus(counts, n_signs, seed)

    for a, b in combinations(range(pairs.shape[1]), 2):
        shared = (pairs[:, a] == pairs[:, b]) & (pairs[:, a] > 0)
        if not shared.any():
            continue
        of_shared = shared_taus(shared.tobytes())
        samples, signed = (taus[..., a] - taus[..., b] for taus in of_shared)
        n = n_effective(pairs[shared, a])
        low, high = percentile_intervals(samples.T, expanded_level(level, n) if n > 1 else level)
        for place, measure in enumerate(MEASURES):
            observed, drawn = np.abs(signed[place, 0]), np.abs(signed[place, 1:])
            reached = np.count_nonzero(drawn >= observed)
            yield TauDifference(
                a,
                b,
                measure,
                int(shared.sum()),
                int(pairs[shared, a].sum()),
                float(of_shared[1][place, 0, a]),
                float(of_shared[1][place, 0, b]),
                float(signed[place, 0]),
                float(low[place]),
                float(high[place]),
                np.nan if np.isnan(observed) else (reached + 1) / (n_signs + 1),
            )


def _signed_taus(counts: Floats, n_signs: int, seed: int) -> Floats:
    """Return MEASURES with a random sign for what each sentence adds: shape (2, 1 + n_signs, k).

    All signs of the first row are positive, so that it has the measures themselves.
    """
    c, d, t = counts
    added = np.concatenate([c + t - d, c - d], axis=1)
    generator = np.random.Generator(np.random.PCG64(seed))
    sums = [added.sum(axis=0)[np.newaxis]]
    for start in range(0, n_signs, SIGNS_AT_ONCE):
        shape = (min(SIGNS_AT_ONCE, n_signs - start), len(added))
        signs = generator.integers(0, 2, shape, np.int8).astype(np.float64) * 2 - 1
        # Whole numbers: no sum rounds, in whatever order it is taken.
        sums.append(signs @ added)
    of_measures = np.stack(np.split(np.concatenate(sums), len(MEASURES), axis=1))
    total: NDArray[np.float64] = np.stack([(c + d + t).sum(axis=0), (c + d).sum(axis=0)])
    with np.errstate(divide="ignore", invalid="ignore"):
        signed: Floats = of_measures / total[:, np.newaxis]
    return signed
