"""Choices of annotators that depend on rounding in the last digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.metrics.scores.annotators import ERRANT_DECIMALS, chosen_annotators
from maege.analysis.metrics.scores.formula import rounded


@given(st.integers(0, 24_999), st.integers(-3, 3))
def test_scores_near_a_half_are_rounded_as_python_does(halves: int, steps: int) -> None:
    value = halves / 20_000
    for _ in range(abs(steps)):
        value = max(float(np.nextafter(value, np.copysign(np.inf, steps))), 0.0)
    assert rounded(np.array(value), ERRANT_DECIMALS) == round(value, 4)


@pytest.mark.parametrize(("value", "expected"), [(1 / 32, 0.0312), (3 / 32, 0.0938)])
def test_a_true_half_goes_to_the_even_neighbour(value: float, expected: float) -> None:
    assert rounded(np.array(value), ERRANT_DECIMALS) == expected


def test_m2_and_errant_choose_by_arithmetic_of_their_own() -> None:
    # F is 0 for all four. ERRANT takes the annotator with the fewest proposed edits, 0 against 1.
    # M2 takes the one with the lowest proposed + .25 gold, 1 against 2.
    counts = np.array([[[0.0, 0, 8], [0, 1, 0]]])
    assert chosen_annotators(counts, 0.5, by_shares=True).tolist() == [0]
    assert chosen_annotators(counts, 0.5, by_shares=False).tolist() == [1]


@pytest.mark.parametrize("by_shares", [True, False])
def test_annotator_with_best_f_so_far_is_chosen(by_shares: bool) -> None:
    # Sentence 1: F is .83 with the second annotator and 0 with the first. Then with the first
    # annotator 1 of 2 proposed edits is correct of 2 gold edits (F .5), with the second 1 of 2 of 1
    # (F .56).
    counts = np.array([[[0.0, 1, 1], [1, 1, 2]], [[0, 1, 0], [0, 1, 1]]])
    assert chosen_annotators(counts, 0.5, by_shares=by_shares).tolist() == [1, 0]


def test_equal_counts_go_to_the_first_annotator() -> None:
    counts = np.array([[[1.0, 1, 1], [1, 1, 1]]])
    assert chosen_annotators(counts, 0.5, by_shares=True).tolist() == [0]
