"""How well metrics agree with judges, in resamples of judgments, sentences and systems.

Two tasks: `judged_systems`, Pearson's r of scores of systems with those by TrueSkill, judgments and
systems redrawn; `judged_sentences`, the share of judged pairs of outputs that the metric orders as
the judge did, ties being half.
"""

import math
from collections.abc import Sequence

import numpy as np

from maege.analysis.best_metrics.lattices import measured_shares
from maege.analysis.best_metrics.measured import Measured, fisher_z
from maege.analysis.metrics.base import FloatArray
from maege.analysis.rankings.agreement import sentence_agreements
from maege.analysis.rankings.correlations import Draws, both_redrawn
from maege.analysis.rankings.judged import HumanScores, Judged, ScoredSet, of_systems
from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlation_bootstrap import pearson_of_rows, redrawn_systems
from maege.analysis.statistics.least_samples import too_few, with_width

METHOD = "trueskill"
CHOICES = ("base", "all")
TIE_RULE = "ties_half"


def measured_correlations(
    judged: Judged,
    human: HumanScores,
    metrics: Sequence[ScoredSet],
    corpus_scores: CorpusScores,
    draws: Draws,
    rounds: int,
) -> Measured | None:
    """Return r of the metrics that score every judged sentence of these systems, None of none.

    Args:
        judged: the judgment set.
        human: its human scores of a choice of systems.
        metrics: beside one reference set.
        corpus_scores: what scores the corpus's systems.
        draws: the level, and the seed of the systems that resamples draw.
        rounds: how often each sample of judgments redraws the systems.

    """
    is_judged = judged.is_judged(metrics[0].scores.shape[1])
    kept = [
        (metric, places)
        for metric in metrics
        if metric.is_scored()[is_judged].all()
        and (places := of_systems(metric, human.systems)) is not None
    ]
    if not kept:
        return None
    names = [metric.metric for metric, _ in kept]
    results = [(corpus_scores.of(metric, is_judged), places) for metric, places in kept]
    points = np.stack([one.score[places] for one, places in results])
    samples = np.stack([one.samples[:, places] for one, places in results])
    lacking = too_few(sentences=int(is_judged.sum()))
    return measured_of_systems(names, points, samples, human, draws, rounds, lacking)


def measured_of_systems(
    metrics: Sequence[str],
    points: FloatArray,
    samples: FloatArray,
    human: HumanScores,
    draws: Draws,
    rounds: int,
    lacking: str | None = None,
) -> Measured:
    """Return r of metrics' scores of systems with human scores.

    Args:
        metrics: names.
        points: scores of the systems, shape (k, n).
        samples: those of samples of judgments and sentences, shape (k, n_samples, n).
        human: scores of the same systems, in the same samples.
        draws: as for `measured_correlations`.
        rounds: as there.
        lacking: what there is too little of besides systems.

    """
    n_systems, r = len(human.systems), pearson_of_rows(points, human.scores)
    lacking = too_few(systems=n_systems) or lacking
    if lacking:
        nothing = np.full(len(metrics), np.nan)
        none = np.zeros((0, len(metrics)))
        return Measured(metrics, r, nothing, nothing, none, n_systems, n_systems, lacking)
    of_pearson = both_redrawn(human, samples, {"pearson": r}, draws)["pearson"]
    bounds = [with_width(*ends) for ends in zip(of_pearson.low, of_pearson.high, strict=True)]
    low, high = np.array(bounds).T
    drawn = fisher_z(_redrawn(human, samples, draws.seed, rounds))
    return Measured(metrics, r, low, high, drawn, n_systems, math.inf, None, fisher_z(r))


def measured_agreements(
    judged: Judged,
    metrics: Sequence[ScoredSet],
    weights: SampleWeights,
    n_in_intervals: int,
    level: float,
) -> Measured | None:
    """Return the share of pairs of outputs that each metric orders as the judges did.

    Args:
        judged: the pairs of a choice of systems.
        metrics: beside one reference set.
        weights: how often each sample draws each sentence.
        n_in_intervals: how many of the samples, the first, are behind intervals.
        level: of intervals and of the set.

    """
    found = sentence_agreements(judged.pairs_of_outputs(), metrics, TIE_RULE)
    if not found:
        return None
    names, right, counted = zip(*found, strict=True)
    return measured_shares(
        names,
        np.stack(right, axis=1),
        np.stack(counted, axis=1),
        weights,
        n_in_intervals,
        level,
    )


def _redrawn(human: HumanScores, samples: FloatArray, seed: int, rounds: int) -> FloatArray:
    """Return r in samples of judgments, each with systems drawn anew in every round: (n, k)."""
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
