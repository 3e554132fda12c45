"""Metrics that read texts alone, such as GLEU, resampled like the counts of edits.

Each is scored by its own rule for a corpus (analysis/metrics/scores/score.py).
"""

from collections.abc import Sequence

import numpy as np

from maege.analysis.compare.inference.statistics import Resampled, pairs_of
from maege.analysis.metrics.families.base import FloatArray, RequestGroup, StatisticsFamily
from maege.analysis.metrics.families.languages import is_among
from maege.analysis.metrics.registry import METRICS, Metric
from maege.analysis.metrics.scores.score import Statistics, SummedScore
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.randomisation import AT_ONCE, Swaps
from maege.analysis.statistics.resampling import weights_in_blocks
from maege.analysis.system_scores import swapped_differences, system_scores


def text_metrics(language: str) -> list[str]:
    """Return the metrics that read nothing but texts and can run on this machine, by name."""
    return sorted(name for name, metric in METRICS.items() if _is_of_texts(metric, language))


def _is_of_texts(metric: Metric, language: str) -> bool:
    families = metric.score.families
    return (
        metric.missing is None
        and not metric.scored_elsewhere
        and is_among(language, metric.languages)
        and bool(families)
        and all(isinstance(family, StatisticsFamily) for family in families)
    )


def signature(name: str) -> str:
    """Return what the metric's numbers depend on."""
    return METRICS[name].signature()


def resampled_metric(
    name: str,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    resamples: int,
    seed: int,
) -> Resampled:
    """Return the scores of systems by one metric, and in resamples of their sentences.

    Args:
        name: one of `text_metrics`.
        sources: one text a sentence.
        references: of each sentence, as many of all.
        outputs: the texts of each system.
        resamples: how many samples, and as many swaps.
        seed: of both.

    """
    metric = METRICS[name]
    statistics = {
        family.name: _statistics(family, sources, references, outputs)
        for family in metric.score.families
        if isinstance(family, StatisticsFamily)
    }
    of_sentences = _sentence_scores(metric, statistics)
    n_systems, n_sentences = len(outputs), len(sources)
    ones: SampleWeights = np.ones((1, n_sentences), np.uint8)
    scores = system_scores(name, of_sentences, statistics, ones, "py2").score
    limit = system_scores(name, of_sentences, statistics, ones, "expected").score
    pairs = pairs_of(n_systems)
    drawn, swapped = np.empty((0, n_systems)), np.empty((0, len(pairs)))
    if resamples:
        # Samples of GLEU's limit, moved to its score over random references, as in the warehouse.
        drawn = (scores - limit) + np.concatenate(
            [
                system_scores(name, of_sentences, statistics, weights, "expected").samples
                for weights in weights_in_blocks(n_sentences, resamples, seed, AT_ONCE)
            ]
        )
    if resamples and pairs:
        swaps = Swaps(n_sentences, resamples, seed)
        swapped = swapped_differences(name, of_sentences, statistics, swaps, pairs)
    return Resampled(name, scores, None, drawn, swapped)


def _sentence_scores(metric: Metric, statistics: Statistics) -> FloatArray:
    """Return scores of shape (systems, sentences); none where the corpus has a rule of its own."""
    n_systems, n_sentences = next(iter(statistics.values())).shape[:2]
    if isinstance(metric.score, SummedScore):
        return np.zeros((n_systems, n_sentences))
    flat = {name: values.reshape(-1, *values.shape[2:]) for name, values in statistics.items()}
    return metric.score.sentence_scores(flat).reshape(n_systems, n_sentences)


def _statistics(
    family: StatisticsFamily,
    sources: Sequence[str],
    references: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
) -> FloatArray:
    """Return the family's statistics: (systems, sentences, references or 1, k)."""
    groups = []
    for source, listed, texts in zip(sources, references, zip(*outputs, strict=True), strict=True):
        distinct = list(dict.fromkeys(texts))
        groups.append(
            RequestGroup(
                listed if family.reads_references else (),
                (source,) if family.reads_source else (),
                tuple(distinct),
                np.zeros(len(texts) if family.reads_source else 0, np.intp),
                np.array([distinct.index(text) for text in texts], np.intp),
            )
        )
    return np.stack(family.compute_batch(groups), axis=1)
