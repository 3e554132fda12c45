"""What an oracle takes: by hand."""

import numpy as np
import pytest

from maege.analysis.statistics.references.reranking import (
    drawn_references,
    oracle_choice,
    over_draws,
)


@pytest.mark.parametrize(
    ("scores", "is_source", "expected"),
    [
        ([0.2, 0.5, 0.4], [False, False, False], 1),
        # The last of equals; the source, once reached, gives way to better ones only.
        ([0.5, 0.5, 0.2], [False, False, False], 1),
        ([0.5, 0.5, 0.5], [False, True, False], 1),
        ([0.5, 0.5, 0.6], [False, True, False], 2),
        ([0.5, 0.5], [True, False], 0),
        # Nothing agrees with the references: the last of all.
        ([0.0, 0.0], [False, False], 1),
    ],
)
def test_the_oracle_takes_the_last_of_the_best_unless_it_is_the_source(
    scores: list[float], is_source: list[bool], expected: int
) -> None:
    assert oracle_choice(np.array(scores), is_source) == expected


def test_draws_are_chosen_for_one_by_one() -> None:
    scores = np.array([[0.1, 0.2], [0.2, 0.1]])
    assert oracle_choice(scores, [False, False]).tolist() == [1, 0]


def test_references_are_drawn_with_and_without_replacement() -> None:
    without = drawn_references(5, 3, 200, (1,), with_replacement=False)
    assert without.shape == (200, 3)
    assert (np.diff(without) > 0).all()
    assert set(np.unique(without)) == set(range(5))
    assert drawn_references(2, 3, 2, (1,), with_replacement=False).tolist() == [[0, 1], [0, 1]]
    again = drawn_references(2, 3, 200, (1,), with_replacement=True)
    assert again.shape == (200, 3)
    assert {tuple(row) for row in again.tolist()} == {(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)}


def test_draws_have_a_mean_and_a_range() -> None:
    # Standard deviation 1 of 2, 3 and 4; 1.96 of it to either side.
    assert over_draws(np.array([2.0, 3, 4]), 0.95) == pytest.approx((3, 1.04, 4.96), abs=1e-3)
