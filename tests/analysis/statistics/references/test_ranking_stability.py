"""How stable orders of systems are: by hand."""

import numpy as np
import pytest

from maege.analysis.statistics.references.ranking_stability import same_order, stability


def test_pairs_are_in_the_same_order_or_not() -> None:
    """Of a-b, a-c and b-c, c above b by one and below by the other; a tie is no order."""
    assert same_order(np.array([3.0, 2, 1]), np.array([3.0, 1, 2])) == pytest.approx(2 / 3)
    assert same_order(np.array([3.0, 2, 2]), np.array([3.0, 1, 2])) == pytest.approx(2 / 3)
    assert same_order(np.array([3.0, 2, 2]), np.array([9.0, 1, 1])) == 1


def test_references_that_agree_need_no_others() -> None:
    found = list(stability(lambda choice: np.array([len(choice), 0.0]), 5, 10, 0.95, 1))
    assert [(one.n_references, one.pairs, one.orders) for one in found] == [
        (1, 1, 1),
        (2, 1, 1),
    ]


def test_two_references_that_disagree_are_never_stable() -> None:
    """The first reference likes the first system, the other the second."""
    found = list(stability(lambda choice: np.eye(2)[choice[0]], 2, 10, 0.95, 1))
    assert [(one.pairs, one.orders) for one in found] == [(0, 0)]


def test_choices_share_no_reference() -> None:
    """Were one in both, its score would be compared with itself, and agree."""
    seen: list[tuple[int, ...]] = []

    def scores(choice: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        seen.append(choice)
        return np.array([0.0, 1.0])

    list(stability(scores, 4, 5, 0.95, 1))
    assert all(not set(a) & set(b) for a, b in zip(seen[::2], seen[1::2], strict=True))
    assert {len(choice) for choice in seen} == {1, 2}
