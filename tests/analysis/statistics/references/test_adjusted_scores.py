"""Scores with coverage taken out: growth by hand, and counts of annotators who are absent."""

from collections.abc import Sequence

import numpy as np
import pytest

from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores.score import ChosenScore
from maege.analysis.statistics.references.adjusted_scores import (
    Array,
    adjusted_scores,
    crowd_growth,
    jackknife_growth,
    no_growth,
)
from maege.analysis.stored.coverage.adjustments import SCHEMA, ScoredSet, adjustment_rows

WEIGHTS = np.array([[1.0, 1.0], [2.0, 0.0]])


def test_jackknife_growth_by_hand() -> None:
    """(1 - 1/10) / (1 - 1/2) = 1.8; to complete coverage 1 / (1 - 1/2) = 2."""
    assert jackknife_growth(2, 10, 3).factor == pytest.approx(1.8)
    assert jackknife_growth(2, np.inf, 3).draws == pytest.approx([2, 2, 2])


def test_crowd_growth_by_hand() -> None:
    """Means .2, .3, .4: (.4 - .2) / (.3 - .2) = 2 and (1 - .2) / .1 = 8; the first alone 1.5."""
    curves = np.array([[0.1, 0.3, 0.4], [0.3, 0.3, 0.4]])
    assert crowd_growth(curves, 2, 3, WEIGHTS).factor == pytest.approx(2)
    assert crowd_growth(curves, 2, np.inf, WEIGHTS).factor == pytest.approx(8)
    assert crowd_growth(curves, 2, 3, WEIGHTS).draws == pytest.approx([2, 1.5])


def m2_score() -> ChosenScore:
    score = METRICS["m2"].score
    assert isinstance(score, ChosenScore)
    return score


def counts_with(chosen: Sequence[int]) -> Array:
    """One system, two sentences; two references together agree with more than each alone."""
    right = {(0,): 1.0, (1,): 2.0, (0, 1): 3.0}[tuple(chosen)]
    return np.array([[[right, 4, 4], [0, 0, 0]]], dtype=float)


def test_adjusted_score_by_hand() -> None:
    """P = R = F: .25 and .5 alone, .75 together; .375 + .375 * 1.5 = .9375."""
    growths = {"naive": no_growth(2), "half more": no_growth(2)._replace(factor=1.5)}
    found = adjusted_scores(counts_with, m2_score().of_sums, [0, 1], growths, WEIGHTS, 0.95, 1)
    assert found["naive"].score == pytest.approx([0.75])
    assert found["naive"].adjusted == pytest.approx([0.75])
    assert found["half more"].adjusted == pytest.approx([0.9375])


def scored_set(statistics: Array, curves: dict[str, Array]) -> ScoredSet:
    names = ["A", "B", "C"]
    crowd = "crowd" if curves else None
    return ScoredSet("c", "r", "m2", m2_score(), ["s"], names, statistics, curves, crowd)


def rows_of(of_set: ScoredSet) -> list[dict[str, object]]:
    return [dict(zip(SCHEMA.names, row, strict=True)) for row in adjustment_rows(of_set, 0.95, 1)]


def test_every_pair_predicts_the_score_with_all_annotators() -> None:
    """The first annotator finds nothing to correct, the second agrees, the third is absent."""
    statistics = np.array([[[[0, 2, 0, 0], [2, 2, 2, 0], [np.nan] * 4]]], dtype=float)
    curves = {"crowd_exact": np.array([[0.2, 0.3, 0.4]])}
    rows = rows_of(scored_set(statistics, curves))
    complete = [row for row in rows if row["n_predicted"] is None]
    assert [row["estimator"] for row in complete] == ["jackknife", "crowd_exact"]
    assert {row["subset"] for row in complete} == {"all"}
    pairs = [row for row in rows if row["n_predicted"] == 3 and row["estimator"] == "naive"]
    assert sorted(str(row["subset"]) for row in pairs) == ["A,B", "A,C", "B,C"]
    scores = {row["subset"]: row["corpus_score"] for row in pairs}
    assert scores == {"A,B": 1, "A,C": 0, "B,C": 1}
    assert {row["actual_score"] for row in pairs} == {1}


def test_without_a_crowd_only_the_references_speak() -> None:
    statistics = np.ones((1, 2, 3, 4))
    assert {row["estimator"] for row in rows_of(scored_set(statistics, {}))} == {
        "naive",
        "jackknife",
    }


def test_interval_at_a_limit_is_null_with_reason() -> None:
    """A system that does nothing right has F = 0 in every resample; the jackknife has no interval.

    Of 30 sentences, three annotators correct each; the system proposes one wrong edit.
    """
    statistics = np.tile([0.0, 1, 1, 0], (1, 30, 3, 1))
    curves = {"crowd_index": np.tile([0.2, 0.3, 0.4], (30, 1))}
    complete = [
        row for row in rows_of(scored_set(statistics, curves)) if row["n_predicted"] is None
    ]
    reasons = {row["estimator"]: row["no_interval"] for row in complete}
    assert reasons == {"jackknife": "estimator", "crowd_index": "at_limit"}
    assert {row["adjusted_score"] for row in complete} == {0}
    assert [row["ci_low"] for row in complete] == [None] * 2
