"""Agreement of judges."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from human_rankings import Item, gjg15_items

from maege.analysis.statistics.judgments import (
    halves_of_judges,
    judge_agreement,
    mean_kappa,
    opinion_of_others,
    split_half_ceiling,
    units_of,
)

# --- Kappa of judges: by hand, and as printed in GJG15 ---


def judged_cells(items: list[Item]) -> tuple[list[int], list[int], list[int]]:
    judges: dict[str, int] = {}
    units: dict[tuple[int, str, str], int] = {}
    rows = []
    for item in items:
        judge = judges.setdefault(item.judge, len(judges))
        cells = sorted((" ".join(names), rank) for names, rank in item.cells)
        for (first, upper), (second, lower) in combinations(cells, 2):
            unit = units.setdefault((item.sentence, first, second), len(units))
            rows.append((judge, unit, (upper < lower) - (upper > lower)))
    judge_column, unit_column, preferences = (list(column) for column in zip(*rows, strict=True))
    return judge_column, unit_column, preferences


def test_kappa_of_two_judges_by_hand() -> None:
    # Units 0 to 3 were judged by both judges: < <, < >, = =, < <. Unit 4 was judged only by the
    # second.
    judge = [0, 0, 0, 0, 1, 1, 1, 1, 1]
    unit = [0, 1, 2, 3, 0, 1, 2, 3, 4]
    preference = [1, 1, 0, 1, 1, -1, 0, 1, -1]
    agreement = judge_agreement(judge, unit, preference)
    assert (agreement.first_judge.tolist(), agreement.second_judge.tolist()) == ([0], [1])
    assert agreement.n_compared.tolist() == [4]
    # P(A) = 3/4. Of the eight compared judgments, 5 are <, 1 is > and 2 are =.
    expected = (25 + 1 + 4) / 64
    assert agreement.observed.tolist() == [0.75]
    assert agreement.expected == pytest.approx([expected])
    assert agreement.kappa == pytest.approx([(0.75 - expected) / (1 - expected)])


def test_kappa_of_a_judge_with_herself_by_hand() -> None:
    # Unit 0 was judged three times: <, <, =. One of three comparisons agrees. Unit 1 was judged
    # once, so there is no comparison.
    agreement = judge_agreement([0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, -1])
    assert (agreement.first_judge.tolist(), agreement.second_judge.tolist()) == ([0], [0])
    assert agreement.n_compared.tolist() == [3]
    expected = 4 / 9 + 1 / 9
    assert agreement.kappa == pytest.approx([(1 / 3 - expected) / (1 - expected)])


def test_repeated_judgments_are_each_compared_but_counted_once_as_chance() -> None:
    # The first judge judged the unit twice (<, =), the second once (<): 1 of 2 comparisons agrees.
    # The shares are over three judgments, two of which are <.
    agreement = judge_agreement([0, 0, 1], [0, 0, 0], [1, 0, 1])
    is_between_judges = agreement.first_judge != agreement.second_judge
    assert agreement.n_compared[is_between_judges].tolist() == [2]
    assert agreement.observed[is_between_judges].tolist() == [0.5]
    assert agreement.expected[is_between_judges] == pytest.approx([5 / 9])


def test_all_judgments_alike_have_no_kappa() -> None:
    agreement = judge_agreement([0, 1], [0, 0], [1, 1])
    assert agreement.observed.tolist() == [1]
    assert np.isnan(agreement.kappa).all()
    kappa, n_compared = mean_kappa(agreement, is_same_judge=False, minimum=1)
    assert np.isnan(kappa)
    assert n_compared == 0


def test_kappa_of_gjg15_is_the_published_one(shared: Path) -> None:
    judge, unit, preference = judged_cells(gjg15_items(shared))
    assert len(judge) == 20_516
    assert preference.count(0) == 5_694
    agreement = judge_agreement(judge, unit, preference)
    between, n_between = mean_kappa(agreement, is_same_judge=False)
    within, n_within = mean_kappa(agreement, is_same_judge=True)
    assert (round(between, 2), round(within, 2)) == (0.29, 0.46)
    # Eight judges: pairs of judges with fewer than 50 comparisons do not count.
    assert (n_between, n_within) == (30_594, 1_631)
    assert mean_kappa(agreement, is_same_judge=False, minimum=1)[1] == 30_633


def test_judges_of_different_outputs_are_not_compared() -> None:
    agreement = judge_agreement([0, 1], [0, 1], [1, 1])
    assert all(len(column) == 0 for column in agreement)
    assert np.isnan(mean_kappa(agreement, is_same_judge=False)[0])
    assert len(judge_agreement([], [], []).kappa) == 0


# --- Agreement of judges: halves of the judges, and a judge with the others ---


def test_few_judges_are_halved_in_every_way() -> None:
    # 3 choose 1 splits; a single judge has no halves.
    assert halves_of_judges(3, seed=1).tolist() == np.eye(3, dtype=bool).tolist()
    assert halves_of_judges(1, seed=1).shape == (0, 1)
    random_halves = halves_of_judges(8, seed=1)
    assert random_halves.shape == (20, 8)
    assert (random_halves.sum(axis=1) == 4).all()


def test_halves_that_correlate_by_a_half_make_two_thirds_of_the_whole() -> None:
    # r of 1, 2, 3 with 1, 3, 2 is 1/2: 2 r / (1 + r) = 2/3.
    assert split_half_ceiling([[1.0, 2, 3]], [[1.0, 3, 2]]) == pytest.approx(2 / 3)
    # Halves that do not agree give no upper bound. Halves without a score of some system do not
    # count.
    assert np.isnan(split_half_ceiling([[1.0, 2.0, 3.0]], [[3.0, 2.0, 1.0]]))
    with_hole = split_half_ceiling(
        np.array([[1.0, 2.0, 3.0], [1.0, np.nan, 3.0]]),
        np.array([[1.0, 3.0, 2.0], [1.0, 2.0, 3.0]]),
    )
    assert with_hole == pytest.approx(2 / 3)
    assert np.isnan(split_half_ceiling(np.ones((0, 3)), np.ones((0, 3))))


def test_the_opinion_of_others_leaves_out_a_judges_own() -> None:
    # Judge 0 judged output pair 0 twice. The other judges of output pair 1 disagree with each
    # other.
    judge, unit = [0, 0, 1, 0, 1, 2, 0], [0, 0, 0, 1, 1, 1, 2]
    opinions = opinion_of_others(judge, unit, [1, -1, 1, 1, 1, -1, 1])
    np.testing.assert_array_equal(opinions, [1, 1, 0, 0, 0, 1, np.nan])


def test_equal_columns_are_one_unit() -> None:
    assert units_of(np.array([4, 4, 2]), np.array([1, 1, 1])).tolist() == [1, 1, 0]
    assert units_of(np.zeros(0, np.int64)).size == 0
