"""Weighted sums of reference-less scores against judges, over a grid of weights."""

import numpy as np
import pytest

from maege.analysis.metrics.scores import SystemScores
from maege.analysis.rankings.correlations import (
    Draws,
    component_scores,
    surface_rows,
    transferred_rows,
    weight_grid,
)
from maege.analysis.rankings.judged import HumanScores, ScoredSet

SYSTEMS = ["a", "b", "c"]
DRAWS = Draws(0.95, 1)
HUMAN = HumanScores(
    "all",
    "m",
    SYSTEMS,
    np.array([1.0, 2.0, 4.0]),
    np.array([[1.0, 2.0, 4.0]]),
    np.zeros((2, 0, 3)),
)
# Fluency orders the systems as the judges do, but r is 11 / sqrt(7/3 * 56) for 3, 3, 9. Meaning
# reverses the order.
FLUENT, FAITHFUL = np.array([3.0, 3.0, 9.0]), np.array([3.0, 2.0, 0.0])


def component(scores: np.ndarray) -> tuple[ScoredSet, SystemScores]:
    metric = ScoredSet("nucle", "component", SYSTEMS, scores[:, np.newaxis])
    return metric, SystemScores(scores, scores[np.newaxis])


def test_weights_are_shares_and_a_missing_component_counts_nothing() -> None:
    grid = weight_grid(["grammaticality", "fluency", "meaning"])
    # 22 * 21 / 2 points of a triangle with 21 points per side, and the published point.
    assert len(set(grid)) == len(grid) == 232
    assert grid[-1] == (0.07, 0.83, 0.1)
    assert all(min(point) >= 0 and sum(point) == pytest.approx(1) for point in grid)

    grid = weight_grid(["fluency", "meaning"])
    assert len(grid) == 21
    assert {point[0] for point in grid} == {0}


def test_each_point_is_the_correlation_of_its_sum() -> None:
    rows = list(
        surface_rows(
            HUMAN, {"fluency": component(FLUENT), "meaning": component(FAITHFUL)}, 9, DRAWS
        )
    )
    by_fluency = {row["fluency_weight"]: row for row in rows}
    assert by_fluency[1]["pearson_r"] == pytest.approx(10 / np.sqrt(14 / 3 * 24))
    # Half of each component: 3, 2.5, 4.5.
    assert by_fluency[0.5]["pearson_r"] == pytest.approx(
        np.corrcoef([1, 2, 4], [3, 2.5, 4.5])[0, 1]
    )
    assert by_fluency[0]["pearson_r"] == pytest.approx(-1)
    assert by_fluency[0.5]["spearman_rho"] == pytest.approx(0.5)
    assert by_fluency[1]["too_few"] == "systems"
    assert "pearson_ci_low" not in by_fluency[1]
    assert [row["fluency_weight"] for row in rows if row["is_best_pearson"]] == [1]


def test_constant_sums_and_missing_components_have_no_surface() -> None:
    rows = list(surface_rows(HUMAN, {"fluency": component(np.ones(3))}, 9, DRAWS))
    assert [row["fluency_weight"] for row in rows] == [1]
    assert np.isnan(rows[0]["pearson_r"])
    assert not rows[0]["is_best_pearson"]

    human = HUMAN._replace(systems=["a", "b", "unknown"])
    assert list(surface_rows(human, {"fluency": component(FLUENT)}, 9, DRAWS)) == []


def test_components_are_means_over_the_sentences_that_all_of_them_score() -> None:
    metrics = [
        ScoredSet(name, metric, ["a", "b"], np.array(scores))
        for name in ("nucle", "bn")
        for metric, scores in {
            "fluency": [[1, 0, 9], [0.5, 0.5, 9]],
            "meaning": [[1, 1, np.nan], [0, 1, np.nan]],
            "m2": [[1, 1, 1], [0, 0, 0]],
        }.items()
    ]
    everywhere = np.ones(3, np.bool_)
    components = component_scores(metrics, everywhere, np.array([[2.0, 0.0, 1.0]]))
    assert set(components) == {"fluency", "meaning"}
    assert components["fluency"][1].score.tolist() == [0.5, 0.5]
    assert components["fluency"][1].samples.tolist() == [[1.0, 0.5]]
    assert components["meaning"][1].score.tolist() == [1.0, 0.5]
    judged_components = component_scores(metrics, np.array([False, True, True]), np.ones((1, 3)))
    assert judged_components["fluency"][1].score.tolist() == [0.0, 0.5]


def test_weights_transfer_to_sets_without_shared_judgments() -> None:
    # The first point is best on a and ab, the second on b; ab holds the judgments of both.
    best = {"a": (True, False), "b": (False, True), "ab": (True, False)}
    point = {"corpus": "c", "method": "m", "system_set": "s", "grammaticality_weight": 0}
    weights = (
        {"fluency_weight": 1, "meaning_weight": 0},
        {"fluency_weight": 0, "meaning_weight": 1},
    )
    grid = [
        {
            **point,
            **weight,
            "judgment_set": name,
            "is_best_pearson": is_best,
            "is_best_spearman": False,
        }
        for name, set_flags in best.items()
        for weight, is_best in zip(weights, set_flags, strict=True)
    ]
    members = [("c", "a", "a"), ("c", "b", "b"), ("c", "ab", "a"), ("c", "ab", "b")]

    rows = list(transferred_rows(grid, members))

    keys = ("judgment_set", "chosen_corpus", "chosen_on", "chosen_by", "fluency_weight")
    assert [tuple(row[key] for key in keys) for row in rows] == [
        ("b", "c", "a", "pearson", 1),
        ("a", "c", "b", "pearson", 0),
    ]
