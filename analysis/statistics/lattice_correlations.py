"""Correlations of metrics with the order of lattices: over chains, pairs and sampled corpora."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations import average_ranks
from maege.analysis.statistics.pair_agreement import (
    goodman_kruskal_gamma,
    kendall_tau_a,
    kendall_tau_b,
)
from maege.analysis.statistics.randomisation import signed_sums, sums_tested
from maege.analysis.statistics.resampling import (
    Floats,
    Intervals,
    percentile_intervals,
    resampled_sums,
)

# --- Correlations over the positions of chains, from sums by sentence ---
#
#   pooled   over all positions, as in the MAEGE paper (Choshen and Abend 2018)
#   within   of deviations from the sentence's means
#   partial  given the number of edits applied (Yule 1907)
# All are computed from sums over sentences, so a bootstrap over sentences is one matrix product.

CHAIN_CORRELATIONS = ("pooled", "within", "partial")
# Rounding residue of the variance of a constant, relative to a variance of 1.
_ROUNDING = 1e-12


def sentence_sums(
    scores: ArrayLike, gold: ArrayLike, n_edits: ArrayLike, sentence: ArrayLike
) -> Floats:
    """Return the sums of each sentence that `chain_correlations` needs, shape (n_sentences, 13).

    The arguments have a value for each position of a chain, in ascending order of sentences.
    """
    _, starts = np.unique(np.asarray(sentence), return_index=True)
    x, y, z = (_standardised(values) for values in (scores, gold, n_edits))
    ones = np.ones_like(x)
    columns = np.stack([ones, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z], axis=1)
    sums = np.add.reduceat(columns, starts, axis=0)
    n, sx, sy, _, sxx, syy, _, sxy, *_ = sums.T
    centred = np.stack([sxx - sx * sx / n, syy - sy * sy / n, sxy - sx * sy / n], axis=1)
    return np.hstack([sums, centred])


def chain_correlations(sums: Floats) -> Floats:
    """Return CHAIN_CORRELATIONS, NaN for constants: (..., 13), as `sentence_sums`, to (..., 3)."""
    n, sx, sy, sz, sxx, syy, szz, sxy, sxz, syz, wxx, wyy, wxy = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled, with_edits, gold_with_edits = (
            _coefficient(ab - a * b / n, aa - a * a / n, bb - b * b / n, n)
            for a, b, aa, bb, ab in (
                (sx, sy, sxx, syy, sxy),
                (sx, sz, sxx, szz, sxz),
                (sy, sz, syy, szz, syz),
            )
        )
        left = (1 - with_edits**2) * (1 - gold_with_edits**2)
        partial = (pooled - with_edits * gold_with_edits) / np.sqrt(
            np.where(left > _ROUNDING, left, np.nan)
        )
        within_sentence = _coefficient(wxy, wxx, wyy, n)
    return np.stack([pooled, within_sentence, np.clip(partial, -1.0, 1.0)], axis=-1)


def chain_correlation_intervals(sums: Floats, weights: SampleWeights, level: float) -> Intervals:
    return percentile_intervals(chain_correlations(resampled_sums(sums, weights)), level)


def _standardised(values: ArrayLike) -> Floats:
    # Sums of squares of standardised values keep their precision.
    vector = np.asarray(values, dtype=np.float64)
    if vector.size == 0 or vector.max() == vector.min():
        return np.zeros_like(vector)
    standard: Floats = (vector - vector.mean()) / vector.std()
    return standard


def _coefficient(covariance: Floats, first: Floats, second: Floats, n: Floats) -> Floats:
    varies = (first > _ROUNDING * n) & (second > _ROUNDING * n)
    return np.clip(covariance / np.sqrt(np.where(varies, first * second, np.nan)), -1.0, 1.0)


# --- Kendall's tau in resamples of source sentences, and differences of metrics ---
#
# `tau_macro` is the mean over sentences of each sentence's kendall_tau_a. In the others, the weight
# of a sentence is its number of pairs. Differences are tested by random signs of sentences.


class TauDifference(NamedTuple):
    """kendall_tau_a of metric `a` minus that of metric `b` (columns), on what both have scored."""

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


def tau_coefficients(by_outcome: Floats) -> Floats:
    c, d, t = by_outcome
    return np.stack(
        [
            kendall_tau_a(c, d, t),
            goodman_kruskal_gamma(c, d),
            kendall_tau_b(c, d, t),
        ]
    )


def tau_samples(by_outcome: Floats, weights: SampleWeights) -> Floats:
    """Return the coefficients of every metric in every sample, shape (4, n_samples, n_metrics).

    They are kendall_tau_a, goodman_kruskal_gamma, kendall_tau_b and tau_macro.

    Args:
        by_outcome: concordant, discordant and tied pairs of each sentence by each metric, shape (3,
            n_sentences, n_metrics). A sentence without a score of the metric has no pairs.
    """
    sentence_taus = tau_coefficients(by_outcome)[0]
    has_tau = ~np.isnan(sentence_taus)
    columns = np.concatenate([*by_outcome, np.nan_to_num(sentence_taus), has_tau], axis=1)
    *sums, tau_sums, n_scored = np.split(resampled_sums(columns, weights), 5, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        macro = tau_sums / n_scored
    return np.concatenate([tau_coefficients(np.stack(sums)), macro[np.newaxis]])


def tau_differences(
    by_outcome: Floats, level: float, n_signs: int, seed: int
) -> Iterator[TauDifference]:
    """Two metrics are compared on sentences where both have the same number of pairs, not 0."""
    concordant, discordant, _ = by_outcome
    pairs = by_outcome.sum(axis=0)
    alike: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
    for a, b in combinations(range(pairs.shape[1]), 2):
        shared = (pairs[:, a] == pairs[:, b]) & (pairs[:, a] > 0)
        if shared.any():
            alike[shared.tobytes()].append((a, b))
    differences: list[TauDifference] = []
    for shared_by, compared in alike.items():
        shared = np.frombuffer(shared_by, dtype=np.bool_)
        gains_and_pairs = np.concatenate([concordant - discordant, pairs], axis=1)[shared]
        # Each comparison reads whole columns.
        signed = np.asfortranarray(signed_sums(gains_and_pairs, n_signs, seed))
        gains, sizes = np.split(signed, 2, axis=1)
        for a, b in compared:
            test = sums_tested(gains[:, [a]] - gains[:, [b]], sizes[:, [a]], level)
            n_pairs = sizes[0, a]
            gain_a, gain_b = gains[0, a], gains[0, b]
            estimates = (gain_a / n_pairs, gain_b / n_pairs, (gain_a - gain_b) / n_pairs)
            numbers = map(float, (*estimates, *(column[0] for column in test)))
            differences.append(TauDifference(a, b, int(shared.sum()), int(n_pairs), *numbers))
    yield from sorted(differences)


# --- More draws of sampled corpora, recombined from the scored draws ---
#
# Sentences are sampled independently, so a corpus with sentences of several draws is another draw.
# With k scored draws, the variance of these corpora around the mean of the k draws is (k - 1) / k
# of the variance of new draws.


def further_draws(
    n_sentences: int, n_scored: int, n_draws: int, seed: int | Sequence[int]
) -> NDArray[np.int64]:
    """Return the scored draw of each sentence: (n_draws - n_scored, n_sentences)."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.integers(0, n_scored, (n_draws - n_scored, n_sentences))


