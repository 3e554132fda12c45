"""Is one metric's tau above another's? Both in the same samples of source sentences.

Koehn (2004), "Statistical significance tests for machine translation evaluation": what counts is
the difference in each bootstrap sample, since the metrics see the same easy and hard sentences.
Two metrics are compared on the sentences of which both have scored every pair.
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.bootstrap import Floats, paired_p_values, resampled_sums


class TauDifference(NamedTuple):
    """tau of one metric minus that of another, percentile bounds, and a two-sided p-value.

    All are NaN where one of the metrics decides no pair.
    """

    difference: float
    low: float
    high: float
    p: float


class TauComparison(NamedTuple):
    """Metrics `a` and `b` (columns), on the sentences and pairs that both have scored."""

    a: int
    b: int
    n_sentences: int
    n_pairs: int
    with_ties: TauDifference
    decisive: TauDifference


def compare_taus(by_outcome: Floats, weights: SampleWeights, level: float) -> list[TauComparison]:
    """Return every pair of columns that share a sentence, a before b.

    Args:
        by_outcome: concordant, discordant and tied pairs of each sentence by each metric: shape
            (3, n_sentences, n_metrics). A sentence that a metric has not scored has no pairs.
        weights: what `cluster_weights` returned for these sentences.
        level: the share of samples between the bounds.

    """
    pairs = by_outcome.sum(axis=0)

    @cache
    def taus(shared: bytes) -> tuple[Floats, Floats]:
        rows = np.frombuffer(shared, dtype=np.bool_)[:, np.newaxis]
        # The sum over all sentences stands before the samples.
        drawn = np.vstack([np.ones(len(rows), weights.dtype), weights])
        c, d, t = (resampled_sums(np.where(rows, part, 0.0), drawn) for part in by_outcome)
        with np.errstate(divide="ignore", invalid="ignore"):
            return (c + t - d) / (c + t + d), (c - d) / (c + d)

    comparisons = []
    for a, b in combinations(range(pairs.shape[1]), 2):
        shared = (pairs[:, a] == pairs[:, b]) & (pairs[:, a] > 0)
        if shared.any():
            with_ties, decisive = taus(shared.tobytes())
            comparisons.append(
                TauComparison(
                    a,
                    b,
                    int(shared.sum()),
                    int(pairs[shared, a].sum()),
                    _difference(with_ties[:, a] - with_ties[:, b], level),
                    _difference(decisive[:, a] - decisive[:, b], level),
                )
            )
    return comparisons


def _difference(differences: Floats, level: float) -> TauDifference:
    """Return the first as the difference, and what the others, its samples, say of it."""
    observed, samples = float(differences[0]), differences[1:]
    samples = samples[~np.isnan(samples)]
    if np.isnan(observed) or not samples.size:
        return TauDifference(np.nan, np.nan, np.nan, np.nan)
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2])
    p = paired_p_values(samples[:, np.newaxis])[0]
    return TauDifference(observed, float(low), float(high), float(p))
