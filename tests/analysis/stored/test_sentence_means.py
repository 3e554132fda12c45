"""Intervals of means by key and sentence, by hand."""

import duckdb
import pytest

from maege.analysis.stored.sentence_means import sentence_mean_intervals

COLUMNS = "corpus, mode, sentence_id, metric, error_type, n_values, total"


def test_all_keys_are_in_the_same_sample_of_sentences() -> None:
    # PCG64 with seed 1 draws 4 sentences: the second, the third and twice the fourth.
    rows = duckdb.sql(
        f"""
        select * from (values
            ('c', 'paper', 40, 'm', 'a', 1, 2.0),
            ('c', 'paper', 10, 'm', 'b', 1, 8.0),
            ('c', 'paper', 20, 'm', 'a', 2, 6.0),
            ('c', 'paper', 10, 'k', 'b', 1, 8.0),
            ('c', 'paper', 20, 'k', 'b', 3, 1.0),
            ('c', 'paper', 30, 'k', 'b', 1, 5.0)
        ) as rows ({COLUMNS})
        """
    )
    keys = ("metric", "error_type")
    found = list(sentence_mean_intervals(rows, keys, samples=1, level=0.95, seed=1))
    assert [row[:4] for row in found] == [
        ("c", "paper", "k", "b"),
        ("c", "paper", "m", "a"),
        ("c", "paper", "m", "b"),
    ]
    # Nobody draws sentence 10. k, b: (1 + 5) / (3 + 1). m, a: (6 + 2 * 2) / (2 + 2 * 1).
    assert [row[4:] for row in found] == [
        pytest.approx((1.5, 1.5)),
        pytest.approx((2.5, 2.5)),
        pytest.approx((float("nan"), float("nan")), nan_ok=True),
    ]


def test_modes_are_drawn_apart() -> None:
    rows = duckdb.sql(
        f"""
        select * from (values
            ('c', 'paper', 7, 'm', 'R', 2, 3.0),
            ('c', 'as_published', 1, 'm', 'R', 1, 3.0)
        ) as rows ({COLUMNS})
        """
    )
    found = sentence_mean_intervals(rows, ("metric", "error_type"), samples=2, level=0.9, seed=1)
    assert list(found) == [
        ("c", "as_published", "m", "R", 3.0, 3.0),
        ("c", "paper", "m", "R", 1.5, 1.5),
    ]
