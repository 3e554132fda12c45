"""Differences of GLEU in the scripts behind SEEDA's and GJG15's numbers."""

import pytest

from maege.analysis.papers.referenceless import correlations, token_counts


def test_tokens_between_single_spaces_may_be_empty() -> None:
    assert token_counts(["a b", " a b", "a  b ", ""]).tolist() == [2, 3, 3, 1]


def test_systems_without_a_human_score_do_not_count() -> None:
    # Ranks 1, 2, 3 and 1, 3, 2: rho = 1 - 6 * 2 / 24. r of 0, 1, 2 and 0, 2, 1 has the same value.
    scores = {"a": 0.0, "b": 2.0, "c": 1.0, "z": 9.0}
    coefficients_by_name = correlations({"c": 2.0, "a": 0.0, "b": 1.0}, scores)
    assert coefficients_by_name == {"r": pytest.approx(0.5), "rho": pytest.approx(0.5)}
    assert correlations({"a": 1.0}, scores) == {}
