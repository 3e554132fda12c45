"""Statistics of judged systems in compact types keep every number."""

import numpy as np
import pytest

from maege.analysis.rankings.scores import compact


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([0, 7, 255], "uint8"),
        ([0, 256, 1409], "int16"),
        ([-1, 3, 40], "int16"),
        ([np.nan, 1, 2048], "float16"),
        # float16 has no 2049, int16 no NaN.
        ([np.nan, 1, 2049], "float32"),
        ([0.5, 2, 3], "float16"),
        ([0.1, 2, 3], "float64"),
        ([0, 1, 2**24 + 1], "float64"),
        ([1.1472261658155404e42, 1, 0], "float64"),
    ],
)
def test_numbers_take_the_fewest_bytes_that_hold_them(numbers: list[float], kind: str) -> None:
    found = compact(np.array(numbers, np.float64))
    assert found.dtype == kind
    np.testing.assert_array_equal(found.astype(np.float64), numbers)
