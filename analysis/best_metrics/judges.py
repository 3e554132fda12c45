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
    with_inference,
    with_others,
    without_inference,
)
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.rankings.agreement import sentence_agreements
from maege.analysis.rankings.judged import CorpusScores, HumanScores, Judged, ScoredSet, of_systems
from maege.analysis.statistics.correlations import pearson_of_rows, redrawn_systems
from maege.analysis.statistics.randomisation import system_correlations
from maege.analysis.statistics.resampling import too_few, with_width

METHOD = "trueskill"
CHOICES = ("base", "all")
TIE_RULE = "ties_half"


def measured_correlations(
    judged: Judged,
    human: HumanScores,
    metrics: Sequence[ScoredSet],
    corpus_scores: CorpusScores,
    resampling: Resampling,
) -> Measured:
    """Return the Pearson's r of each metric with human scores.

    Metrics that do not score every judged sentence get an estimate without inference.

    Args:
        metrics: metrics with one reference set. A metric without a score for some of these systems
            is excluded.
    """
    is_judged = judged.is_judged(metrics[0].scores.shape[1])
    places = {one.metric: of_systems(one, human.systems) for one in metrics}
    scored = [one for one in metrics if places[one.metric] is not None]
    whole = [bool(one.is_scored()[is_judged].all()) for one in scored]
    results = [corpus_scores.of(one, is_judged) for one in scored]
    of_all = [(one.metric, places[one.metric]) for one in scored]
    names = [name for name, _ in of_all]
    shape = (len(scored), len(human.systems))
    points = np.array(
        [one.score[chosen] for one, (_, chosen) in zip(results, of_all, strict=True)]
    ).reshape(shape)
    competes = np.array(whole, np.bool_)
    r = pearson_of_rows(points[~competes], human.scores)
    few = [name for name, does in zip(names, whole, strict=True) if not does]
    others = without_inference(few, r, len(human.systems), "scores")
    if not competes.any():
        return others
    samples = [
        one.samples[:, chosen]
        for one, (_, chosen), does in zip(results, of_all, whole, strict=True)
        if does
    ]
    lacking = too_few(sentences=int(is_judged.sum()))
    measured = measured_of_systems(
        [name for name, does in zip(names, whole, strict=True) if does],
        points[competes],
        np.stack(samples),
        human,
        resampling,
        lacking,
    )
    return with_others(measured, others)


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
        lacking: for each metric what there is too little of (apart from systems), or None.
    """
    n_systems, r = len(human.systems), pearson_of_rows(points, human.scores)
    lacking = too_few(systems=n_systems) or lacking
    if lacking:
        return without_inference(metrics, r, n_systems, lacking)
    of_pearson = system_correlations(
        points, human.scores, "pearson", resampling.seed, resampling.level
    )
    bounds = [with_width(*ends) for ends in zip(of_pearson.low, of_pearson.high, strict=True)]
    low, high = np.array(bounds).T

    def drawn(block: int, places: NDArray[np.intp]) -> FloatArray:
        rounds = max(1, resampling.sets // len(human.samples))
        seed = resampling.of_block(block)
        return fisher_z(_redrawn(human, samples[places], seed, rounds))

    of_first = drawn(0, np.arange(len(metrics)))
    return with_inference(
        metrics, r, n_systems, (low, high), of_first, math.inf, fisher_z(r), drawn
    )


def measured_agreements(
    judged: Judged, metrics: Sequence[ScoredSet], resampling: Resampling
) -> Measured | None:
    """Return the share of pairs of outputs that each metric orders as the judges did.

    None if no metric has scored two outputs that a judge compared.
    """
    found = sentence_agreements(judged.pairs_of_outputs(), metrics, TIE_RULE)
    if not found:
        return None
    names, right, counted = zip(*found, strict=True)
    return measured_ratios(names, np.stack(right, axis=1), np.stack(counted, axis=1), resampling)


def _redrawn(
    human: HumanScores, samples: FloatArray, seed: int | Sequence[int], rounds: int
) -> FloatArray:
    """Return r in resamples of judgments, with systems resampled in every round: (n, k)."""
    n_samples, n_systems = human.samples.shape
    drawn = redrawn_systems(n_systems, rounds * n_samples, seed).reshape(rounds, n_samples, -1)
    found = [
        pearson_of_rows(
            np.take_along_axis(samples, systems[np.newaxis], axis=2),
            np.take_along_axis(human.samples, systems, axis=1),
        ).T
        for systems in drawn
    ]
    return np.concatenate(found)
