"""What swaps move, by hand, and once for all metrics that add up the same."""

import numpy as np

from maege.analysis.statistics.samples.swaps import Swaps

ADDENDS = np.array([[[1.0, 2.0], [10.0, 20.0]], [[3.0, 0.0], [30.0, 0.0]]])


def test_a_swap_moves_the_sums_of_its_sentences() -> None:
    swaps = Swaps(2, 5, 3)
    ((first, second), *_) = next(iter(swaps)).tolist()
    moved = swaps.moved(ADDENDS)
    assert moved.shape == (5, 2, 2)
    assert moved[0].tolist() == [
        [first + 10 * second, 2 * first + 20 * second],
        [3 * first + 30 * second, 0],
    ]


def test_the_same_is_added_up_once() -> None:
    swaps = Swaps(2, 5, 3)
    moved = swaps.moved(ADDENDS)
    assert swaps.moved(ADDENDS.copy()) is moved
    assert swaps.moved(ADDENDS + 1) is not moved
    assert swaps.moved(ADDENDS.reshape(2, 2, 2)[:, :, :1]).shape == (5, 2, 1)
