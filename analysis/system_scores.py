"""Scores of whole system outputs, and the same in samples of sentences drawn with replacement.

All systems of a corpus go through one product with the matrix of draws: a thousand bootstrap
samples of sixteen systems cost what one system costs in a loop.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.metrics.base import FloatArray
from analysis.metrics.errant import choose_best
from analysis.metrics.imeasure.measure import improvement_of_counts
from analysis.metrics.m2.family import choose_cumulative
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
from analysis.statistics.bootstrap import resampled_sums

_F_SCORES = ("m2", "errant")
_IMPROVEMENTS = ("imeasure", "imeasure_mix")
_GLEU_PENALTIES: Mapping[str, Penalty] = {"gleu": "absent", "gleu_equation": "difference"}
_IBLEU_SIGNS = {"ibleu": 1, "ibleu_minus": -1}


IntArray = NDArray[np.int64]


class SystemScores(NamedTuple):
    """Corpus scores, one a system, and those of every bootstrap sample: (samples, systems)."""

    score: FloatArray
    samples: FloatArray


def system_scores(
    metric: str,
    sentence_scores: FloatArray,
    statistics: Mapping[str, FloatArray],
    weights: FloatArray,
    gleu_rng: Reference,
) -> SystemScores:
    """Return the systems' corpus scores by the metric's own rule, means where it has none.

    BLEU sums its statistics before it divides, as sacreBLEU does; iBLEU combines two such BLEUs.
    GLEU is the mean over 500 random references; its samples are those of the limit of many draws,
    moved by the difference between the two scores. M2, ERRANT and the I-measure sum the counts of
    the annotator or mixture chosen for each sentence; a sample keeps that choice.

    Args:
        metric: by name.
        sentence_scores: shape (systems, sentences).
        statistics: of each family that the metric reads, as its `compute` shapes them, with
            the systems on an axis before.
        weights: how often each bootstrap sample draws each sentence, shape (samples, sentences).
        gleu_rng: the generator of GLEU's references.

    """
    if metric == "bleu":
        addends = bleu_addends(statistics["bleu"][:, :, 0])
        return SystemScores(
            bleu_of_sums(addends.sum(axis=1)), bleu_of_sums(_resampled(addends, weights))
        )
    if metric in _IBLEU_SIGNS:
        shares = {"bleu": IBLEU_ALPHA, "source_bleu": _IBLEU_SIGNS[metric] * (1 - IBLEU_ALPHA)}
        score, samples = np.zeros(()), np.zeros(())
        for name, share in shares.items():
            addends = bleu_addends(statistics[name][:, :, 0])
            score = score + share * bleu_of_sums(addends.sum(axis=1))
            samples = samples + share * bleu_of_sums(_resampled(addends, weights))
        return SystemScores(score, samples)
    if metric in _GLEU_PENALTIES:
        penalty = _GLEU_PENALTIES[metric]
        score = corpus_gleu(statistics["gleu"], gleu_rng, penalty)
        addends = gleu_addends(statistics["gleu"], penalty)
        limit = gleu_of_sums(addends.sum(axis=1))
        samples = gleu_of_sums(_resampled(addends, weights))
        return SystemScores(score, samples + (score - limit))
    if metric in _F_SCORES:
        positions = chosen_annotators(metric, statistics[metric])
        counts = chosen_counts(metric, statistics[metric], positions).astype(np.float64)
        return SystemScores(f_of_sums(counts.sum(axis=1)), f_of_sums(_resampled(counts, weights)))
    if metric in _IMPROVEMENTS:
        counts = statistics[metric][:, :, 0]
        return SystemScores(
            improvement_of_counts(counts.sum(axis=1)),
            improvement_of_counts(_resampled(counts, weights)),
        )
    sums = resampled_sums(sentence_scores.T, weights)
    return SystemScores(sentence_scores.mean(axis=1), sums / weights.sum(axis=1, keepdims=True))


def chosen_annotators(metric: str, statistics: FloatArray) -> IntArray:
    """Return the position of the annotator that M2 or ERRANT compares each sentence with.

    Shape (systems, sentences), from statistics of shape (systems, sentences, annotators, k).
    """
    return choose_cumulative(statistics) if metric == "m2" else choose_best(statistics)


def chosen_counts(metric: str, statistics: FloatArray, positions: IntArray) -> IntArray:
    """Return tp, proposed and gold of the chosen annotators: shape (systems, sentences, 3)."""
    places = positions[:, :, np.newaxis, np.newaxis]
    counts = np.take_along_axis(statistics, places, axis=2)[:, :, 0, :3].astype(np.int64)
    if metric == "errant":
        # From tp, fp and fn.
        counts[..., 1:] += counts[..., :1]
    return counts


def f_of_sums(sums: FloatArray) -> FloatArray:
    """Return F.5 from summed tp, proposed and gold, shape (..., 3).

    Precision is 1 with nothing proposed, recall 1 with nothing to find, F 0 where both are 0.
    """
    tp, proposed, gold = np.moveaxis(sums, -1, 0)
    precision = np.where(proposed > 0, tp / np.maximum(proposed, 1), 1)
    recall = np.where(gold > 0, tp / np.maximum(gold, 1), 1)
    weighted = 0.25 * precision + recall
    score: FloatArray = np.where(
        weighted > 0, 1.25 * precision * recall / np.where(weighted > 0, weighted, 1), 0
    )
    return score


def _resampled(addends: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the sums of every sample: (systems, sentences, k) to (samples, systems, k).

    The addends are whole numbers, so that their sums are exact whatever the order.
    """
    systems, sentences, width = addends.shape
    columns = addends.transpose(1, 0, 2).reshape(sentences, systems * width)
    sums: FloatArray = (weights @ columns).reshape(-1, systems, width)
    return sums
