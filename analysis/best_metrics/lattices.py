"""How well metrics order corrections of known quality, in resamples of source sentences.

Three tasks: `sentences`, kendall_tau_maege over pairs of corrections of one sentence; `corpora`,
the mean of Spearman's rho over draws of corpora, which are redrawn, too; `corrupted_edits`, the
share of valid nodes that score above the corrupted one, ties being half.
"""

import math
from collections.abc import Sequence

import numpy as np

from maege.analysis.best_metrics.measured import Measured, fisher_z, intervals
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.bootstrap import Floats, resampled_sums
from maege.analysis.statistics.correlation_bootstrap import spearman_of_rows
from maege.analysis.statistics.lattice_taus import tau_samples
from maege.analysis.statistics.least_samples import n_effective, too_few

# Resamples whose corpora are ranked at once.
RANKED_AT_ONCE = 100


def measured_taus(
    metrics: Sequence[str],
    by_outcome: Floats,
    weights: SampleWeights,
    n_in_intervals: int,
    level: float,
) -> Measured:
    """Return kendall_tau_maege of metrics that may have a rank, where all scored every pair.

    Args:
        metrics: names.
        by_outcome: concordant, discordant and tied pairs of each sentence by each metric: shape
            (3, n_sentences, n_metrics).
        weights: what `cluster_weights` returned for these sentences.
        n_in_intervals: how many of the samples, the first, are behind intervals.
        level: of intervals and of the set.

    """
    pairs = by_outcome.sum(axis=0)
    whole = (pairs == pairs.max(axis=1, keepdims=True)).all(axis=1)
    counts = np.where(whole[:, np.newaxis], by_outcome, 0.0)
    n, n_pairs = int(whole.sum()), int(counts[:, :, 0].sum())
    lacking = too_few(sentences=n, pairs=n_pairs)
    estimates = tau_samples(counts, np.ones((1, len(whole))))[0, 0]
    if lacking:
        return _alone(metrics, estimates, n, lacking)
    samples = tau_samples(counts, weights)[0]
    of_pairs = n_effective(pairs[whole, 0])
    bounds = intervals(samples[:n_in_intervals], [of_pairs] * len(metrics), level)
    return Measured(metrics, estimates, *bounds, samples, n, of_pairs, None)


def measured_shares(
    metrics: Sequence[str],
    right: Floats,
    counted: Floats,
    weights: SampleWeights,
    n_in_intervals: int,
    level: float,
) -> Measured:
    """Return the share of pairs in which each metric is right, where all have every pair.

    Args:
        metrics: names.
        right: pairs of each sentence in which the metric is right, shape (n_sentences, n_metrics).
        counted: all of its pairs, of the same shape.
        weights: as for `measured_taus`, and likewise the other arguments.
        n_in_intervals: as there.
        level: as there.

    """
    most = counted.max(axis=1, keepdims=True)
    whole = (counted == most).all(axis=1) & (most[:, 0] > 0)
    n, n_pairs = int(whole.sum()), int(most[whole].sum())
    if not n:
        return _alone(metrics, np.full(len(metrics), np.nan), 0, "sentences")
    won, asked = (np.where(whole[:, np.newaxis], part, 0.0) for part in (right, counted))
    estimates = won.sum(axis=0) / n_pairs
    lacking = too_few(sentences=n, pairs=n_pairs)
    if lacking:
        return _alone(metrics, estimates, n, lacking)
    with np.errstate(divide="ignore", invalid="ignore"):
        samples = resampled_sums(won, weights) / resampled_sums(asked[:, :1], weights)
    of_pairs = n_effective(most[whole])
    bounds = intervals(samples[:n_in_intervals], [of_pairs] * len(metrics), level)
    return Measured(metrics, estimates, *bounds, samples, n, of_pairs, None)


def measured_rhos(
    metrics: Sequence[str],
    scores: Sequence[Floats],
    gold: Floats,
    weights: SampleWeights,
    seed: int,
    level: float,
) -> Measured:
    """Return the mean of Spearman's rho over draws of corpora; sentences and draws are redrawn.

    Args:
        metrics: names.
        scores: of each metric, shape (n_sentences, n_draws, n_corpora); a sentence that lacks one
            (NaN) counts in no draw.
        gold: what the corpora are to be ordered by, shape (n_corpora,).
        weights: how often each sample draws each sentence.
        seed: of the draws.
        level: of intervals.

    """
    n, n_draws, _ = scores[0].shape
    everything = np.ones((1, n))
    estimates = np.array([_rhos(one, gold, everything).mean() for one in scores])
    lacking = too_few(systems=len(gold), sentences=n)
    if lacking or n_draws < 2:
        return _alone(metrics, estimates, n, lacking or "draws")
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = generator.integers(0, n_draws, (len(weights), n_draws))
    samples = np.stack(
        [
            np.take_along_axis(_rhos(one, gold, weights), drawn, axis=1).mean(axis=1)
            for one in scores
        ],
        axis=1,
    )
    # Sentences that are drawn twice make corpora noisier: resamples lie below what they are of.
    samples, compared = fisher_z(samples), fisher_z(estimates)
    samples += compared - samples.mean(axis=0)
    # The fewer draws there are, the less is known of how they vary.
    fewest = min(n, n_draws)
    low, high = (np.tanh(end) for end in intervals(samples, [fewest] * len(metrics), level))
    return Measured(metrics, estimates, low, high, samples, n, fewest, None, compared)


def _rhos(scores: Floats, gold: Floats, weights: SampleWeights) -> Floats:
    """Return Spearman's rho of each draw in each sample: shape (n_samples, n_draws)."""
    whole = np.asarray(~np.isnan(scores).any(axis=(1, 2)))
    _, n_draws, n_corpora = scores.shape
    flat = np.where(whole[:, np.newaxis], scores.reshape(len(scores), -1), 0.0)
    found = [
        spearman_of_rows(
            resampled_sums(flat, weights[start : start + RANKED_AT_ONCE]).reshape(
                -1, n_draws, n_corpora
            ),
            gold,
        )
        for start in range(0, len(weights), RANKED_AT_ONCE)
    ]
    return np.concatenate(found)


def _alone(metrics: Sequence[str], estimates: Floats, n: int, lacking: str) -> Measured:
    nothing = np.full(len(metrics), math.nan)
    return Measured(metrics, estimates, nothing, nothing, np.zeros((0, 0)), n, math.nan, lacking)
