"""Taus of metrics over comparable pairs: intervals, ranks and differences, by source sentence.

The coefficients are those of `maege.analysis.statistics.correlations.kendall`, and `tau_macro`, the
mean over sentences of each one's kendall_tau_maege: in the others a sentence counts as often as it
has pairs.

Intervals and ranks redraw source sentences. Differences are tested by random signs: where two
metrics are alike it is chance which of the two a sentence favours (Fisher 1935; Edgington 1964,
"Randomization tests"), whatever the number of pairs of the sentence.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.scores.score import SINGLES
from maege.analysis.sample_weights import SampleWeights, drawn_sums
from maege.analysis.statistics.correlations.kendall import (
    goodman_kruskal_gamma,
    kendall_tau_b,
    kendall_tau_maege,
)
from maege.analysis.statistics.samples.bootstrap import (
    Floats,
    Intervals,
    percentile_intervals,
    resampled_sums,
)
from maege.analysis.statistics.samples.least_samples import expanded_level, n_effective

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
    of_sentences = coefficients(by_outcome)[0]
    scored = ~np.isnan(of_sentences)
    columns = np.concatenate([*by_outcome, np.nan_to_num(of_sentences), scored], axis=1)
    *sums, of_scored, n_scored = np.split(resampled_sums(columns, weights), 5, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        macro = of_scored / n_scored
    return np.concatenate([coefficients(np.stack(sums)), macro[np.newaxis]])


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
    alike: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
    for a, b in combinations(range(pairs.shape[1]), 2):
        shared = (pairs[:, a] == pairs[:, b]) & (pairs[:, a] > 0)
        if shared.any():
            alike[shared.tobytes()].append((a, b))
    found: dict[tuple[int, int], list[TauDifference]] = defaultdict(list)
    for shared_by, compared in alike.items():
        shared = np.frombuffer(shared_by, dtype=np.bool_)
        counts = np.where(shared[:, np.newaxis], by_outcome, 0.0)
        samples = tau_samples(counts, weights)[: len(MEASURES)]
        signed = np.swapaxes(_signed_taus(counts, n_signs, seed), 1, 2).copy()
        for place, measure in enumerate(MEASURES):
            intervals = _intervals(samples[place], compared, pairs[shared], level)
            for (a, b), low, high in zip(compared, *intervals, strict=True):
                difference = signed[place, a] - signed[place, b]
                observed, drawn = abs(difference[0]), np.abs(difference[1:])
                reached = np.count_nonzero(drawn >= observed)
                found[a, b].append(
                    TauDifference(
                        a,
                        b,
                        measure,
                        int(shared.sum()),
                        int(pairs[shared, a].sum()),
                        float(signed[place, a, 0]),
                        float(signed[place, b, 0]),
                        float(difference[0]),
                        float(low),
                        float(high),
                        np.nan if np.isnan(observed) else (reached + 1) / (n_signs + 1),
                    )
                )
    for _, of_two in sorted(found.items()):
        yield from of_two


def _intervals(
    samples: Floats, compared: Sequence[tuple[int, int]], pairs: Floats, level: float
) -> Intervals:
    """Return the bounds of the differences of these metrics.

    Args:
        samples: of all metrics, shape (n_samples, k).
        compared: columns of two metrics, which have as many pairs of each sentence.
        pairs: how many, shape (sentences, k).
        level: what the intervals are to cover.

    """
    sizes = np.array([n_effective(pairs[:, a]) for a, _ in compared])
    low, high = np.empty((2, len(compared)))
    for n in np.unique(sizes):
        of_size = np.flatnonzero(sizes == n)
        a, b = np.array(compared)[of_size].T
        low[of_size], high[of_size] = percentile_intervals(
            samples[:, a] - samples[:, b], expanded_level(level, n) if n > 1 else level
        )
    return Intervals(low, high)


def _signed_taus(counts: Floats, n_signs: int, seed: int) -> Floats:
    """Return MEASURES with a random sign for what each sentence adds: shape (2, 1 + n_signs, k).

    All signs of the first row are positive, so that it has the measures themselves.
    """
    c, d, t = counts
    added = np.concatenate([c + t - d, c - d], axis=1)
    observed = added.sum(axis=0)
    # Whole numbers: no sum rounds, in whatever order it is taken, nor in half the bytes.
    is_small = np.abs(added).sum(axis=0).max(initial=0) <= SINGLES
    columns = added.astype(np.float32) if is_small else added
    generator = np.random.Generator(np.random.PCG64(seed))
    sums = [observed[np.newaxis]]
    for start in range(0, n_signs, SIGNS_AT_ONCE):
        shape = (min(SIGNS_AT_ONCE, n_signs - start), len(added))
        is_positive = generator.integers(0, 2, shape, np.int8).astype(np.uint8)
        sums.append(2 * drawn_sums(is_positive, columns) - observed)
    of_measures = np.stack(np.split(np.concatenate(sums), len(MEASURES), axis=1))
    total: NDArray[np.float64] = np.stack([(c + d + t).sum(axis=0), (c + d).sum(axis=0)])
    with np.errstate(divide="ignore", invalid="ignore"):
        signed: Floats = of_measures / total[:, np.newaxis]
    return signed
