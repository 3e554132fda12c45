"""Tests with items as clusters, compared with values computed by hand."""

import math

import numpy as np
import pytest

from maege.analysis.judgments.clustered import (
    area_p_value,
    clustered_p_value,
    covariance_p_value,
    order_p_value,
)


def test_two_items_have_one_degree_of_freedom() -> None:
    # t = 3 / sqrt(2^2 + 1^2); Student's t with one degree of freedom is Cauchy's.
    expected = 1 - 2 / math.pi * math.atan(3 / math.sqrt(5))
    assert clustered_p_value(3, np.array([2.0, 1, 0])) == pytest.approx(expected)


def test_outputs_of_one_item_count_together() -> None:
    scores, values = np.array([0.0, 0, 2, 2]), np.array([0.0, 2, 2, 4])
    # Deviations -1 -1 1 1 and -2 0 0 2: products 2 0 0 2, of two items 2 and 2.
    expected = 1 - 2 / math.pi * math.atan(4 / math.sqrt(8))
    item = np.array([0, 0, 1, 1])
    assert covariance_p_value(item, scores, values) == pytest.approx(expected)
    assert math.isnan(covariance_p_value(item, np.ones(4), values))


def test_pairs_in_order_and_against_it_cancel() -> None:
    item = np.array([0, 0, 1, 1, 1])
    # Items add 2 and -1.
    expected = 1 - 2 / math.pi * math.atan(1 / math.sqrt(5))
    assert order_p_value(item, np.array([1, 1, -1, 0, 0])) == pytest.approx(expected)
    assert math.isnan(order_p_value(item, np.zeros(5, np.int64)))


def test_an_area_of_three_quarters_from_four_sources() -> None:
    # Valid edits at 2 and 0 lie above all and one half of the invalid ones at 1 and -1: each of the
    # four is .25 from the area and adds .125, so that t is .25 / .25 with three degrees of freedom.
    t = 1 / math.sqrt(3)
    expected = 1 - 2 / math.pi * (t / (1 + 1 / 3) + math.atan(t))
    is_valid, d = np.array([True, True, False, False]), np.array([2.0, 0, 1, -1])
    assert area_p_value(np.arange(4), is_valid, d) == pytest.approx(expected)
    assert math.isnan(area_p_value(np.arange(4), is_valid, np.zeros(4)))
