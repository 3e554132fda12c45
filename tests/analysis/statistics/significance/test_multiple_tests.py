"""q-values, and what is too few to infer anything from."""

import numpy as np
import pytest

from maege.analysis.statistics.samples.least_samples import (
    expanded_level,
    n_effective,
    too_few,
    with_width,
)
from maege.analysis.statistics.significance.multiple_tests import q_values, with_q_values


def test_q_values_by_hand() -> None:
    # Of three tests: .01 * 3 / 1; .04 * 3 / 3 is less than .03 * 3 / 2.
    assert q_values([0.04, np.nan, 0.01, 0.03]) == pytest.approx(
        [0.04, np.nan, 0.03, 0.04], nan_ok=True
    )
    assert np.isnan(q_values([np.nan])).all()
    assert q_values([]).size == 0


def test_q_values_are_of_their_family() -> None:
    # Family a: .04 * 2 / 2 and .01 * 2 / 1; the test of family b stands alone.
    rows = [{"of": of, "p_value": p} for of, p in (("a", 0.04), ("b", 0.03), ("a", 0.01))]
    found = [(row["of"], row["q_value"]) for row in with_q_values(rows, lambda row: row["of"])]
    assert found == [
        ("a", pytest.approx(0.04)),
        ("a", pytest.approx(0.02)),
        ("b", pytest.approx(0.03)),
    ]


def test_what_is_too_few_is_named() -> None:
    assert too_few(systems=4, sentences=20, pairs=20) == "systems"
    assert too_few(sentences=19, pairs=1000) == "sentences"
    assert too_few(sentences=20, pairs=19) == "pairs"
    assert too_few(systems=5, sentences=20, pairs=20) is None


def test_an_interval_without_width_is_none() -> None:
    assert with_width(0.5, 0.75) == (0.5, 0.75)
    assert np.isnan(with_width(0.5, 0.5)).all()
    assert np.isnan(with_width(np.nan, np.nan)).all()


def test_unequal_clusters_are_as_sure_as_fewer_equal_ones() -> None:
    assert n_effective([3, 3, 3]) == pytest.approx(3)
    # (1 + 1 + 4)^2 / (1 + 1 + 16)
    assert n_effective([1, 1, 4]) == pytest.approx(2)


def test_few_clusters_widen_the_level_as_t_does() -> None:
    # Of ten, t has 2.262 for 1.960, and a deviation by n in place of n - 1 is sqrt(10 / 9) too low.
    assert expanded_level(0.95, 10) == pytest.approx(0.98289, abs=1e-4)
    assert expanded_level(0.95, 1e6) == pytest.approx(0.95, abs=1e-5)
