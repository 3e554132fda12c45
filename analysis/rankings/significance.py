"""Test whether one metric ranks systems better than another: all pairs of metrics, two tests."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.rankings.judged import (
    CorpusScores,
    Flags,
    HumanScores,
    Judged,
    ScoredSet,
    by_reference_set,
    system_positions,
)
from maege.analysis.statistics.correlations import pearson_of_rows, redrawn_systems
from maege.analysis.statistics.randomisation import perm_both
from maege.analysis.statistics.resampling import percentile_intervals, too_few
from maege.analysis.statistics.significance import q_values, williams, zou_interval

CHOICES = ("base", "all")
LEAST_REDRAWN_SYSTEMS = 10


class Resampling(NamedTuple):
    """Settings for resampling; `swaps` are those of PERM-BOTH."""

    level: float
    swaps: int
    seed: int


def significance_rows(
    judgments: Judged,
    human: Sequence[HumanScores],
    scored_sets: list[ScoredSet],
    corpus_scores: CorpusScores,
    resampling: Resampling,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of one judgment set for each method, reference set and pair of metrics.

    Q-values are computed over all pairs of metrics with the same reference set, method and test.
    """
    names = {choice.system_set for choice in human}
    best = next((name for name in CHOICES if name in names), None)
    choices = [choice for choice in human if choice.system_set == best]
    if not choices:
        return
    # All methods score the same systems.
    systems = choices[0].systems
    for reference_set, metrics in by_reference_set(scored_sets).items():
        is_judged = judgments.is_judged(metrics[0].scores.shape[1])
        competing = sorted(
            (metric for metric in metrics if system_positions(metric, systems) is not None),
            key=lambda metric: metric.metric,
        )
        for choice in choices:
            choice_columns = {
                "corpus": judgments.corpus,
                "judgment_set": judgments.judgment_set,
                "method": choice.method,
                "reference_set": reference_set,
                "system_set": choice.system_set,
            }
            rows = [
                row | choice_columns
                for compared, sentences in _groups(competing, is_judged)
                for row in _comparisons(compared, sentences, corpus_scores, choice, resampling)
            ]
            yield from with_q_values(rows, ("test",))


def _groups(metrics: list[ScoredSet], is_judged: Flags) -> Iterator[tuple[list[ScoredSet], Flags]]:
    """Yield all metrics that score every judged sentence, then pairs with one that lacks some."""
    incomplete = [not metric.is_scored()[is_judged].all() for metric in metrics]
    complete = [metric for metric, lacks in zip(metrics, incomplete, strict=True) if not lacks]
    if len(complete) > 1:
        yield complete, is_judged
    for first, second in combinations(range(len(metrics)), 2):
        if incomplete[first] or incomplete[second]:
            pair = [metrics[first], metrics[second]]
            yield pair, is_judged & pair[0].is_scored() & pair[1].is_scored()


def _comparisons(
    metrics: list[ScoredSet],
    sentences: Flags,
    corpus_scores: CorpusScores,
    human: HumanScores,
    resampling: Resampling,
) -> Iterator[dict[str, Any]]:
    results = [
        (corpus_scores.compute(metric, sentences), system_positions(metric, human.systems))
        for metric in metrics
    ]
    points = np.stack([result.score[places] for result, places in results])
    samples = np.stack([result.samples[:, places] for result, places in results])
    n_systems = len(human.systems)
    missing = too_few(systems=n_systems, sentences=int(np.count_nonzero(sentences)))
    r = pearson_of_rows(points, human.scores)
    a, b = np.array(list(combinations(range(len(metrics)), 2))).T
    difference = r[a] - r[b]
    undefined = np.full(len(a), np.nan)
    tests = {"williams": (undefined,) * 3, "perm_both": (undefined,) * 3}
    if missing is None:
        metric_r = pearson_of_rows(points[a], points[b])
        tests = {
            "williams": (
                williams(r[a], r[b], metric_r, n_systems).p_value,
                *zou_interval(r[a], r[b], metric_r, n_systems, resampling.level),
            ),
            "perm_both": (
                perm_both(
                    points, samples, human.scores, human.samples, resampling.seed, resampling.swaps
                ),
                *_redrawn_interval(samples, human.samples, a, b, resampling),
            ),
        }
    for test, resampled, n_resamples in (
        ("williams", "systems", None),
        ("perm_both", "both", resampling.swaps),
    ):
        for place, (p, low, high) in enumerate(zip(*tests[test], strict=True)):
            yield {
                "metric_a": metrics[a[place]].metric,
                "metric_b": metrics[b[place]].metric,
                "estimate_a": r[a[place]],
                "estimate_b": r[b[place]],
                "difference": difference[place],
                "ci_low": low if low < high else None,
                "ci_high": high if low < high else None,
                "p_value": p,
                "test": test,
                "resampled": resampled,
                "n": n_systems,
                "n_sentences": np.count_nonzero(sentences),
                "n_resamples": None if missing else n_resamples,
                "direction": direction(difference[place]),
                "too_few": missing,
            }


def _redrawn_interval(
    samples: FloatArray, human: FloatArray, a: FloatArray, b: FloatArray, resampling: Resampling
) -> tuple[FloatArray, FloatArray]:
    n_systems = human.shape[1]
    if n_systems < LEAST_REDRAWN_SYSTEMS:
        return np.full(len(a), np.nan), np.full(len(a), np.nan)
    systems = redrawn_systems(n_systems, len(human), resampling.seed)
    r = pearson_of_rows(
        np.take_along_axis(samples, systems[np.newaxis], axis=2),
        np.take_along_axis(human, systems, axis=1),
    )
    return percentile_intervals((r[a] - r[b]).T, resampling.level)


def direction(difference: float) -> str | None:
    if np.isnan(difference):
        return None
    return "neither" if difference == 0 else "a" if difference > 0 else "b"


def with_q_values(
    rows: Iterable[dict[str, Any]], columns: Sequence[str], prefix: str = ""
) -> Iterator[dict[str, Any]]:
    """Yield the rows, family by family, with `q_value` computed from the `p_value` of the family.

    A family agrees in the columns; metrics made by chance are a family of their own. Rows without a
    `p_value` were not tested; their q-value is NaN. Both names get the prefix.
    """
    families: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        key = (*map(row.get, columns), str(row.get("metric")).startswith(CHANCE))
        families.setdefault(key, []).append(row)
    for family in families.values():
        p_values = [row.get(f"{prefix}p_value", np.nan) for row in family]
        for row, q in zip(family, q_values(p_values), strict=True):
            yield row | {f"{prefix}q_value": q}
