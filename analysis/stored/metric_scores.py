"""Scores of systems by a metric over the sentences that were judged, or over any others."""

from collections.abc import Sequence

import numpy as np

from analysis.metrics.base import FloatArray
from analysis.metrics.draws import Reference
from analysis.metrics.score import SystemScores
from analysis.stored.rankings import Flags, ScoredSet
from analysis.stored.statistics import Statistics, summed_families
from analysis.system_scores import system_scores

CHANCE = "none"


def score_systems(
    scored: ScoredSet,
    corpus: str,
    statistics: Statistics,
    sentences: Flags,
    weights: FloatArray,
    gleu_rng: Reference,
) -> SystemScores:
    """Return the corpus scores of all systems over some sentences, and those of every sample.

    NaN in a sample that draws none of these sentences, and everywhere where there are none.

    Args:
        scored: the metric's sentence scores; sentences without one are left out.
        corpus: to which the systems belong.
        statistics: of all families, as from `judged_statistics`.
        sentences: which of the corpus to score.
        weights: how often each sample draws each sentence of the corpus.
        gleu_rng: the generator of GLEU's references.

    """
    columns = sentences & scored.is_scored()
    n_systems = len(scored.systems)
    drawn = weights[:, columns].any(axis=1)
    samples = np.full((len(weights), n_systems), np.nan)
    if not drawn.any():
        return SystemScores(np.full(n_systems, np.nan), samples)
    summed = summed_families(scored.metric, corpus, scored.reference_set, statistics)
    result = system_scores(
        scored.metric,
        scored.scores[:, columns],
        {family: array[:, columns] for family, array in summed.items()},
        weights[np.ix_(drawn, columns)],
        gleu_rng,
    )
    samples[drawn] = result.samples
    return SystemScores(result.score, samples)


def of_systems(scored: ScoredSet, systems: Sequence[str]) -> list[int] | None:
    """Return where these systems stand among those scored, None unless all of them are."""
    if set(systems) <= set(scored.systems):
        return [scored.systems.index(name) for name in systems]
    return None


def by_reference_set(scored: list[ScoredSet]) -> dict[str, list[ScoredSet]]:
    """Return the metrics of each reference set, those that read no references beside each."""
    names = {one.reference_set for one in scored} - {CHANCE}
    found = {name: [one for one in scored if one.reference_set == name] for name in sorted(names)}
    without = [one for one in scored if one.reference_set == CHANCE]
    return {name: metrics + without for name, metrics in found.items()}
