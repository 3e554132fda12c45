"""Full lattices by hand: pairs, their weights, strata of steps, and numbers of a corpus."""

from itertools import permutations

import numpy as np
import pytest
from full_lattices import Lattice, counts, texts

from maege.analysis.edits import Edit
from maege.analysis.lattices import (
    STRATA,
    lattice_pairs,
    metric_on_corpus,
    standardised_tau,
    stratum,
    sums_by_sentence,
    tau,
)
from maege.analysis.statistics.resampling import cluster_weights

TOKENS = ["he", "go", "to", "school", "yesterday", "now"]


def edit(start: int, end: int, *corrections: str) -> Edit:
    return Edit(start, end, "R", corrections)


GO, SCHOOL, NOW = edit(1, 2, "went"), edit(3, 3, "the"), edit(5, 6, "")


def test_a_lattice_of_two_edits_has_five_pairs() -> None:
    pairs = lattice_pairs(2)
    masks = list(zip(pairs.lower.tolist(), pairs.upper.tolist(), strict=True))
    assert masks == [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]
    # Each edit comes first in half of the chains, and each chain visits both ends.
    assert pairs.chain_weight.tolist() == [0.5, 0.5, 1, 0.5, 0.5]
    assert pairs.step_edit.tolist() == [0, 1, -1, 1, 0]


@pytest.mark.parametrize("n_edits", [1, 3, 4])
def test_weights_are_the_share_of_orders_that_pass_both_nodes(n_edits: int) -> None:
    pairs = lattice_pairs(n_edits)
    assert len(pairs.lower) == 3**n_edits - 2**n_edits
    orders = list(permutations(range(n_edits)))
    passed = np.zeros(len(pairs.lower))
    for order in orders:
        nodes = {sum(1 << place for place in order[:length]) for length in range(n_edits + 1)}
        passed += np.isin(pairs.lower, list(nodes)) & np.isin(pairs.upper, list(nodes))
    assert pairs.chain_weight == pytest.approx(passed / len(orders))


def test_a_step_is_endorsed_touched_or_untouched() -> None:
    assert stratum(GO, [[SCHOOL], [NOW, GO]]) == "endorsed"
    # Texts contain the first alternative.
    assert stratum(GO, [[edit(1, 2, "went", "goes")]]) == "endorsed"
    assert stratum(GO, [[edit(1, 2, "goes")]]) == "touched"
    # An insertion directly after the edit's span meets it.
    assert stratum(GO, [[edit(2, 2, "back")]]) == "touched"
    assert stratum(GO, [[SCHOOL]]) == "untouched"
    assert stratum(GO, []) == "untouched"


def test_counts_by_hand() -> None:
    lattice = Lattice(TOKENS, [GO, NOW], [[GO]])
    single = Lattice(TOKENS, [SCHOOL], [[edit(3, 4, "home")]])
    read = texts([lattice, single])
    assert read.references[0] == ["he went to school yesterday now"]
    assert len(read.hypotheses) == len(read.sources) == 6
    # A metric that rewards the first edit, ties the second and punishes the third.
    lattice_counts = counts([lattice, single], np.array([0.0, 1, 0, 1, 0, -1]))
    assert lattice_counts.pairs.T.tolist() == [[3, 0, 2], [0, 1, 0]]
    assert lattice_counts.expected_chain.T.tolist() == [[2, 0, 1], [0, 1, 0]]
    endorsed, touched, untouched = (lattice_counts.steps[:, STRATA.index(name)] for name in STRATA)
    assert endorsed.T.tolist() == [[2, 0, 0], [0, 0, 0]]
    assert touched.T.tolist() == [[0, 0, 0], [0, 1, 0]]
    assert untouched.T.tolist() == [[0, 0, 2], [0, 0, 0]]
    # A chain contains one of the two steps that add an edit.
    assert lattice_counts.expected_steps[:, :, 0].T.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert lattice_counts.expected_steps[:, :, 1].T.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    # A tie counts as half: (3 - 1) / 6.
    assert tau(lattice_counts.pairs.sum(axis=1)) == pytest.approx(1 / 3)


def test_standardised_tau_needs_steps_in_every_stratum() -> None:
    taus = np.array([1.0, 0.5, -0.9])
    assert standardised_tau(taus, np.array([200, 300, 400])) == pytest.approx(0.2)
    assert np.isnan(standardised_tau(taus, np.array([199, 300, 400])))
    assert np.isnan(standardised_tau(np.array([1.0, 0.5, np.nan]), np.array([9, 9, 0]), 1))


def step_counts(*by_lattice: list[list[int]]) -> np.ndarray:
    """Return counts of shape (3, strata, lattices), from a row per stratum for each lattice."""
    return np.array(by_lattice, np.float64).transpose(2, 1, 0)


def test_numbers_of_three_lattices_of_two_sentences() -> None:
    chains = np.array([[3.0, 0, 1], [0, 1, 0], [0, 0, 1]])
    steps = step_counts(
        [[2, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    )
    nothing = [0, 0, 0]
    corrupted = step_counts(
        [[1, 0, 1], nothing, nothing, nothing],
        [nothing, [0, 1, 0], nothing, nothing],
        # Edits have no stratum if references are only texts.
        [nothing, nothing, nothing, [1, 0, 0]],
    )
    sums = sums_by_sentence(np.array([0, 0, 1]), 2, chains, steps, corrupted)
    assert sums.chains.T.tolist() == [[3, 1, 0], [1, 0, 1]]
    numbers = metric_on_corpus(sums, cluster_weights(2, 100, 1), 0.95)
    # (4 - 1) / 6.
    assert numbers.tau.value == pytest.approx(0.5)
    # Each sentence alone has the same value, (3 - 1) / 4 or (1 - 0) / 2, so there is no interval.
    assert np.isnan(numbers.tau.low)
    assert numbers.tau_steps.tolist() == [1, 0, 0]
    assert numbers.n_steps.tolist() == [2, 2, 1]
    assert numbers.over_corrupted[:2].tolist() == [0.75, 0]
    # Of four pairs, 1 is correct and 1 tied, none, and 1.
    assert numbers.over_corrupted_all.value == pytest.approx(2.5 / 4)
    # Five steps are fewer than the 200 that each stratum needs.
    assert np.isnan(numbers.standardised_tau.value)


def test_standardised_tau_is_the_mean_of_strata_with_its_interval() -> None:
    # Each sentence has one step per stratum: the endorsed one is correct, the touched one correct
    # in half of the sentences, the untouched one wrong.
    n = 400
    steps = np.zeros((3, 3, n))
    steps[0, 0] = steps[1, 2] = 1
    steps[0, 1, ::2] = steps[1, 1, 1::2] = 1
    chains = steps.sum(axis=1)
    sums = sums_by_sentence(np.arange(n), n, chains, steps, np.zeros((3, 4, n)))
    numbers = metric_on_corpus(sums, cluster_weights(n, 500, 1), 0.95)
    assert numbers.standardised_tau.value == pytest.approx(0)
    # A third of the interval of a mean of 400 signs: 1.96 / 20 / 3.
    assert numbers.standardised_tau.high == pytest.approx(0.0327, abs=0.007)
    assert numbers.standardised_tau.low == pytest.approx(-0.0327, abs=0.007)
    assert np.isnan(numbers.over_corrupted_all.value)
