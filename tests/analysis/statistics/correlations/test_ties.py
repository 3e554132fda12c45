"""Equal scores, whatever the order in which their parts were added."""

import numpy as np

from maege.analysis.statistics.correlations.ties import is_tied, score_differences


def test_sums_in_another_order_are_tied_and_a_millionth_is_not() -> None:
    assert is_tied(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1)
    assert is_tied(-2.0, -2.0 - 1e-9)
    assert not is_tied(1.0, 1.0 + 1e-6)
    # Relative to the larger: small scores may differ by little.
    assert not is_tied(1e-12, 2e-12)
    assert is_tied(0.0, 0.0)


def test_differences_of_ties_are_nothing() -> None:
    found = score_differences([0.1 + 0.2 + 0.3, 2.0, np.nan], [0.6, 1.0, 1.0])
    assert found[:2].tolist() == [0.0, 1.0]
    assert np.isnan(found[2])
