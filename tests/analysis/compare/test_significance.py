"""p-values, their corrections, and ranks, by hand."""

import numpy as np
import pytest

from maege.analysis.compare.inference.significance import (
    benjamini_hochberg,
    equivalence,
    holm,
    possible_ranks,
    randomisation_p,
)
from maege.analysis.compare.results import Ranks


def test_holm_multiplies_the_smallest_by_all_and_never_falls() -> None:
    # Sorted .01 .02 .04 times 3, 2, 1: .03, .04, .04.
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.6, 0.5]) == pytest.approx([1, 1])
    assert holm([]).size == 0


def test_benjamini_hochberg_divides_by_the_rank_and_never_rises() -> None:
    # Sorted .01 .02 .03 .5 times 4/1, 4/2, 4/3, 4/4: .04, .04, .04, .5.
    assert benjamini_hochberg([0.03, 0.5, 0.01, 0.02]) == pytest.approx([0.04, 0.5, 0.04, 0.04])


def test_a_swap_with_the_same_difference_counts_and_so_does_the_truth_itself() -> None:
    swapped = np.array([[0.2], [-0.2], [0.1], [0.2 - 1e-15]])
    assert randomisation_p(np.array([0.2]), swapped) == pytest.approx([(3 + 1) / (4 + 1)])


def test_equivalent_is_whose_ninety_percent_interval_lies_within_the_margin() -> None:
    # Steps of .001; the 5 % quantile is at place 201 * .05 + .5 = 10.55, 9.55 steps from the first.
    samples = np.linspace(-0.1, 0.1, 201)
    found = equivalence(samples, 0.091)
    assert found.ci == pytest.approx((-0.09045, 0.09045))
    assert found.is_equivalent
    assert not equivalence(samples, 0.089).is_equivalent


def test_ranks_leave_room_where_tests_find_nothing() -> None:
    # The best differs from the worst alone, the middle one from nobody.
    pairs = [(0, 1), (0, 2), (1, 2)]
    ranks = possible_ranks([0.3, 0.2, 0.1], pairs, [0.2, 0.01, 0.05], alpha=0.05)
    assert ranks == [Ranks(1, 1, 2), Ranks(2, 1, 3), Ranks(3, 2, 3)]
