"""Sentence-level agreement under each rule for ties: by hand, brute force, and SEEDA's golds."""

from pathlib import Path

import numpy as np
import pytest
from human_rankings import SEEDA_BASE, SEEDA_SYSTEMS, expanded_pairs, read_items
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.statistics.correlations.tie_rules import (
    TIE_RULES,
    acc_eq,
    ties_by_name,
    ties_half,
    ties_wrong,
    tuned_epsilon,
)

# Two concordant pairs (one of each sign), one discordant, two ties of the metric alone, one of the
# judge alone and one of both.
PREFERENCE = [1, -1, 1, 1, -1, 0, 0]
DIFFERENCE = [0.4, -0.2, -0.1, 0.0, 0.0, 0.3, 0.0]

pairs = st.lists(st.tuples(st.integers(-1, 1), st.integers(-4, 4)), min_size=1, max_size=30)


def test_ties_wrong_by_hand() -> None:
    found = ties_wrong(PREFERENCE, DIFFERENCE)
    assert (found.n_pairs, found.n_concordant, found.n_discordant, found.n_tied) == (5, 2, 1, 2)
    assert found.accuracy == 2 / 5
    assert found.kendall == pytest.approx((2 - 1 - 2) / 5)
    assert np.isnan(found.epsilon)


def test_ties_half_by_hand() -> None:
    found = ties_half(PREFERENCE, DIFFERENCE)
    assert (found.n_pairs, found.n_concordant, found.n_discordant, found.n_tied) == (5, 2, 1, 2)
    assert found.accuracy == 3 / 5
    assert found.kendall == pytest.approx((2 - 1) / 5)


def test_ties_by_name_by_hand() -> None:
    # The first of two equal systems loses: against the judge in the fourth pair, not in the fifth.
    found = ties_by_name(PREFERENCE, DIFFERENCE)
    assert (found.n_pairs, found.n_concordant, found.n_discordant, found.n_tied) == (5, 3, 2, 0)
    assert found.accuracy == 3 / 5
    assert found.kendall == pytest.approx((3 - 2) / 5)


def test_acc_eq_by_hand() -> None:
    found = acc_eq(PREFERENCE, DIFFERENCE, epsilon=0)
    assert found[:6] == (7, 2, 1, 2, 1, 1)
    assert found.accuracy == 3 / 7
    # tau_23 = (C + T_both - D - T_judge - T_metric) / all.
    assert found.kendall == pytest.approx((2 + 1 - 1 - 1 - 2) / 7)
    # .3 makes ties of all pairs but the first, .2 spares the judge's tie at .3 as well.
    assert acc_eq(PREFERENCE, DIFFERENCE, epsilon=0.3)[:6] == (7, 1, 0, 4, 0, 2)
    assert acc_eq(PREFERENCE, DIFFERENCE, epsilon=0.2)[:6] == (7, 1, 0, 4, 1, 1)


def test_smallest_of_the_best_epsilons_is_chosen() -> None:
    # Right pairs: 3 at 0; 3 at .1; 2 at .2; 3 at .3; 2 at .4.
    assert tuned_epsilon(PREFERENCE, DIFFERENCE) == 0
    # Without the pair at .2 they are 2, 2, 3 at .3, and 2.
    kept = [0, 2, 3, 4, 5, 6]
    found = acc_eq(np.array(PREFERENCE)[kept], np.array(DIFFERENCE)[kept])
    assert found.epsilon == 0.3
    assert found.accuracy == 3 / 6


@given(pairs)
def test_no_epsilon_is_better_than_the_tuned_one(rows: list[tuple[int, int]]) -> None:
    preference, difference = np.array(rows).T
    tried = {e: acc_eq(preference, difference, e).accuracy for e in (0, 1, 2, 3, 4)}
    found = acc_eq(preference, difference)
    assert found.accuracy == max(tried.values())
    assert found.epsilon == min(e for e in tried if tried[e] == found.accuracy)


@given(pairs)
def test_rules_agree_where_nothing_is_tied(rows: list[tuple[int, int]]) -> None:
    decided = [(order, gap) for order, gap in rows if order and gap]
    preference, difference = np.array(decided, dtype=np.int64).reshape(-1, 2).T
    wrong, half, by_name = (
        rule(preference, difference) for rule in (ties_wrong, ties_half, ties_by_name)
    )
    np.testing.assert_equal(wrong, half)
    np.testing.assert_equal(wrong, by_name)


@given(pairs)
def test_counts_add_up_and_kendall_follows_from_accuracy(rows: list[tuple[int, int]]) -> None:
    preference, difference = np.array(rows).T
    for rule in TIE_RULES.values():
        found = rule(preference, difference)
        assert sum(found[1:6]) == found.n_pairs
        if found.n_pairs:
            assert 0 <= found.accuracy <= 1
            assert found.kendall == pytest.approx(2 * found.accuracy - 1)


# Length in characters as a metric, over the 12 base systems: exact golds.
@pytest.mark.parametrize(
    ("kind", "n_pairs", "by_name", "wrong"),
    [("edit", 7_708, 0.5365853658536586, 0.472), ("sent", 9_381, 0.5455708346658139, 0.490)],
)
def test_length_on_seeda_is_the_gold(
    shared: Path, kind: str, n_pairs: int, by_name: float, wrong: float
) -> None:
    seeda = shared / "data/human/seeda"
    items = read_items(seeda / f"judgments_{kind}.xml", first_sentence=1)
    found = expanded_pairs(items, SEEDA_BASE)
    lines = {
        system: (seeda / f"outputs_all/{system}.txt").read_text(encoding="utf-8").split("\n")
        for system in SEEDA_BASE
    }
    lengths = np.array([[len(lines[name][i]) for i in found.ids] for name in SEEDA_BASE])
    difference = lengths[found.first, found.sentence] - lengths[found.second, found.sentence]
    assert len(expanded_pairs(items, SEEDA_SYSTEMS).ids) == 391
    named = ties_by_name(found.preference, difference)
    assert (named.n_pairs, named.accuracy) == (n_pairs, by_name)
    assert ties_wrong(found.preference, difference).accuracy == pytest.approx(wrong, abs=5e-4)


# A constant metric is right by name wherever the later system won.
@pytest.mark.parametrize(("kind", "accuracy"), [("edit", 0.548), ("sent", 0.554)])
def test_constant_on_seeda_is_above_chance_by_name_alone(
    shared: Path, kind: str, accuracy: float
) -> None:
    path = shared / f"data/human/seeda/judgments_{kind}.xml"
    found = expanded_pairs(read_items(path, first_sentence=1), SEEDA_BASE)
    constant = np.zeros(found.preference.size)
    assert ties_by_name(found.preference, constant).accuracy == pytest.approx(accuracy, abs=5e-4)
    assert ties_half(found.preference, constant).accuracy == 0.5
    assert ties_wrong(found.preference, constant).accuracy == 0


def test_no_pairs_have_no_accuracy() -> None:
    for rule in TIE_RULES.values():
        found = rule([], [])
        assert found.n_pairs == 0
        assert np.isnan([found.accuracy, found.kendall]).all()


def test_bad_input_is_named() -> None:
    for rule in TIE_RULES.values():
        with pytest.raises(ValueError, match="one length"):
            rule([1], [0.1, 0.2])
        with pytest.raises(ValueError, match="NaN in pair 1"):
            rule([1, 1], [0.1, np.nan])
        with pytest.raises(ValueError, match="found 5"):
            rule([5], [0.1])
