"""Scores with more, fewer or other references."""

from collections.abc import Sequence

import numpy as np
import pytest

from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import ChosenScore
from maege.analysis.statistics.references import (
    Array,
    Compared,
    adjusted_scores,
    best_of_many,
    corpus_interval,
    crowd_growth,
    drawn_references,
    expected_counts,
    jackknife_growth,
    mean_of_sums,
    no_growth,
    oracle_choice,
    over_draws,
    same_order,
    stability,
)
from maege.analysis.statistics.resampling import Interval
from maege.analysis.stored.coverage import AdjustableScores, adjustment_rows

# --- Scores adjusted for coverage: growth by hand, and counts of absent annotators ---

WEIGHTS = np.array([[1.0, 1.0], [2.0, 0.0]])


def test_growth_by_hand() -> None:
    # (1 - 1/10) / (1 - 1/2) = 1.8; to complete coverage 1 / (1 - 1/2) = 2.
    assert jackknife_growth(2, 10, 3).factor == pytest.approx(1.8)
    assert jackknife_growth(2, np.inf, 3).draws == pytest.approx([2, 2, 2])

    # Means .2, .3, .4: (.4 - .2) / (.3 - .2) = 2, (1 - .2) / .1 = 8; first sentence alone 1.5.
    curves = np.array([[0.1, 0.3, 0.4], [0.3, 0.3, 0.4]])
    assert crowd_growth(curves, 2, 3, WEIGHTS).factor == pytest.approx(2)
    assert crowd_growth(curves, 2, np.inf, WEIGHTS).factor == pytest.approx(8)
    assert crowd_growth(curves, 2, 3, WEIGHTS).draws == pytest.approx([2, 1.5])


def m2_score() -> ChosenScore:
    score = METRICS["m2"].score
    assert isinstance(score, ChosenScore)
    return score


def counts_with(positions: Sequence[int]) -> Array:
    """Return counts of one system; two references agree with more edits than each alone."""
    right = {(0,): 1.0, (1,): 2.0, (0, 1): 3.0}[tuple(positions)]
    return np.array([[[right, 4, 4], [0, 0, 0]]], dtype=float)


def test_adjusted_score_by_hand() -> None:
    """P = R = F: .25 and .5 with one reference, .75 with both; .375 + .375 * 1.5 = .9375."""
    growths = {"naive": no_growth(2), "half more": no_growth(2)._replace(factor=1.5)}
    adjusted = adjusted_scores(counts_with, m2_score().of_sums, [0, 1], growths, WEIGHTS, 0.95, 1)
    assert adjusted["naive"].score == pytest.approx([0.75])
    assert adjusted["naive"].adjusted == pytest.approx([0.75])
    assert adjusted["half more"].adjusted == pytest.approx([0.9375])


def scored_set(statistics: Array, curves: dict[str, Array]) -> AdjustableScores:
    names = ["A", "B", "C"]
    crowd = "crowd" if curves else None
    return AdjustableScores("c", "r", "m2", m2_score(), ["s"], names, statistics, curves, crowd)


COLUMNS = [
    "corpus",
    "reference_set",
    "metric",
    "system",
    "estimator",
    "crowd",
    "subset",
    "n_references",
    "n_predicted",
    "corpus_score",
    "adjusted_score",
    "ci_low",
    "ci_high",
    "no_interval",
    "actual_score",
    "is_covered",
]


def rows_of(scores: AdjustableScores) -> list[dict[str, object]]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in adjustment_rows(scores, 0.95, 1)]


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


# --- Scores of a perfect corrector: by hand ---

# Two corrections, by 3 of 4 and 1 of 4 people. Each scores 1 against itself and 0 against the
# other.
SAME = Compared(np.eye(2)[..., None], np.array([0.75, 0.25]))


def expected(compared: Compared, n_references: int) -> float:
    return float(best_of_many(compared, compared.statistics[..., 0], n_references)[0])


def test_accuracy_is_the_chance_that_a_reference_equals_the_output() -> None:
    """With one reference 9/16 + 1/16; with two 3/4 (1 - 1/16) + 1/4 (1 - 9/16)."""
    assert expected(SAME, 1) == pytest.approx(10 / 16)
    assert expected(SAME, 2) == pytest.approx(3 / 4 * 15 / 16 + 1 / 4 * 7 / 16)


def test_the_best_of_many_is_the_mean_of_maxima_over_all_choices() -> None:
    """Scores 1, 2, 4 in shares 1/2, 1/4, 1/4: with two references 4 in 7/16, 2 in 5/16, else 1."""
    scores = np.array([[1.0, 2.0, 4.0]] * 3)
    compared = Compared(scores[..., None], np.array([0.5, 0.25, 0.25]))
    assert expected(compared, 1) == 2
    assert expected(compared, 2) == pytest.approx((4 * 7 + 2 * 5 + 1 * 4) / 16)


def test_statistics_go_with_the_preferred_reference() -> None:
    """The second correction is preferred: two references miss it in 9 of 16 cases."""
    statistics = np.array([[[10.0], [20.0]]] * 2)
    preference = np.array([[0.0, 1.0]] * 2)
    statistics_of_best = best_of_many(Compared(statistics, SAME.shares), preference, 2)
    assert statistics_of_best == pytest.approx([10 * 9 / 16 + 20 * 7 / 16])


