"""Intervals of means by key and sentence, by hand."""

import pytest

from analysis.statistics.sentence_means import sentence_mean_intervals


def test_all_keys_are_in_the_same_sample_of_sentences() -> None:
    # PCG64 with seed 1 draws 4 sentences: the second, the third and twice the fourth.
    rows = [
        ("c", "paper", 10, "b", 1, 8.0),
        ("c", "paper", 20, "a", 2, 6.0),
        ("c", "paper", 20, "b", 3, 1.0),
        ("c", "paper", 30, "b", 1, 5.0),
        ("c", "paper", 40, "a", 1, 2.0),
    ]
    found = sentence_mean_intervals(rows, 1, samples=1, level=0.95, seed=1)
    # a: (6 + 2 * 2) / (2 + 2 * 1). b: (1 + 5) / (3 + 1); its sentence 10 is not drawn.
    assert [row[:3] for row in found] == [("c", "paper", "a"), ("c", "paper", "b")]
    assert [row[3:] for row in found] == [pytest.approx((2.5, 2.5)), pytest.approx((1.5, 1.5))]


def test_modes_are_drawn_apart() -> None:
    rows = [
        ("c", "as_published", 1, "m", "R", 1, 3.0),
        ("c", "paper", 7, "m", "R", 2, 3.0),
    ]
    found = sentence_mean_intervals(rows, 2, samples=2, level=0.9, seed=1)
    assert found == [
        ("c", "as_published", "m", "R", 3.0, 3.0),
        ("c", "paper", "m", "R", 1.5, 1.5),
    ]
