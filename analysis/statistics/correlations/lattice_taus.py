"""Taus of metrics over comparable pairs, in resamples of source sentences, and their differences.

The coefficients are those of `maege.analysis.statistics.correlations.kendall`, and `tau_macro`, the
mean over sentences of each sentence's kendall_tau_a: in the others a sentence counts as often as it
has pairs. Differences are tested by random signs of sentences
(`maege.analysis.statistics.significance.random_signs`).
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations.kendall import (
    goodman_kruskal_gamma,
    kendall_tau_a,
    kendall_tau_b,
)
from maege.analysis.statistics.samples.bootstrap import Floats, resampled_sums
from maege.analysis.statistics.significance.random_signs import signed_sums, sums_tested

COEFFICIENTS = ("kendall_tau_a", "goodman_kruskal_gamma", "kendall_tau_b", "tau_macro")


class TauDifference(NamedTuple):
    """kendall_tau_a of metric `a` minus that of metric `b` (columns), on what both have scored.

    The p-value is two-sided. The interval holds the differences that the same test does not reject.
    """

    a: int
    b: int
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
            kendall_tau_a(c, d, t),
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
    of_sentences = coefficients(by_outcome)[0]
    scored = ~np.isnan(of_sentences)
    columns = np.concatenate([*by_outcome, np.nan_to_num(of_sentences), scored], axis=1)
    *sums, of_scored, n_scored = np.split(resampled_sums(columns, weights), 5, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        macro = of_scored / n_scored
    return np.concatenate([coefficients(np.stack(sums)), macro[np.newaxis]])


def tau_differences(
    by_outcome: Floats, level: float, n_signs: int, seed: int
) -> Iterator[TauDifference]:
    """Yield the differences of every pair of metrics that share a sentence, `a` before `b`.

    A sentence is shared that has the same number of pairs, not 0, by both.

    Args:
        by_outcome: as for `tau_samples`.
        level: confidence level of the intervals.
        n_signs: how often all sentences draw a sign, behind p and the intervals.
        seed: of the signs.

    """
    concordant, discordant, _ = by_outcome
    pairs = by_outcome.sum(axis=0)
    alike: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
    for a, b in combinations(range(pairs.shape[1]), 2):
        shared = (pairs[:, a] == pairs[:, b]) & (pairs[:, a] > 0)
        if shared.any():
            alike[shared.tobytes()].append((a, b))
    found: list[TauDifference] = []
    for shared_by, compared in alike.items():
        shared = np.frombuffer(shared_by, dtype=np.bool_)
        counted = np.concatenate([concordant - discordant, pairs], axis=1)[shared]
        gains, sizes = np.split(signed_sums(counted, n_signs, seed), 2, axis=1)
        for a, b in compared:
            test = sums_tested(gains[:, [a]] - gains[:, [b]], sizes[:, [a]], level)
            n_pairs = sizes[0, a]
            found.append(
                TauDifference(
                    a,
                    b,
                    int(shared.sum()),
                    int(n_pairs),
                    float(gains[0, a] / n_pairs),
                    float(gains[0, b] / n_pairs),
                    float((gains[0, a] - gains[0, b]) / n_pairs),
                    float(test.low[0]),
                    float(test.high[0]),
                    float(test.p_value[0]),
                )
            )
    yield from sorted(found)
