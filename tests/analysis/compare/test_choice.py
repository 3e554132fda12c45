"""Whom a sentence is compared with, without numba."""

import numpy as np
import pytest

from maege.analysis.compare.edits.choice import chosen
from maege.analysis.metrics.scores.annotators import chosen_annotators


def test_the_annotator_who_makes_f_so_far_largest_is_chosen() -> None:
    # First sentence: F .83 beside the second annotator, 0 beside the first. Then 1 of 2 proposed
    # of 2 gold edits beside the first (F .5), 1 of 2 of 1 beside the second (F .56).
    sentences = [[(0, 1, 1), (1, 1, 2)], [(0, 1, 0), (0, 1, 1)]]
    assert chosen(sentences, 0.5, by_shares=True) == [1, 0]


def test_equal_counts_go_to_who_stands_first() -> None:
    assert chosen([[(1, 1, 1), (1, 1, 1)]], 0.5, by_shares=True) == [0]


@pytest.mark.parametrize("by_shares", [True, False])
def test_the_choice_is_that_of_the_kernel(by_shares: bool) -> None:
    generator = np.random.default_rng(3)
    tp = generator.integers(0, 3, (4, 300, 5, 1))
    others = tp + generator.integers(0, 3, (4, 300, 5, 2))
    counts = np.concatenate([tp, others], axis=-1).astype(float)
    expected = chosen_annotators(counts, 0.5, by_shares)
    for system, of_system in enumerate(counts):
        found = chosen(of_system.tolist(), 0.5, by_shares=by_shares)
        assert found == expected[system].tolist()
