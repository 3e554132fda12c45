"""Scores of whole system outputs, with intervals from sentences drawn with replacement.

All systems of a corpus go through one product with the matrix of draws: a thousand bootstrap
samples of sixteen systems cost what one system costs in a loop.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from analysis.metrics.base import FloatArray
from analysis.metrics.scores import (
    IBLEU_ALPHA,
    Penalty,
    Reference,
    bleu_addends,
    bleu_of_sums,
    corpus_gleu,
    gleu_addends,
    gleu_of_sums,
)
from analysis.statistics.bootstrap import mean_intervals

_GLEU_PENALTIES: Mapping[str, Penalty] = {"gleu": "absent", "gleu_equation": "difference"}
_IBLEU_SIGNS = {"ibleu": 1, "ibleu_minus": -1}


class SystemScores(NamedTuple):
    """Corpus scores and their bootstrap intervals, one of each a system."""

    score: FloatArray
    ci_low: FloatArray
    ci_high: FloatArray


def system_scores(
    metric: str,
    sentence_scores: FloatArray,
    statistics: Mapping[str, FloatArray],
    weights: FloatArray,
    level: float,
    gleu_rng: Reference,
) -> SystemScores:
    """Return the systems' corpus scores by the metric's own rule, means where it has none.

    BLEU sums its statistics before it divides, as sacreBLEU does; iBLEU combines two such BLEUs.
    GLEU is the mean over 500 random references; its interval is that of the limit of many draws,
    moved by the difference between the two scores.

    Args:
        metric: by name.
        sentence_scores: shape (systems, sentences).
        statistics: of each family that the metric reads, as its `compute` shapes them, with
            the systems on an axis before.
        weights: how often each bootstrap sample draws each sentence, shape (samples, sentences).
        level: the share of samples inside the interval.
        gleu_rng: the generator of GLEU's references.

    """
    if metric == "bleu":
        addends = bleu_addends(statistics["bleu"][:, :, 0])
        return _with_intervals(
            bleu_of_sums(addends.sum(axis=1)), bleu_of_sums(_resampled(addends, weights)), level
        )
    if metric in _IBLEU_SIGNS:
        shares = {"bleu": IBLEU_ALPHA, "source_bleu": _IBLEU_SIGNS[metric] * (1 - IBLEU_ALPHA)}
        score, samples = np.zeros(()), np.zeros(())
        for name, share in shares.items():
            addends = bleu_addends(statistics[name][:, :, 0])
            score = score + share * bleu_of_sums(addends.sum(axis=1))
            samples = samples + share * bleu_of_sums(_resampled(addends, weights))
        return _with_intervals(score, samples, level)
    if metric in _GLEU_PENALTIES:
        penalty = _GLEU_PENALTIES[metric]
        score = corpus_gleu(statistics["gleu"], gleu_rng, penalty)
        addends = gleu_addends(statistics["gleu"], penalty)
        limit = gleu_of_sums(addends.sum(axis=1))
        samples = gleu_of_sums(_resampled(addends, weights))
        return _with_intervals(score, samples + (score - limit), level)
    columns = sentence_scores.T
    low, high = mean_intervals(columns, np.ones_like(columns), weights, level)
    return SystemScores(sentence_scores.mean(axis=1), low, high)


def _resampled(addends: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the sums of every sample: (systems, sentences, k) to (samples, systems, k).

    The addends are whole numbers, so that their sums are exact whatever the order.
    """
    systems, sentences, width = addends.shape
    columns = addends.transpose(1, 0, 2).reshape(sentences, systems * width)
    sums: FloatArray = (weights @ columns).reshape(-1, systems, width)
    return sums


def _with_intervals(score: FloatArray, samples: FloatArray, level: float) -> SystemScores:
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return SystemScores(score, low, high)
