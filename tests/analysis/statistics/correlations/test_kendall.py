"""Kendall's tau of chains, and the tie order behind the published one."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.statistics.correlations.kendall import (
    goodman_kruskal_gamma,
    kendall_tau_a,
    kendall_tau_maege,
    legacy_argsort,
    pair_counts,
    published_discordant,
)


def test_pairs_of_a_chain_by_hand() -> None:
    # 1-3 up, 1-2 up, 1-2 up, 3-2 down, 3-2 down, 2-2 tied.
    assert pair_counts([1, 3, 2, 2]) == (3, 2, 1)
    assert pair_counts([0.5]) == (0, 0, 0)


def test_tie_counts_as_half_in_the_headline() -> None:
    assert kendall_tau_a(3, 2, 1) == pytest.approx(1 / 6)
    assert np.isnan(kendall_tau_a(0, 0, 0))


def test_tie_counts_as_agreement_as_published() -> None:
    tau, p = kendall_tau_maege(3, 2, 1)
    assert tau == pytest.approx(1 - 4 / 6)
    # 2 Phi(-sqrt(6) / 3) with Phi(-.8165) = .2071.
    assert p == pytest.approx(0.4142, abs=1e-4)
    assert goodman_kruskal_gamma(3, 2) == pytest.approx(1 / 5)


def test_tau_of_the_published_gleu_counts() -> None:
    tau, p = kendall_tau_maege(9630, 10185, 7)
    assert tau == pytest.approx(-0.0276, abs=5e-5)
    assert p == pytest.approx(9.9e-5, rel=0.01)


def test_tau_is_undefined_without_pairs() -> None:
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
    # First, middle (8) and last place stay; the pivot 8 trades places with 16; then i and j step
    # by one from both ends and swap (1, 15) ... (7, 9), meet at 8; 8 trades back with 16.
    expected = [0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 16, 17]
    # Place 8 held element 16 when i and j met there, and the pivot returns to it.
    assert legacy_argsort([0.5] * 18).tolist() == expected


def test_published_discordance_equals_the_plain_count_without_ties() -> None:
    scores = np.random.default_rng(5).permutation(40)
    assert published_discordant(scores) == pair_counts(scores).discordant
    assert published_discordant([1, 3, 2, 2]) == 2


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN at element 1"):
        pair_counts([1, np.nan])
    with pytest.raises(ValueError, match="shape"):
        pair_counts([[1, 2]])


def test_gleu_pairs_of_the_published_run(shared: Path) -> None:
    lines = (shared / "golden/maege/chains.jsonl").read_text().splitlines()
    chains = [json.loads(line)["gleu"] for line in lines]
    counts = np.array([pair_counts(chain) for chain in chains]).sum(axis=0)
    assert counts.tolist() == [9630, 10185, 7]
    published = sum(published_discordant(chain) for chain in chains)
    assert 1 - 2 * published / 19822 == pytest.approx(-0.0276, abs=5e-5)
