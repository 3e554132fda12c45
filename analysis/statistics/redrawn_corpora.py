"""More draws of sampled corpora from scores of a few: each sentence as in one of the scored draws.

Sentences are drawn independently of each other, so that a corpus whose sentences come from several
draws is another draw of it, and needs no score that is not there. Of k scored draws such corpora
vary by (k - 1) / k of the variance of fresh ones, around the mean of the k.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from maege.analysis.statistics.bootstrap import Floats, resampled_sums


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
