"""Metrics against verdicts on edits, by sums done by hand."""

import numpy as np
import pytest

from maege.analysis.judgments.verdict_rows import Edits, verdict_row
from maege.analysis.judgments.verdicts import auc, auc_interval, edit_class, shares


def test_the_area_counts_pairs_and_ties_half() -> None:
    # Of six pairs 2 > 1, 2 > 0 and 1 > 0 are in order, 1 and 1 tie, 0 and 0 tie, 0 < 1 is not.
    assert auc([2, 1, 0], [1, 0]) == pytest.approx((3 + 2 / 2) / 6)
    assert auc([0, 0], [0, 0, 0]) == 0.5
    assert np.isnan(auc([1], []))


def test_shares_are_of_signs() -> None:
    assert shares([1, 0, 0, -2]) == (0.25, 0.5, 0.25)


def test_edit_has_the_majority_verdict() -> None:
    assert [edit_class(of) for of in ([1, 1, -2], [0, 0, 1], [-1, -2], [1, -2])] == [
        "valid",
        "optional",
        "invalid",
        "split",
    ]


def test_sources_are_sampled_as_clusters() -> None:
    source = np.array([0, 0, 1, 1])
    valid = np.array([True, False, True, False])
    differences = np.array([1.0, 0.0, 0.0, 1.0])
    # One resample has only the first source: all in order. One has both: half in order.
    weights = np.array([[2, 0], [1, 1]], np.uint16)
    low, high = auc_interval(source, valid, differences, weights, level=1.0)
    assert (low[0], high[0]) == (0.5, 1.0)


def test_of_few_edits_there_is_an_area_and_no_interval() -> None:
    edits = Edits(np.array([0, 1, 2]), [[1.0], [-1.0], [0.0]])
    row = verdict_row(edits, np.array([0.5, -0.5, np.nan]), 100, 0.95, 1)
    assert row is not None
    assert (row["n_edits"], row["auc"], row["too_few"]) == (2, 1.0, "sentences")
    assert "ci_low" not in row
