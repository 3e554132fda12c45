"""Agreement of metrics with judges, in resamples of judgments, sentences and systems.

Two tasks. `system`: Pearson's r of scores of systems with TrueSkill scores from the judges,
with judgments and systems resampled. `output`: the share of judged pairs of outputs that
the metric orders as the judge did; a tie counts as half.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maege.analysis.best_metrics.lattices import measured_ratios
from maege.analysis.best_metrics.measured import (
    Measured,
    Resampling,
    fisher_z,
    with_others,
    with_widths,
    without_inference,
)
from maege.analysis.metrics.families import FloatArray
from maege.analysis.rankings.agreement import sentence_agreements
from maege.analysis.rankings.judged import (
    CorpusScores,
    HumanScores,
    Judged,
    ScoredSet,
    system_positions,
)
from maege.analysis.statistics.correlations import pearson_of_rows, redrawn_systems
from maege.analysis.statistics.randomisation import system_correlations
from maege.analysis.statistics.resampling import too_few

METHOD = "trueskill"
CHOICES = ("base", "all")


def measured_correlations(
    judgments: Judged,
    human: HumanScores,
    metrics: Sequence[ScoredSet],
    corpus_scores: CorpusScores,
    resampling: Resampling,
) -> Measured:
    """Return the Pearson's r of each metric with human scores.

    Metrics that do not score every judged sentence get an estimate without inference. A metric
    without a score for some of these systems is excluded. All metrics have one reference set.
    """
    is_judged = judgments.is_judged(metrics[0].scores.shape[1])
    n_systems = len(human.systems)
    placed = [
        (metric, places)
        for metric in metrics
        if (places := system_positions(metric, human.systems)) is not None
    ]
    results = [(corpus_scores.compute(metric, is_judged), places) for metric, places in placed]
    points = np.array([result.score[places] for result, places in results]).reshape(-1, n_systems)
    competes = np.array([metric.is_scored()[is_judged].all() for metric, _ in placed], np.bool_)
    names = np.array([metric.metric for metric, _ in placed], object)
    r = pearson_of_rows(points[~competes], human.scores)
    estimates_only = without_inference(names[~competes].tolist(), r, n_systems, "scores")
    if not competes.any():
        return estimates_only
    competing = [results[place] for place in np.flatnonzero(competes)]
    measured = measured_of_systems(
        names[competes].tolist(),
        points[competes],
        np.stack([result.samples[:, places] for result, places in competing]),
        human,
        resampling,
        too_few(sentences=int(is_judged.sum())),
    )
    return with_others(measured, estimates_only)


def measured_of_systems(
    metrics: Sequence[str],
    points: FloatArray,
    samples: FloatArray,
    human: HumanScores,
    resampling: Resampling,
    lacking: str | None = None,
) -> Measured:
    """Return the Pearson's r of metric scores of systems with human scores.

    Args:
        points: scores of the systems, shape (k, n).
        samples: scores in resamples of judgments and sentences, shape (k, n_samples, n).
        lacking: what there is too little of (apart from systems), or None.
    """
    n_systems, r = len(human.systems), pearson_of_rows(points, human.scores)
    lacking = too_few(systems=n_systems) or lacking
    if lacking:
        return without_inference(metrics, r, n_systems, lacking)
    correlations = system_correlations(
        points, human.scores, "pearson", resampling.seed, resampling.level
    )

    def samples_of_block(block: int, places: NDArray[np.intp]) -> FloatArray:
        rounds = max(1, resampling.sets // len(human.samples))
        seed = resampling.block_seed(block)
        return fisher_z(_redrawn(human, samples[places], seed, rounds))

    first_block = samples_of_block(0, np.arange(len(metrics)))
    return Measured(
        metrics,
        r,
        np.full(len(metrics), n_systems),
        [None] * len(metrics),
        *with_widths(correlations.low, correlations.high),
        first_block,
        math.inf,
        fisher_z(r),
        samples_of_block,
    )


def measured_agreements(
    judgments: Judged, metrics: Sequence[ScoredSet], resampling: Resampling
) -> Measured | None:
    agreements = sentence_agreements(judgments.pairs_of_outputs(), metrics, "ties_half")
    if not agreements:
        return None
    names, concordant, totals = zip(*agreements, strict=True)
    return measured_ratios(
        names, np.stack(concordant, axis=1), np.stack(totals, axis=1), resampling
    )


def _redrawn(
    human: HumanScores, samples: FloatArray, seed: int | Sequence[int], rounds: int
) -> FloatArray:
    """Return r in resamples of judgments, with systems resampled in every round: (n, k)."""
    n_samples, n_systems = human.samples.shape
    resampled_systems = redrawn_systems(n_systems, rounds * n_samples, seed).reshape(
        rounds, n_samples, -1
    )
    correlations = [
        pearson_of_rows(
            np.take_along_axis(samples, systems[np.newaxis], axis=2),
            np.take_along_axis(human.samples, systems, axis=1),
        ).T
        for systems in resampled_systems
    ]
    return np.concatenate(correlations)
