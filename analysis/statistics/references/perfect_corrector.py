"""What a corrector scores who corrects as people do, beside M references made the same way.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 2.2: output and
references are drawn from the crowd's corrections of a sentence, with replacement. They drew; here
it is summed. A metric that takes the best of M references takes the one that comes k-th in an order
of all corrections with probability

    S_k^M - S_(k+1)^M,

where S_k is the share of answers that are the k-th correction or one after it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap

from maege.analysis.metrics.scores.f_score import f_of_sums
from maege.analysis.statistics.samples.least_samples import too_few
from maege.analysis.statistics.samples.profiles import Interval

Array = NDArray[np.float64]

RESAMPLES = 1000
# Beside as many steps no F changes in the last digit.
STEPS = 50


class Compared(NamedTuple):
    """Statistics of every correction of a sentence beside every other: (outputs, references, k).

    `shares` says how often each correction is given.
    """

    statistics: Array
    shares: Array


def best_of_many(compared: Compared, preference: Array, n_references: int) -> Array:
    """Return the expected statistics beside the preferred of M references, shape (k,).

    `preference` has shape (outputs, references): the larger, the sooner.
    """
    order = np.argsort(-preference, axis=1, kind="stable")
    remaining = np.cumsum(compared.shares[order][:, ::-1], axis=1)[:, ::-1]
    after = np.concatenate([remaining[:, 1:], np.zeros((len(order), 1))], axis=1)
    chances = np.clip(remaining, 0, 1) ** n_references - np.clip(after, 0, 1) ** n_references
    chosen = np.take_along_axis(compared.statistics, order[..., None], axis=1)
    expected = (chances[..., None] * chosen).sum(axis=1)
    return np.asarray(compared.shares @ expected)


def expected_counts(sentences: Sequence[Compared], n_references: int, beta: float) -> Array:
    """Return the expected tp, proposed and gold of each sentence: shape (sentences, 3).

    Of a corpus so long that one sentence hardly changes its F, the reference that makes F largest
    is that of the largest (1 + beta^2) tp - F (proposed + beta^2 gold); F follows from the choice.
    """
    score = 0.0
    for _ in range(STEPS):
        counts = np.stack(
            [
                best_of_many(one, _gain(one.statistics, score, beta), n_references)
                for one in sentences
            ]
        )
        found = float(f_of_sums(counts.sum(axis=0), beta))
        if found == score:
            break
        score = found
    return counts


def _gain(statistics: Array, score: float, beta: float) -> Array:
    tp, proposed, gold = np.moveaxis(statistics, -1, 0)
    return np.asarray((1 + beta**2) * tp - score * (proposed + beta**2 * gold))


def corpus_interval(
    rows: Array, score: Callable[[Array], Array], level: float, seed: int
) -> Interval:
    """Return the score of the rows' sum, with the BCa interval of other sentences (Efron 1987).

    `rows` has shape (sentences, k), `score` takes sums of shape (..., k). Of fewer than 20
    sentences, and where these do not differ, there are no bounds.
    """
    value = float(score(rows.sum(axis=0)))
    if too_few(sentences=len(rows)) or (rows == rows[0]).all():
        return Interval(value, None, None)

    def of_places(places: NDArray[np.int64], axis: int) -> Array:
        del axis
        return score(rows[places].sum(axis=-2))

    with np.errstate(divide="ignore", invalid="ignore"):
        found = bootstrap(
            (np.arange(len(rows)),),
            of_places,
            n_resamples=RESAMPLES,
            vectorized=True,
            confidence_level=level,
            method="BCa",
            rng=np.random.default_rng(seed),
        ).confidence_interval
    if not np.isfinite([found.low, found.high]).all():
        return Interval(value, None, None)
    return Interval(value, float(found.low), float(found.high)).of_enough(len(rows))


def mean_interval(values: Sequence[float] | Array, level: float, seed: int) -> Interval:
    """Return the mean over sentences, with the same interval."""
    numbers = np.asarray(values, dtype=np.float64)
    return corpus_interval(
        np.stack([numbers, np.ones_like(numbers)], axis=1), mean_of_sums, level, seed
    )


def mean_of_sums(sums: Array) -> Array:
    """Return sum of values by sum of ones: the score of rows (value, 1)."""
    return np.asarray(sums[..., 0] / sums[..., 1])
