"""Coverage of samples smaller and larger than the one at hand, by hand."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from maege.analysis.statistics.references.coverage_curves import Curve, corpus_curve
from maege.analysis.statistics.references.richness import rarefied_coverage


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


def test_mean_over_sentences_has_the_error_of_a_mean() -> None:
    curves = [
        Curve(np.array([0.2]), np.array([0.01])),
        Curve(np.array([0.4]), np.array([0.01])),
    ]
    found = corpus_curve(curves)
    assert found.shares == pytest.approx([0.3])
    assert found.errors == pytest.approx([sqrt(0.02) / sqrt(2)])
    low, high = corpus_curve(curves[:1]).interval(0.95)
    assert (low[0], high[0]) == pytest.approx((0.1811, 0.2203), abs=1e-4)
