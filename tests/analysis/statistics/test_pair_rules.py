"""Ties, Kendall's tau and rules for ties."""

import json
from pathlib import Path

import numpy as np
import pytest
from human_rankings import seeda_lengths, seeda_pairs
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from maege.analysis.statistics.pair_agreement import (
    OUTCOMES,
    RULES,
    PairAgreement,
    agreement_of_outcomes,
    goodman_kruskal_gamma,
    is_tied,
    kendall_tau_a,
    kendall_tau_maege,
    legacy_argsort,
    outcomes,
    pair_counts,
    published_discordant,
    score_differences,
    tuned_epsilon,
)

# --- Equal scores, regardless of the order of summation ---


def test_sums_in_another_order_are_tied_and_a_millionth_is_not() -> None:
    assert is_tied(0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1)
    assert is_tied(-2.0, -2.0 - 1e-9)
    assert not is_tied(1.0, 1.0 + 1e-6)
    # Relative to the larger score: small scores must be closer to each other.
    assert not is_tied(1e-12, 2e-12)
    assert is_tied(0.0, 0.0)


# --- Kendall's tau of chains, and the tie order behind the published tau ---


def test_pairs_of_a_chain_by_hand() -> None:
    gaps = score_differences([0.1 + 0.2 + 0.3, 2.0, np.nan], [0.6, 1.0, 1.0])
    assert gaps[:2].tolist() == [0.0, 1.0]
    assert np.isnan(gaps[2])

    # Pairs: 1-3 up, 1-2 up, 1-2 up, 3-2 down, 3-2 down, 2-2 tied.
    assert pair_counts([1, 3, 2, 2]) == (3, 2, 1)
    assert pair_counts([0.5]) == (0, 0, 0)


def test_tau_of_counts_by_hand() -> None:
    assert kendall_tau_a(3, 2, 1) == pytest.approx(1 / 6)
    assert np.isnan(kendall_tau_a(0, 0, 0))

    tau, p = kendall_tau_maege(3, 2, 1)
    assert tau == pytest.approx(1 - 4 / 6)
    # 2 Phi(-sqrt(6) / 3) with Phi(-.8165) = .2071.
    assert p == pytest.approx(0.4142, abs=1e-4)
    assert goodman_kruskal_gamma(3, 2) == pytest.approx(1 / 5)

    tau, p = kendall_tau_maege(9630, 10185, 7)
    assert tau == pytest.approx(-0.0276, abs=5e-5)
    assert p == pytest.approx(9.9e-5, rel=0.01)

    tau, p = kendall_tau_maege([0, 1], [0, 0], [0, 0])
    np.testing.assert_array_equal(tau, [np.nan, 1.0])
    assert np.isnan(p[0])
    assert np.isnan(goodman_kruskal_gamma(0, 0))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60))
def test_legacy_order_sorts_and_is_stable_up_to_17(values: list[int]) -> None:
    order = legacy_argsort(values)
    assert sorted(order) == list(range(len(values)))
    assert [values[i] for i in order] == sorted(values)
    if len(values) <= 17:
        np.testing.assert_array_equal(order, np.argsort(values, kind="stable"))


def test_legacy_order_of_eighteen_equal_values_by_hand() -> None:
    # The first, middle (8) and last positions stay. The pivot 8 swaps with 16. Then i and j advance
    # from both ends and swap (1, 15) ... (7, 9), and meet at 8; 8 swaps back with 16.
    expected = [0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 16, 17]
    # Position 8 had element 16 when i and j met there, and the pivot returns to it.
    assert legacy_argsort([0.5] * 18).tolist() == expected


def test_published_discordance_equals_the_plain_count_without_ties() -> None:
    scores = np.random.default_rng(5).permutation(40)
    assert published_discordant(scores) == pair_counts(scores).discordant
    assert published_discordant([1, 3, 2, 2]) == 2


def test_gleu_pairs_of_the_published_run(shared: Path) -> None:
    lines = (shared / "golden/maege/chains.jsonl").read_text().splitlines()
    chains = [json.loads(line)["gleu"] for line in lines]
    counts = np.array([pair_counts(chain) for chain in chains]).sum(axis=0)
    assert counts.tolist() == [9630, 10185, 7]
    published = sum(published_discordant(chain) for chain in chains)
    assert 1 - 2 * published / 19822 == pytest.approx(-0.0276, abs=5e-5)


# --- Agreement by each rule for ties: by hand, by brute force, and SEEDA's values ---

# Two concordant pairs (one of each sign), one discordant pair, two ties by the metric alone, one by
# the judge alone and one by both.
PREFERENCE = [1, -1, 1, 1, -1, 0, 0]
DIFFERENCE = [0.4, -0.2, -0.1, 0.0, 0.0, 0.3, 0.0]

pairs = st.lists(st.tuples(st.integers(-1, 1), st.integers(-4, 4)), min_size=1, max_size=30)


def agree(
    rule: str, preference: ArrayLike, difference: ArrayLike, epsilon: float = 0.0
) -> PairAgreement:
    n_pairs = np.bincount(outcomes(preference, difference, epsilon), minlength=OUTCOMES)
    return agreement_of_outcomes(rule, n_pairs, epsilon)


