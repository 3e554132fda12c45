"""Which of a system's outputs an oracle takes, and how many sentences it leaves alone.

Choshen and Abend (2018), "Inherent Biases in Reference-based Evaluation", section 3.3: the oracle
knows the references, and takes what the metric scores best beside them. What it leaves unchanged
though better candidates are at hand, the metric would have punished.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from maege.analysis.statistics.samples.profiles import Interval

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]


def oracle_choice(scores: Array, is_source: Sequence[bool]) -> Places:
    """Return the candidate that the oracle takes, shape (...) of scores (..., candidates) >= 0.

    As the paper's program: the last of those with the best score, but once that is the source
    itself no other with the same score.
    """
    kept = np.asarray(is_source)
    best = np.zeros(scores.shape[:-1])
    choice = np.zeros(scores.shape[:-1], np.intp)
    for place in range(scores.shape[-1]):
        score = scores[..., place]
        is_taken = (score > best) | ((score == best) & ~(kept[choice] & (place > 0)))
        choice[is_taken] = place
        best[is_taken] = score[is_taken]
    return choice


def drawn_references(
    n_references: int, n_drawn: int, draws: int, seed: Sequence[int], *, with_replacement: bool
) -> Places:
    """Return the positions drawn of a sentence's references, (draws, `n_drawn`), each sorted.

    Without replacement all of them, once, where no more than `n_drawn` are there.
    """
    if not with_replacement and n_drawn >= n_references:
        return np.tile(np.arange(n_references), (draws, 1))
    rng = np.random.default_rng(list(seed))
    if with_replacement:
        drawn = rng.integers(0, n_references, (draws, n_drawn))
    else:
        orders = np.tile(np.arange(n_references), (draws, 1))
        drawn = rng.permuted(orders, axis=1)[:, :n_drawn]
    return np.sort(drawn, axis=1)


def over_draws(counts: Array, level: float) -> Interval:
    """Return the mean over draws, and where that share of all draws lies: sums of many sentences.

    Counts are nearly normal, as sentences are drawn for independently, and of two draws or more.
    """
    mean = float(counts.mean())
    reach = float(norm.ppf((1 + level) / 2) * counts.std(ddof=1))
    return Interval(mean, mean - reach, mean + reach)
