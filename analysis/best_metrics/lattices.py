"""How well metrics order corrections of known quality, in resamples of source sentences.

Three levels. `sentence`: kendall_tau_a over pairs of corrections of one sentence. `corpus`: the
mean of Spearman's rho over draws of corpora; draws are resampled as well. `edit`: the
share of valid nodes that score above the corrupted one; a tie counts as half.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from maege.analysis.best_metrics.measured import (
    Measured,
    Resampling,
    fisher_z,
    intervals,
    with_others,
    with_widths,
    without_inference,
)
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations import average_ranks
from maege.analysis.statistics.lattice_correlations import expected_rhos
from maege.analysis.statistics.randomisation import sign_tests
from maege.analysis.statistics.resampling import (
    Floats,
    n_effective,
    resampled_sums,
    too_few,
)

Places = NDArray[np.intp]


def measured_ratios(
    metrics: Sequence[str],
    upper: Floats,
    n_pairs: Floats,
    resampling: Resampling,
    chance: float = 0.5,
) -> Measured:
    """Return sum(upper) / sum(n_pairs) of each metric, over sentences with scores for all pairs.

    The intervals contain the ratios that the sign test over sentences does not reject.

    Args:
        upper: correctly ordered pairs of each sentence by each metric, shape (n_sentences,
            n_metrics).
        n_pairs: number of pairs that each metric has scored, of the same shape.
    """
    most = n_pairs.max(axis=1, keepdims=True)
    competes = n_pairs.sum(axis=0) >= resampling.coverage * most.sum()
    names = np.asarray(metrics, object)
    is_incomplete = ~competes
    with np.errstate(invalid="ignore"):
        estimates = upper[:, is_incomplete].sum(axis=0) / n_pairs[:, is_incomplete].sum(axis=0)
    n = np.count_nonzero(n_pairs[:, is_incomplete], axis=0)
    estimates_only = without_inference(names[is_incomplete].tolist(), estimates, n, "scores")
    if not competes.any():
        return estimates_only
    measured = _compared_ratios(
        names[competes].tolist(), upper[:, competes], n_pairs[:, competes], most, resampling, chance
    )
    return with_others(measured, estimates_only)


def _compared_ratios(
    metrics: Sequence[str],
    upper: Floats,
    n_pairs: Floats,
    most: Floats,
    resampling: Resampling,
    chance: float,
) -> Measured:
    is_complete = (n_pairs == most).all(axis=1) & (most[:, 0] > 0)
    n, pairs = int(is_complete.sum()), most[is_complete]
    won = upper[is_complete]
    with np.errstate(invalid="ignore"):
        estimates = won.sum(axis=0) / pairs.sum()
    lacking = too_few(sentences=n, pairs=int(pairs.sum()))
    if lacking:
        return without_inference(metrics, estimates, n, lacking)

    def ratios(weights: SampleWeights, places: Places) -> Floats:
        sums: Floats = resampled_sums(won[:, places], weights) / resampled_sums(pairs, weights)
        return sums

    def samples_of_block(block: int, places: Places) -> Floats:
        return resampling.samples(n, block, partial(ratios, places=places))

    samples = samples_of_block(0, np.arange(len(metrics)))
    # Gains are integers or halves, so a gain of 0 is exactly chance.
    tests = sign_tests(
        won - chance * pairs,
        np.broadcast_to(pairs, won.shape),
        resampling.level,
        resampling.sets,
        resampling.seed,
    )
    return Measured(
        metrics,
        estimates,
        np.full(len(metrics), n),
        [None] * len(metrics),
        *with_widths(tests.low + chance, tests.high + chance),
        samples,
        n_effective(pairs),
        estimates,
        samples_of_block,
        chance,
    )


def measured_rhos(
    metrics: Sequence[str],
    scores: Sequence[Floats],
    gold: Floats,
    n_draws: int,
    resampling: Resampling,
) -> Measured:
    """Return the mean of Spearman's rho over draws of corpora; sentences and draws are resampled.

    Args:
        scores: scores of each metric in its scored draws, shape (n_sentences, n_scored,
            n_corpora), NaN without a score. Only sentences with all scores of all competing metrics
            count.
        gold: the true order of the corpora, ascending, shape (n_corpora,).
    """
    is_scored = np.stack([~np.isnan(metric_scores).any(axis=(1, 2)) for metric_scores in scores])
    has_draws = np.array([metric_scores.shape[1] > 1 for metric_scores in scores])
    least_coverage = resampling.coverage * is_scored.any(axis=0).mean()
    competes = has_draws & (is_scored.mean(axis=1) >= least_coverage)
    names = np.asarray(metrics, object)
    incomplete = np.flatnonzero(~competes)
    estimates = [
        _rhos(scores[place][is_scored[place]], gold, np.ones((1, is_scored[place].sum()))).mean()
        for place in incomplete.tolist()
    ]
    lacking = ["scores" if has_draws[place] else "draws" for place in incomplete]
    estimates_only = without_inference(
        names[incomplete].tolist(), np.array(estimates), is_scored[incomplete].sum(axis=1), lacking
    )
    if not competes.any():
        return estimates_only
    competing_scores = [scores[place] for place in np.flatnonzero(competes).tolist()]
    is_complete = is_scored[competes].all(axis=0)
    measured = _compared_rhos(
        names[competes].tolist(),
        [metric_scores[is_complete] for metric_scores in competing_scores],
        gold,
        n_draws,
        resampling,
    )
    return with_others(measured, estimates_only)


def _compared_rhos(
    metrics: Sequence[str],
    scores: Sequence[Floats],
    gold: Floats,
    n_draws: int,
    resampling: Resampling,
) -> Measured:
    n, all_draws = len(scores[0]), np.arange(n_draws)[np.newaxis]
    estimates = np.array(
        [_mean_rhos(metric_scores, gold, np.ones((1, n)), all_draws)[0] for metric_scores in scores]
    )
    lacking = too_few(systems=len(gold), sentences=n)
    if lacking:
        return without_inference(metrics, estimates, n, lacking)

    def samples_of_block(block: int, places: Places) -> Floats:
        generator = np.random.Generator(np.random.PCG64([resampling.seed, block, n_draws]))

        def mean_rhos(weights: SampleWeights) -> Floats:
            redrawn = generator.integers(0, n_draws, (len(weights), n_draws))
            rhos = [_mean_rhos(scores[place], gold, weights, redrawn) for place in places]
            return fisher_z(np.stack(rhos, axis=1))

        return resampling.samples(n, block, mean_rhos)

    compared = fisher_z(estimates)
    samples = samples_of_block(0, np.arange(len(metrics)))
    # Sentences that are sampled twice make corpora noisier, so resampled values are too low.
    samples += compared - samples.mean(axis=0)
    # A variance that is estimated from fewer draws is less precise.
    fewest = min(n, n_draws)
    low, high = intervals(samples[: resampling.intervals], fewest, resampling.level)
    return Measured(
        metrics,
        estimates,
        np.full(len(metrics), n),
        [None] * len(metrics),
        np.tanh(low),
        np.tanh(high),
        samples,
        fewest,
        compared,
        samples_of_block,
    )


def _mean_rhos(
    scores: Floats, gold: Floats, weights: SampleWeights, draws: NDArray[np.int64]
) -> Floats:
    """Return the mean rho in each resample over its draws, shape (n_samples,).

    For a metric that has scored fewer draws than those of each resample, shape (n_samples,
    n_draws), it is the expectation over new ones.
    """
    if scores.shape[1] < draws.shape[1]:
        return expected_rhos(scores, gold, weights)
    means: Floats = np.take_along_axis(_rhos(scores, gold, weights), draws, axis=1).mean(axis=1)
    return means


def _rhos(scores: Floats, gold: Floats, weights: SampleWeights) -> Floats:
    """Return Spearman's rho of each draw in each resample, shape (n_samples, n_draws)."""
    n, n_draws, n_corpora = scores.shape
    # Corpora are on the first axis, along which they are ranked.
    columns = scores.transpose(2, 1, 0).reshape(-1, n).T
    sums = resampled_sums(columns, weights).T.reshape(n_corpora, n_draws, -1)
    ranks = average_ranks(sums) - (n_corpora + 1) / 2
    gold_ranks = average_ranks(gold) - (n_corpora + 1) / 2
    norms = np.sqrt(np.einsum("cds,cds->ds", ranks, ranks) * (gold_ranks @ gold_ranks))
    with np.errstate(invalid="ignore"):
        rhos: Floats = np.tensordot(gold_ranks, ranks, axes=1) / norms
    return rhos.T
