"""Rounding where choices hang on the last digit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.metrics.scores.annotators import chosen_annotators


@given(st.lists(st.tuples(*[st.integers(0, 40)] * 3), min_size=2, max_size=4))
def test_scores_are_rounded_as_python_rounds(sizes: list[tuple[int, int, int]]) -> None:
    counts = [(tp, tp + fp, tp + fn) for tp, fp, fn in sizes]
    (position,) = chosen_annotators(np.array([counts], float), 0.5, by_shares=True).tolist()
    keys = []
    for tp, proposed, gold in counts:
        p, r = tp / proposed if proposed else 1.0, tp / gold if gold else 1.0
        f = round(1.25 * p * r / (0.25 * p + r), 4) if p + r else 0.0
        keys.append((f, tp, -proposed, -gold))
    assert position == keys.index(max(keys))


def test_a_half_of_the_last_decimal_goes_to_the_even_number() -> None:
    # P = R = F. 1 / 32 = .03125 rounds to .0312, as 312 / 10,000 is: more agreeing edits decide.
    counts = np.array([[[1.0, 32, 32], [312, 10_000, 10_000]]])
    assert chosen_annotators(counts, 0.5, by_shares=True).tolist() == [1]
    # 3 / 32 = .09375 and .09379 round to .0938.
    counts = np.array([[[3.0, 32, 32], [9379, 100_000, 100_000]]])
    assert chosen_annotators(counts, 0.5, by_shares=True).tolist() == [1]


def test_m2_and_errant_choose_by_arithmetic_of_their_own() -> None:
    # F is 0 of all four. ERRANT takes the annotator with the least proposed, 0 against 1, M2 the
    # one with the least proposed + .25 gold, 1 against 2.
    counts = np.array([[[0.0, 0, 8], [0, 1, 0]]])
    assert chosen_annotators(counts, 0.5, by_shares=True).tolist() == [0]
    assert chosen_annotators(counts, 0.5, by_shares=False).tolist() == [1]
