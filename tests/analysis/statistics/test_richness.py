"""Good-Turing, Chao and Jost, Chao1: each by hand."""

from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest

from maege.analysis.statistics.coverage_curves import Curve, corpus_curve
from maege.analysis.statistics.richness import chao1, good_turing_coverage, rarefied_coverage


def test_good_turing_by_hand() -> None:
    """Ten answers, three alone, two pairs, one three times: 1 - 3/10; sqrt(3 + 4 - .9) / 10."""
    found = good_turing_coverage([3, 2, 1])
    assert found.value == pytest.approx(0.7)
    assert found.value - found.low == pytest.approx(1.959964 * sqrt(6.1) / 10, abs=1e-6)


def test_good_turing_stays_between_nothing_and_everything() -> None:
    assert good_turing_coverage([4]) == (0, 0, 0)
    assert good_turing_coverage([0, 0, 0, 1]) == (1, 1, 1)


def test_rarefied_coverage_is_the_mean_over_all_choices_of_answers() -> None:
    answers = "aaabbcc"
    n = len(answers)
    curve = rarefied_coverage([0, 2, 1], 6)
    for m in range(1, n):
        hits = [
            answers[held_out] in {answers[i] for i in chosen}
            for held_out in range(n)
            for chosen in combinations([i for i in range(n) if i != held_out], m)
        ]
        assert curve[m - 1] == pytest.approx(np.mean(hits))


def test_coverage_beyond_the_sample_by_hand() -> None:
    """n = 4, f1 = 2, f2 = 1: 1 - 2/4 * (3*2 / (3*2 + 2))^(m* + 1)."""
    curve = rarefied_coverage([2, 1], 6)
    assert curve[3] == pytest.approx(1 - 0.5 * 0.75)
    assert curve[5] == pytest.approx(1 - 0.5 * 0.75**3)


def test_chao1_by_hand() -> None:
    """10 answers, f1 = 3, f2 = 2, 6 seen: 6 + .9 * 9 / 4."""
    found = chao1([3, 2, 1])
    assert found.value == pytest.approx(6 + 0.9 * 9 / 4)
    assert 6 < found.low < found.value < found.high
    assert log((found.high - 6) / (found.value - 6)) == pytest.approx(
        log((found.value - 6) / (found.low - 6))
    )


def test_chao1_without_single_answers_is_what_was_seen() -> None:
    assert chao1([0, 3]) == (3, 3, 3)


def test_mean_over_sentences_has_the_error_of_a_mean() -> None:
    curves = [
        Curve(np.array([0.2]), np.array([0.01])),
        Curve(np.array([0.4]), np.array([0.01])),
    ]
    found = corpus_curve(curves)
    assert found.shares == pytest.approx([0.3])
    assert found.errors == pytest.approx([sqrt(0.02) / sqrt(2)])
    low, high = corpus_curve(curves[:1]).interval(0.95)
    assert (low[0], high[0]) == pytest.approx((0.1804, 0.2196), abs=1e-4)
