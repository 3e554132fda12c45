"""Rows of agreement between judges."""

import math

from maege.analysis.rankings.kappas import kappa_rows


def test_two_judges_have_a_row_and_too_few_judgments_no_total() -> None:
    # Both judged two pairs of outputs, and agree about one: P(A) = 1/2; of four judgments three
    # prefer the first and one the second, P(E) = 9/16 + 1/16, kappa = (1/2 - 5/8) / (3/8).
    rows = kappa_rows(["b", "a", "b", "a"], ["x", "x", "y", "y"], [1, 1, 1, -1])
    ((kind, first, second, compared, observed, expected, kappa),) = rows
    assert (kind, first, second, compared) == ("inter", "a", "b", 2)
    assert (observed, expected) == (0.5, 0.625)
    assert math.isclose(kappa, -1 / 3)


def test_judges_who_shared_no_outputs_have_no_row() -> None:
    assert kappa_rows(["a", "b"], ["x", "y"], [1, 1]) == []
