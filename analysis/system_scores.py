"""Corpus scores of system outputs, on the data and in bootstrap samples of sentences."""

import hashlib
from collections.abc import Sequence

import numpy as np

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import Pair, Reference, Statistics, SummedScore, SystemScores
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.randomisation import Swaps
from maege.analysis.statistics.resampling import resampled_sums

# Families whose statistics a corpus score sums; other metrics average sentence scores.
SUMMED = {
    name
    for metric in METRICS.values()
    if isinstance(metric.score, SummedScore)
    for name in metric.families
}
# Statistics by family, then by corpus and reference set: shape (systems, sentences, references,
# statistics).
StatisticsOfSets = dict[str, dict[tuple[str, ...], FloatArray]]


def array_key(*arrays: FloatArray) -> bytes:
    contents = (f"{array.dtype} {array.shape}".encode() + array.tobytes() for array in arrays)
    return hashlib.sha256(b"".join(contents)).digest()


def system_scores(
    metric: str | SummedScore,
    sentence_scores: FloatArray,
    statistics: Statistics,
    weights: SampleWeights,
    gleu_rng: Reference,
) -> SystemScores:
    """Return the systems' corpus scores by the metric's own rule; means if it has no rule.

    Args:
        sentence_scores: shape (systems, sentences).
        statistics: for each family of a summed score, with the shape of its `compute` and the
            systems on an additional first axis.
        weights: how often each bootstrap sample contains each sentence, shape (samples, sentences).
    """
    score = _rule_of(metric)
    if score is not None:
        return score.system_scores(statistics, weights, gleu_rng)
    sums = resampled_sums(sentence_scores.T, weights)
    return SystemScores(sentence_scores.mean(axis=1), sums / weights.sum(axis=1, keepdims=True))


def swapped_differences(
    metric: str | SummedScore,
    sentence_scores: FloatArray,
    statistics: Statistics,
    swaps: Swaps,
    pairs: Sequence[Pair],
) -> FloatArray:
    """Return b - a of corpus scores after swaps of sentences, shape (swaps, pairs of systems)."""
    score = _rule_of(metric)
    if score is not None:
        after_swaps = score.swapped_scores(statistics, swaps.moved, pairs)
        return np.stack([second - first for first, second in after_swaps], axis=1)
    moved = np.concatenate([resampled_sums(sentence_scores.T, block) for block in swaps])
    n_sentences = sentence_scores.shape[1]
    a, b = np.array(pairs).T
    # The change of a mean is the difference of the swapped scores.
    means = sentence_scores.mean(axis=1)
    difference: FloatArray = (means[b] - means[a]) - 2 * (moved[:, b] - moved[:, a]) / n_sentences
    return difference


def _rule_of(metric: str | SummedScore) -> SummedScore | None:
    if isinstance(metric, str):
        rule = METRICS[metric].score if metric in METRICS else None
        return rule if isinstance(rule, SummedScore) else None
    return metric


def summed_families(
    metric: str, corpus: str, reference_set: str, statistics: StatisticsOfSets
) -> dict[str, FloatArray]:
    return {name: statistics[name][corpus, reference_set] for name in summed_by(metric)}


def summed_by(metric: str) -> list[str]:
    families = METRICS[metric].families if metric in METRICS else ()
    return [name for name in families if name in SUMMED]