def test_ties_by_hand() -> None:
    agreement = agree("ties_wrong", PREFERENCE, DIFFERENCE)
    assert agreement[:4] == (5, 2, 1, 2)
    assert agreement.accuracy == 2 / 5
    assert agreement.kendall == pytest.approx((2 - 1 - 2) / 5)
    assert np.isnan(agreement.epsilon)

    agreement = agree("ties_half", PREFERENCE, DIFFERENCE)
    assert agreement[:4] == (5, 2, 1, 2)
    assert agreement.accuracy == 3 / 5
    assert agreement.kendall == pytest.approx((2 - 1) / 5)

    # The first of two equal systems loses: in the fourth pair against the judge, in the fifth with
    # the judge.
    agreement = agree("ties_by_name", PREFERENCE, DIFFERENCE)
    assert agreement[:4] == (5, 3, 2, 0)
    assert agreement.accuracy == 3 / 5
    assert agreement.kendall == pytest.approx((3 - 2) / 5)


def test_acc_eq_by_hand() -> None:
    agreement = agree("acc_eq", PREFERENCE, DIFFERENCE, epsilon=0)
    assert agreement[:6] == (7, 2, 1, 2, 1, 1)
    assert agreement.accuracy == 3 / 7
    # tau_23 = (C + T_both - D - T_judge - T_metric) / all.
    assert agreement.kendall == pytest.approx((2 + 1 - 1 - 1 - 2) / 7)
    # Epsilon .3 ties all pairs except the first. Epsilon .2 does not tie the judge's tie at .3.
    assert agree("acc_eq", PREFERENCE, DIFFERENCE, epsilon=0.3)[:6] == (7, 1, 0, 4, 0, 2)
    assert agree("acc_eq", PREFERENCE, DIFFERENCE, epsilon=0.2)[:6] == (7, 1, 0, 4, 1, 1)


def test_smallest_of_the_best_epsilons_is_chosen() -> None:
    # Numbers of correct pairs by epsilon: 3 at 0; 3 at .1; 2 at .2; 3 at .3; 2 at .4.
    assert tuned_epsilon(PREFERENCE, DIFFERENCE) == 0
    # Without the pair at .2, they are 2, 2, 3 (at .3) and 2.
    selected = [0, 2, 3, 4, 5, 6]
    preference, difference = np.array(PREFERENCE)[selected], np.array(DIFFERENCE)[selected]
    assert tuned_epsilon(preference, difference) == 0.3
    assert agree("acc_eq", preference, difference, 0.3).accuracy == 3 / 6


@given(pairs)
def test_no_epsilon_is_better_than_the_tuned_one(rows: list[tuple[int, int]]) -> None:
    preference, difference = np.array(rows).T
    tried = [agree("acc_eq", preference, difference, e).accuracy for e in range(5)]
    # The smallest of the best ones.
    assert tuned_epsilon(preference, difference) == tried.index(max(tried))


# Length in characters as a metric over the 12 base systems, with exact golden values.
@pytest.mark.parametrize(
    ("kind", "n_pairs", "by_name", "ties_wrong"),
    [("edit", 7_708, 0.5365853658536586, 0.472), ("sent", 9_381, 0.5455708346658139, 0.490)],
)
def test_length_on_seeda_is_the_gold(
    shared: Path, kind: str, n_pairs: int, by_name: float, ties_wrong: float
) -> None:
    pairs = seeda_pairs(shared, kind, is_base=True)
    lengths = seeda_lengths(shared, pairs.ids)
    difference = lengths[pairs.first, pairs.sentence] - lengths[pairs.second, pairs.sentence]
    assert len(seeda_pairs(shared, kind).ids) == 391
    ties_by_name = agree("ties_by_name", pairs.preference, difference)
    assert (ties_by_name.n_pairs, ties_by_name.accuracy) == (n_pairs, by_name)
    strict = agree("ties_wrong", pairs.preference, difference)
    assert strict.accuracy == pytest.approx(ties_wrong, abs=5e-4)


# By name, a constant metric is correct whenever the later system won.
@pytest.mark.parametrize(("kind", "accuracy"), [("edit", 0.548), ("sent", 0.554)])
def test_constant_on_seeda_is_above_chance_by_name_alone(
    shared: Path, kind: str, accuracy: float
) -> None:
    pairs = seeda_pairs(shared, kind, is_base=True)
    constant = np.zeros(pairs.preference.size)
    by_name = agree("ties_by_name", pairs.preference, constant)
    assert by_name.accuracy == pytest.approx(accuracy, abs=5e-4)
    assert agree("ties_half", pairs.preference, constant).accuracy == 0.5
    assert agree("ties_wrong", pairs.preference, constant).accuracy == 0


def test_no_pairs_have_no_accuracy() -> None:
    for rule in RULES:
        agreement = agree(rule, [], [])
        assert agreement.n_pairs == 0
        assert np.isnan([agreement.accuracy, agreement.kendall]).all()
