"""More draws of sampled corpora from scores of a few: each sentence as in one of the scored draws.

Sentences are drawn independently of each other, so that a corpus whose sentences come from several
draws is another draw of it, and needs no score that is not there. Of k scored draws such corpora
vary by (k - 1) / k of the variance of fresh ones, around the mean of the k.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations.correlation_bootstrap import average_ranks
from maege.analysis.statistics.samples.bootstrap import Floats, resampled_sums


def further_draws(
    n_sentences: int, n_scored: int, n_draws: int, seed: int | Sequence[int]
) -> NDArray[np.int64]:
    """Return which scored draw each sentence of each further one is taken from.

    Shape (n_draws - n_scored, n_sentences): the same for all metrics, which share their draws.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    return generator.integers(0, n_scored, (n_draws - n_scored, n_sentences))


def redrawn_means(scores: ArrayLike, drawn: NDArray[np.int64]) -> Floats:
    """Return the mean score of each corpus in each new draw: shape (n_new, n_corpora).

    Args:
        scores: of the sentences in the scored draws: shape (n_sentences, n_scored, n_corpora). A
            sentence that lacks one (NaN) counts in no draw.
        drawn: which scored draw each sentence is taken from, shape (n_new, n_sentences): from one
            for all corpora of a draw, which share their sources.

    Raises:
        ValueError: no sentence has all scores.

    """
    values = np.asarray(scores, dtype=np.float64)
    whole = ~np.isnan(values).any(axis=(1, 2))
    if not whole.any():
        raise ValueError("expected a sentence with a score in every draw and corpus, found none")
    values, chosen = values[whole], drawn[:, whole]
    n_sentences, n_scored, n_corpora = values.shape
    weights = np.zeros((len(drawn), n_sentences, n_scored))
    np.put_along_axis(weights, chosen[:, :, np.newaxis], 1.0, axis=2)
    flat = values.reshape(n_sentences * n_scored, n_corpora)
    means: Floats = resampled_sums(flat, weights.reshape(len(drawn), -1)) / n_sentences
    return means


def expected_rhos(scores: Floats, gold: Floats, weights: SampleWeights) -> Floats:
    """Return Spearman's rho expected of fresh draws of corpora, in each sample of sentences.

    Shape (n_samples,). Rho without ties is linear in ranks, and the expected rank of a corpus is
    the sum of the chances that it is above each other one. Those are of a sum over sentences that
    are drawn independently: normal, with the mean and the variance of their scored draws. No chance
    of ours has a part in it, as it has in the mean of any number of draws.

    Args:
        scores: of the sentences in two scored draws or more: shape (n_sentences, n_scored,
            n_corpora), without gaps.
        gold: what the corpora are to be ordered by, shape (n_corpora,), two or more.
        weights: of the sentences, how often each is drawn in each sample.

    """
    n_corpora = scores.shape[2]
    first, second = np.triu_indices(n_corpora, 1)
    differences = scores[:, :, first] - scores[:, :, second]
    parts = np.concatenate([differences.mean(axis=1), differences.var(axis=1, ddof=1)], axis=1)
    means, variances = np.split(resampled_sums(parts, weights), 2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        standardised = means / np.sqrt(variances)
    # Neither a difference nor a variance: a tie, which half of all orders resolve either way.
    above = ndtr(np.where(np.isnan(standardised), 0.0, standardised)) - 0.5
    of_gold = average_ranks(gold) - (n_corpora + 1) / 2
    untied = np.arange(n_corpora) - (n_corpora - 1) / 2
    norm = np.sqrt((of_gold @ of_gold) * (untied @ untied))
    rhos: Floats = above @ (of_gold[first] - of_gold[second]) / norm
    return rhos
