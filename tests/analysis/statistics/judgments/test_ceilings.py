"""How far judges agree with each other: halves of them, and a judge with the others."""

import numpy as np
import pytest

from maege.analysis.statistics.judgments.ceilings import (
    halves_of_judges,
    opinion_of_others,
    split_half_ceiling,
    units_of,
)


def test_few_judges_are_halved_in_every_way() -> None:
    # 3 choose 1; a judge alone has no halves.
    assert halves_of_judges(3, seed=1).tolist() == np.eye(3, dtype=bool).tolist()
    assert halves_of_judges(1, seed=1).shape == (0, 1)
    many = halves_of_judges(8, seed=1)
    assert many.shape == (20, 8)
    assert (many.sum(axis=1) == 4).all()


def test_halves_that_correlate_by_a_half_make_two_thirds_of_the_whole() -> None:
    # r of 1, 2, 3 with 1, 3, 2 is 1/2: 2 r / (1 + r) = 2/3.
    assert split_half_ceiling([[1.0, 2, 3]], [[1.0, 3, 2]]) == pytest.approx(2 / 3)
    # Halves that do not agree give no ceiling, and those without a system's score do not count.
    assert np.isnan(split_half_ceiling([[1.0, 2.0, 3.0]], [[3.0, 2.0, 1.0]]))
    with_hole = split_half_ceiling(
        np.array([[1.0, 2.0, 3.0], [1.0, np.nan, 3.0]]),
        np.array([[1.0, 3.0, 2.0], [1.0, 2.0, 3.0]]),
    )
    assert with_hole == pytest.approx(2 / 3)
    assert np.isnan(split_half_ceiling(np.ones((0, 3)), np.ones((0, 3))))


def test_the_opinion_of_others_leaves_out_a_judges_own() -> None:
    # Judge 0 looked twice at outputs 0; the others of outputs 1 are of two minds.
    judge, unit = [0, 0, 1, 0, 1, 2, 0], [0, 0, 0, 1, 1, 1, 2]
    found = opinion_of_others(judge, unit, [1, -1, 1, 1, 1, -1, 1])
    np.testing.assert_array_equal(found, [1, 1, 0, 0, 0, 1, np.nan])


def test_equal_columns_are_one_unit() -> None:
    assert units_of(np.array([4, 4, 2]), np.array([1, 1, 1])).tolist() == [1, 1, 0]
    assert units_of(np.zeros(0, np.int64)).size == 0
