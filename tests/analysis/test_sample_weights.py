"""Sums over resamples do not depend on how many are summed at once."""

import numpy as np
import pytest

from maege.analysis import sample_weights
from maege.analysis.sample_weights import drawn_sums


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_sums_by_hand(kind: str) -> None:
    weights = np.array([[1, 1, 1], [0, 3, 0], [2, 0, 1]], np.uint8)
    columns = np.array([[1.0, 10], [2, 20], [4, 300]]).astype(kind)
    sums = drawn_sums(weights, columns)
    assert sums.dtype == np.float64
    assert sums.tolist() == [[7, 330], [6, 60], [6, 320]]


@pytest.mark.parametrize("at_once", [1, 4, 7, 1000])
def test_samples_are_summed_in_blocks_of_any_size(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_weights, "WIDE_AT_ONCE", at_once)
    generator = np.random.Generator(np.random.PCG64(3))
    weights = generator.integers(0, 300, size=(5, 3)).astype(np.uint16)
    columns = generator.integers(-9, 9, size=(3, 4)).astype(np.float64)
    np.testing.assert_array_equal(drawn_sums(weights, columns), weights.astype(int) @ columns)


def test_nothing_drawn_sums_to_zero() -> None:
    assert drawn_sums(np.zeros((2, 0), np.uint8), np.zeros((0, 3))).tolist() == [[0] * 3] * 2