def redrawn_means(scores: ArrayLike, scored_draw: NDArray[np.int64]) -> Floats:
    """Return the mean score of each corpus in each new draw, shape (n_new, n_corpora).

    Args:
        scores: scores of sentences in the scored draws, shape (n_sentences, n_scored, n_corpora). A
            sentence with a NaN counts in no draw.
        scored_draw: result of `further_draws`. All corpora of a draw share their sources.
    """
    values = np.asarray(scores, dtype=np.float64)
    is_complete = ~np.isnan(values).any(axis=(1, 2))
    values, complete_draw = values[is_complete], scored_draw[:, is_complete]
    n_sentences, n_scored, n_corpora = values.shape
    weights = np.zeros((len(scored_draw), n_sentences, n_scored))
    np.put_along_axis(weights, complete_draw[:, :, np.newaxis], 1.0, axis=2)
    flat = values.reshape(n_sentences * n_scored, n_corpora)
    means: Floats = resampled_sums(flat, weights.reshape(len(scored_draw), -1)) / n_sentences
    return means


def expected_rhos(scores: Floats, gold: Floats, weights: SampleWeights) -> Floats:
    """Return the expected Spearman's rho of new draws of corpora, in each sample of sentences.

    Shape (n_samples,). Rho without ties is linear in ranks, and the expected rank of a corpus is
    the sum of the probabilities of being above each other corpus. These are about sums over
    independently sampled sentences, taken as normal, with the mean and variance of the scored
    draws.

    Args:
        scores: scores of sentences in at least two scored draws, shape (n_sentences, n_scored,
            n_corpora), without NaN.
        gold: the gold scores of at least two corpora, shape (n_corpora,).
    """
    n_corpora = scores.shape[2]
    first, second = np.triu_indices(n_corpora, 1)
    differences = scores[:, :, first] - scores[:, :, second]
    parts = np.concatenate([differences.mean(axis=1), differences.var(axis=1, ddof=1)], axis=1)
    means, variances = np.split(resampled_sums(parts, weights), 2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        standardised = means / np.sqrt(variances)
    # Without a difference or variance the two are tied, and each order has probability one half.
    above = ndtr(np.where(np.isnan(standardised), 0.0, standardised)) - 0.5
    gold_ranks = average_ranks(gold) - (n_corpora + 1) / 2
    untied = np.arange(n_corpora) - (n_corpora - 1) / 2
    norm = np.sqrt((gold_ranks @ gold_ranks) * (untied @ untied))
    rhos: Floats = above @ (gold_ranks[first] - gold_ranks[second]) / norm
    return rhos