def test_f_chooses_references_as_it_grows_itself() -> None:
    """One output with two edits: it matches 1 of 1 edits of one reference, 2 of 6 of the other.

    With two references the first is chosen if 1.25 - F 2.25 > 2.5 - F 3.5, so F > 1. F stays below
    1, so the second is chosen: 1/2 with one reference, 3/4 with two.
    """
    counts = np.array([[[1.0, 2.0, 1.0], [2.0, 2.0, 6.0]]] * 2)
    compared = Compared(counts, np.array([0.5, 0.5]))
    assert expected_counts([compared], 1, 0.5) == pytest.approx(np.array([[1.5, 2, 3.5]]))
    assert expected_counts([compared], 2, 0.5) == pytest.approx(np.array([[1.75, 2, 4.75]]))


def test_interval_is_of_the_score_of_sums() -> None:
    four_rows = np.array([[1.0, 2.0, 2.0], [2.0, 2.0, 2.0], [0.0, 1.0, 2.0], [1.0, 1.0, 1.0]])
    rows = np.tile(four_rows, (5, 1))
    interval = corpus_interval(rows, lambda sums: f_of_sums(sums, 0.5), 0.95, 1)
    assert interval.value == pytest.approx(1.25 * 4 / (6 + 0.25 * 7))
    assert interval.low is not None
    assert interval.high is not None
    assert 0 < interval.low < interval.value < interval.high <= 1


def test_sentences_that_do_not_differ_or_are_few_give_no_interval() -> None:
    rows = np.array([[0.5, 1.0]] * 20)
    assert corpus_interval(rows, mean_of_sums, 0.95, 1) == Interval(0.5, None, None)
    rows[:10, 0], rows[10:, 0] = 0.0, 1.0
    assert corpus_interval(rows, mean_of_sums, 0.95, 1).low is not None
    assert corpus_interval(rows[1:-1], mean_of_sums, 0.95, 1) == Interval(0.5, None, None)


# --- Stability of orders of systems: by hand ---


def test_agreement_of_references_by_hand() -> None:
    equal = stability(lambda choices: np.tile([1.0, 0.0], (len(choices), 1)), 5, 10, 0.95, 1)
    assert [(result.n_references, result.pairs, result.orders) for result in equal] == [
        (1, 1, 1),
        (2, 1, 1),
    ]

    # The first reference favours the first system, the other the second.
    opposite = stability(lambda choices: np.eye(2)[[c[0] for c in choices]], 2, 10, 0.95, 1)
    assert [(result.pairs, result.orders) for result in opposite] == [(0, 0)]

    # Of a-b, a-c and b-c, only one score has c above b; a tie is not an order.
    assert same_order(np.array([3.0, 2, 1]), np.array([3.0, 1, 2])) == pytest.approx(2 / 3)
    assert same_order(np.array([3.0, 2, 2]), np.array([3.0, 1, 2])) == pytest.approx(2 / 3)
    assert same_order(np.array([3.0, 2, 2]), np.array([9.0, 1, 1])) == 1


def test_choices_share_no_reference() -> None:
    """If a reference were in both sets, its score would be compared with itself and agree.

    Each of four systems gets a point if its own reference is chosen. Disjoint sets of one reference
    agree about the pair of systems without a point, those of two about two of six pairs.
    """

    def scores(choices: Sequence[tuple[int, ...]]) -> Array:
        return np.array([np.eye(4)[list(choice)].sum(axis=0) for choice in choices])

    results = list(stability(scores, 4, 50, 0.95, 1))
    shares = [(result.pairs_low, result.pairs, result.pairs_high) for result in results]
    assert shares == [pytest.approx([1 / 6] * 3), pytest.approx([2 / 6] * 3)]


# --- The oracle's choice: by hand ---


@pytest.mark.parametrize(
    ("scores", "is_source", "expected"),
    [
        ([0.2, 0.5, 0.4], [False, False, False], 1),
        # The last of equal candidates; if the source comes first, only better candidates replace
        # it.
        ([0.5, 0.5, 0.2], [False, False, False], 1),
        ([0.5, 0.5, 0.5], [False, True, False], 1),
        ([0.5, 0.5, 0.6], [False, True, False], 2),
        ([0.5, 0.5], [True, False], 0),
        # No candidate agrees with the references, so the last one is chosen.
        ([0.0, 0.0], [False, False], 1),
    ],
)
def test_the_oracle_takes_the_last_of_the_best_unless_it_is_the_source(
    scores: list[float], is_source: list[bool], expected: int
) -> None:
    assert oracle_choice(np.array(scores), is_source) == expected


def test_references_are_drawn_with_and_without_replacement() -> None:
    without_replacement = drawn_references(5, 3, 200, (1,), with_replacement=False)
    assert without_replacement.shape == (200, 3)
    assert (np.diff(without_replacement) > 0).all()
    assert set(np.unique(without_replacement)) == set(range(5))
    assert drawn_references(2, 3, 2, (1,), with_replacement=False).tolist() == [[0, 1], [0, 1]]
    with_replacement = drawn_references(2, 3, 200, (1,), with_replacement=True)
    assert with_replacement.shape == (200, 3)
    assert {tuple(row) for row in with_replacement.tolist()} == {
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 1),
        (1, 1, 1),
    }


def test_draws_have_a_mean_and_a_range() -> None:
    # The standard deviation of 2, 3 and 4 is 1; the bounds are 1.96 away on either side.
    assert over_draws(np.array([2.0, 3, 4]), 0.95) == pytest.approx((3, 1.04, 4.96), abs=1e-3)
