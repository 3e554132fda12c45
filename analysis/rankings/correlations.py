"""Correlations of metrics, and of weighted sums of metrics, with human scores of systems."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.fluency import PUBLISHED
from maege.analysis.metrics.scores import SystemScores
from maege.analysis.rankings.human_scores import MetricSkills
from maege.analysis.rankings.judged import (
    CorpusScores,
    Flags,
    HumanScores,
    Judged,
    Key,
    ScoredSet,
    ScoresKey,
    by_reference_set,
    system_positions,
)
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.correlations import COEFFICIENTS as CORRELATE
from maege.analysis.statistics.correlations import (
    SEEDA_WINDOW,
    CorrelationIntervals,
    correlation_intervals,
    system_windows,
)
from maege.analysis.statistics.judgments import split_half_ceiling
from maege.analysis.statistics.randomisation import (
    SystemCorrelations,
    judged_pair_differences,
    paired_permutation_p,
    random_signs,
    soft_pairwise_accuracy,
    system_correlations,
    system_pair_differences,
)
from maege.analysis.statistics.resampling import too_few

# --- Correlations with human scores, over sets of systems ---
#
# `resampled` names the resampled units: `judgments` (with the metric's scores on the same
# sentences), `systems`, or `both`. The variance over systems includes the noise of sentences and
# judgments. Therefore `systems` and `both` have the same interval and the same test
# (`permuted_correlations`).

COEFFICIENTS = {"pearson": "pearson_r", "spearman": "spearman_rho"}
RESAMPLED = ("judgments", "systems", "both")
SIGNS = 1000
# TrueSkill scores of systems by name, computed on the judged sentences only.
Scores = list[tuple[ScoredSet, SystemScores, dict[str, float]]]


class Draws(NamedTuple):
    level: float
    seed: int


def correlation_rows(
    judgment_sets: Sequence[Judged],
    human: dict[Key, list[HumanScores]],
    metrics_scored: list[ScoredSet],
    corpus_scores: CorpusScores,
    draws: Draws,
) -> Iterator[dict[str, Any]]:
    shared = judgment_sets, human, corpus_scores, MetricSkills(draws.seed), draws
    # Reference sets share the rows of metrics that read no references, or equal ones.
    rows: dict[ScoresKey, list[dict[str, Any]]] = {}
    for reference_set, metrics in by_reference_set(metrics_scored).items():
        keys = {metric.metric: corpus_scores.key(metric) for metric in metrics}
        unknown = [metric for metric in metrics if keys[metric.metric] not in rows]
        rows |= {keys[metric.metric]: [] for metric in unknown}
        for row in _rows_of_metrics(unknown, *shared):
            rows[keys[row["metric"]]].append(row)
        for row in chain.from_iterable(rows[key] for key in keys.values()):
            yield row | {"reference_set": reference_set}


def _rows_of_metrics(
    metrics: list[ScoredSet],
    judgment_sets: Sequence[Judged],
    human: dict[Key, list[HumanScores]],
    corpus_scores: CorpusScores,
    skills: MetricSkills,
    draws: Draws,
) -> Iterator[dict[str, Any]]:
    for judgments in judgment_sets if metrics else ():
        n_sentences = metrics[0].scores.shape[1]
        is_judged = judgments.is_judged(n_sentences)
        choices = human.get((judgments.corpus, judgments.judgment_set), [])
        accuracies = _soft_accuracies(judgments, choices, metrics, is_judged, draws.seed)
        for sentence_set, sentences in (
            ("judged", is_judged),
            ("all", np.ones(n_sentences, np.bool_)),
        ):
            is_judged_set = sentence_set == "judged"
            scores = [
                (
                    metric,
                    corpus_scores.compute(metric, sentences),
                    skills.estimate(metric, judgments, sentences) if is_judged_set else {},
                )
                for metric in metrics
            ]
            for choice in choices:
                for row in _correlations(choice, scores, sentences, draws):
                    has_soft = is_judged_set and row["system_set"] == choice.system_set
                    yield row | {
                        "corpus": judgments.corpus,
                        "judgment_set": judgments.judgment_set,
                        "sentence_set": sentence_set,
                        "soft_pairwise_accuracy": accuracies.get(
                            (tuple(choice.systems), row["metric"])
                        )
                        if has_soft
                        else None,
                    }


def _correlations(
    human: HumanScores, scores: Scores, sentences: Flags, draws: Draws
) -> Iterator[dict[str, Any]]:
    competing = [
        (metric, result, places, skills)
        for metric, result, skills in scores
        if (places := system_positions(metric, human.systems)) is not None
    ]
    if not competing or len(human.systems) < 2:
        return
    points = np.stack([result.score[places] for _, result, places, _ in competing])
    samples = np.stack([result.samples[:, places] for _, result, places, _ in competing])
    skilled = np.array(
        [[skills.get(name, np.nan) for name in human.systems] for *_, skills in competing]
    )
    n_sentences = [
        int(np.count_nonzero(sentences & metric.is_scored())) for metric, *_ in competing
    ]
    choices = {human.system_set: np.arange(len(human.systems))}
    if human.system_set == "base":
        for start, window in enumerate(system_windows(human.scores)):
            choices[f"base_window_{start}_{start + SEEDA_WINDOW - 1}"] = window
    for system_set, selected in choices.items():
        selected_human = human.among(selected)
        inferred = _Inferred(selected_human, points[:, selected], samples[:, :, selected], draws)
        by_skill = {
            f"trueskill_{column}": CORRELATE[name](skilled[:, selected], selected_human.scores)
            for name, column in COEFFICIENTS.items()
        }
        ceiling = split_half_ceiling(*selected_human.halves)
        for place, (metric, *_) in enumerate(competing):
            row = {
                "method": human.method,
                "system_set": system_set,
                "metric": metric.metric,
                "n_systems": len(selected),
                "n_sentences": n_sentences[place],
                "ceiling": ceiling,
                "systems": selected_human.systems,
                "scores": points[place, selected].tolist(),
                "too_few": too_few(systems=len(selected), sentences=n_sentences[place]),
                **{column: coefficients[place] for column, coefficients in by_skill.items()},
            }
            for resampled in RESAMPLED:
                yield row | inferred.columns(
                    place, resampled, is_too_few=row["too_few"] is not None
                )


class _Inferred:
    def __init__(
        self, human: HumanScores, points: FloatArray, samples: FloatArray, draws: Draws
    ) -> None:
        """Shapes: scores of the systems by k metrics (k, n), in samples (k, samples, n)."""
        n_systems = len(human.systems)
        self._coefficients = {
            name: correlate(points, human.scores) for name, correlate in CORRELATE.items()
        }
        self._judgments: dict[str, CorrelationIntervals] = {}
        self._systems: dict[str, SystemCorrelations] = {}
        if too_few(systems=n_systems):
            return
        for name in CORRELATE:
            self._judgments[name] = correlation_intervals(human.samples, samples, name, draws.level)
            self._systems[name] = system_correlations(
                points, human.scores, name, draws.seed, draws.level
            )

    def columns(self, place: int, resampled: str, *, is_too_few: bool) -> dict[str, Any]:
        row: dict[str, Any] = {"resampled": resampled}
        for name, column in COEFFICIENTS.items():
            row[column] = self._coefficients[name][place]
            if is_too_few or np.isnan(row[column]):
                continue
            intervals = self._judgments if resampled == "judgments" else self._systems
            low, high = intervals[name].low[place], intervals[name].high[place]
            if low < high:
                row[f"{name}_ci_low"], row[f"{name}_ci_high"] = low, high
            if resampled == "judgments":
                # Ranks are constant if and only if values are, so either both coefficients exist or
                # neither.
                row["n_resamples"] = self._judgments[name].n_samples[place]
            else:
                row[f"{name}_p_value"] = self._systems[name].p_value[place]
        if not is_too_few:
            by_chance = self._systems["pearson"]
            row |= {
                "chance_median": by_chance.chance_median[place],
                "chance_low": by_chance.chance_low[place],
                "chance_high": by_chance.chance_high[place],
                # The interval over judgments is about these systems, the test about other systems.
                "chance_p_value": row.get("pearson_p_value"),
            }
        return row


def _soft_accuracies(
    judgments: Judged,
    choices: Sequence[HumanScores],
    metrics: list[ScoredSet],
    is_judged: Flags,
    seed: int,
) -> dict[tuple[tuple[str, ...], str], float]:
    system_sets = [
        systems
        for systems in {tuple(choice.systems) for choice in choices}
        if set(systems) <= set(judgments.systems) and len(systems) > 1
    ]
    if not system_sets:
        return {}
    signs = random_signs(SIGNS, int(np.count_nonzero(is_judged)), seed)
    wins = judgments.counts(len(is_judged)).wins[is_judged]
    p_human = _by_pair(
        judgments.systems, paired_permutation_p(judged_pair_differences(wins), signs)
    )
    accuracies = {}
    for metric in metrics:
        scores = np.nan_to_num(metric.scores[:, is_judged])
        p_metric = _by_pair(
            metric.systems, paired_permutation_p(system_pair_differences(scores), signs)
        )
        for systems in system_sets:
            if system_positions(metric, systems) is not None:
                pairs = list(combinations(systems, 2))
                accuracies[systems, metric.metric] = float(
                    soft_pairwise_accuracy(
                        [p_human[pair] for pair in pairs], [p_metric[pair] for pair in pairs]
                    )
                )
    return accuracies


def _by_pair(systems: Sequence[str], p: FloatArray) -> dict[tuple[str, str], float]:
    """Return by the names of two sorted systems the p-value of the first being better."""
    return dict(zip(combinations(systems, 2), p.tolist(), strict=True))


# --- Weighted sums of reference-less scores, over a grid of weights ---
#
# The paper's oracle row (Asano et al. 2017, Table 1) is the best point of such a surface. The score
# of a system is the mean over sentences. Therefore the score of a weighted sum of components is the
# weighted sum of their scores.

STEPS = 20

Weights = tuple[float, ...]
# By name of the component.
Components = Mapping[str, tuple[ScoredSet, SystemScores]]


def weight_grid(components: Sequence[str], steps: int = STEPS) -> list[Weights]:
    """Return the weights of all components in the order of PUBLISHED; 0 for unavailable components.

    Weights are at least 0 and sum to 1, in steps of 1 / `steps`. The published weights follow if
    all components are available.
    """
    counts = (range(steps + 1) if name in components else (0,) for name in PUBLISHED)
    points = [tuple(n / steps for n in point) for point in product(*counts) if sum(point) == steps]
    published = tuple(PUBLISHED.values())
    if set(PUBLISHED) <= set(components) and published not in points:
        points.append(published)
    return points


def component_scores(
    scored_sets: Sequence[ScoredSet], sentences: Flags, weights: SampleWeights
) -> Components:
    """Return the scores of systems by every component, over sentences with all components."""
    # Reference-less metrics have the same scores for every reference set.
    components = {metric.metric: metric for metric in scored_sets if metric.metric in PUBLISHED}
    if not components:
        return {}
    everywhere = np.logical_and.reduce(
        [sentences, *(metric.is_scored() for metric in components.values())]
    )
    scores = CorpusScores("", {}, weights, "expected")
    return {
        name: (metric, scores.compute(metric, everywhere)) for name, metric in components.items()
    }


def surface_rows(
    human: HumanScores, components: Components, n_sentences: int, draws: Draws
) -> Iterator[dict[str, Any]]:
    names = [name for name in PUBLISHED if name in components]
    if not names or len(human.systems) < 2:
        return
    points = []
    for name in names:
        metric, corpus_scores = components[name]
        places = system_positions(metric, human.systems)
        if places is None:
            return
        points.append(corpus_scores.score[places])
    grid = weight_grid(names)
    component_places = [place for place, name in enumerate(PUBLISHED) if name in components]
    weights = np.array(grid)[:, component_places]
    # Rounded, because mathematically equal sums would differ in the last bit, and so in rank.
    sums = np.round(np.tensordot(weights, np.stack(points), axes=1), 12)
    correlations = {name: correlate(sums, human.scores) for name, correlate in CORRELATE.items()}
    missing = too_few(systems=len(human.systems), sentences=n_sentences)
    intervals = {
        name: system_correlations(sums, human.scores, name, draws.seed, draws.level)
        for name in correlations
        if not missing
    }
    best = {name: _best(coefficients) for name, coefficients in correlations.items()}
    for place, point in enumerate(grid):
        row: dict[str, Any] = {
            "method": human.method,
            "system_set": human.system_set,
            **{f"{name}_weight": weight for name, weight in zip(PUBLISHED, point, strict=True)},
            "n_systems": len(human.systems),
            "n_sentences": n_sentences,
            "is_published": point == tuple(PUBLISHED.values()),
            "too_few": missing,
        }
        for name, column in COEFFICIENTS.items():
            row[column] = correlations[name][place]
            row[f"is_best_{name}"] = place == best[name]
        for name, interval in intervals.items():
            if interval.low[place] < interval.high[place]:
                row[f"{name}_ci_low"] = interval.low[place]
                row[f"{name}_ci_high"] = interval.high[place]
        yield row


def transferred_rows(
    grid: Sequence[Mapping[str, Any]], members: Iterable[tuple[str, str, str]]
) -> Iterator[dict[str, Any]]:
    """Yield a copy of each row of `surface_rows` with the best weights on another judgment set."""
    ingested = defaultdict(set)
    for corpus, judgment_set, member in members:
        ingested[corpus, judgment_set].add((corpus, member))
    point = itemgetter("method", "system_set", *(f"{name}_weight" for name in PUBLISHED))
    judgment_set_key = itemgetter("corpus", "judgment_set")
    rows_by_point = defaultdict(list)
    for row in grid:
        rows_by_point[point(row)].append(row)
    for name in COEFFICIENTS:
        for best in (row for row in grid if row[f"is_best_{name}"]):
            corpus, judgment_set = judgment_set_key(best)
            selection = {"chosen_corpus": corpus, "chosen_on": judgment_set, "chosen_by": name}
            for row in rows_by_point[point(best)]:
                if ingested[judgment_set_key(best)].isdisjoint(ingested[judgment_set_key(row)]):
                    yield {**row, **selection}


def _best(coefficients: FloatArray) -> int | None:
    if np.isnan(coefficients).all():
        return None
    return int(np.nanargmax(coefficients))
