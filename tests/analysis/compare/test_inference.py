"""Tests of pairs of systems: results by hand and by brute force."""

import numpy as np
import pytest

from maege.analysis.compare.inference import equivalence, pair_tests, possible_ranks
from maege.analysis.compare.results import Ranks
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import SummedScore, SystemScores
from maege.analysis.statistics.randomisation import Swaps
from maege.analysis.statistics.significance import holm
from maege.analysis.system_scores import swapped_differences


def test_holm_and_equivalence_by_hand() -> None:
    # Holm: the sorted p-values .01, .02, .04 times 3, 2, 1 give .03, .04, .04.
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.6, 0.5]) == pytest.approx([1, 1])
    assert holm([]).size == 0

    # Values in steps of .001. The 5 % quantile is at position 201 * .05 + .5 = 10.55, which is 9.55
    # steps from the first value.
    samples = np.linspace(-0.1, 0.1, 201)
    equivalent = equivalence(samples, 0.091)
    assert equivalent.ci == pytest.approx((-0.09045, 0.09045))
    assert equivalent.is_equivalent
    assert not equivalence(samples, 0.089).is_equivalent


def test_ranks_leave_room_where_tests_find_nothing() -> None:
    # The best system differs significantly only from the worst. The middle system is tied with
    # both.
    pairs = [(0, 1), (0, 2), (1, 2)]
    ranks = possible_ranks([0.3, 0.2, 0.1], pairs, [0.2, 0.01, 0.05], alpha=0.05)
    assert ranks == [Ranks(1, 1, 2), Ranks(2, 1, 3), Ranks(3, 2, 3)]


# --- Every two systems, by hand and by brute force ---

GENERATOR = np.random.default_rng(5)
N_SENTENCES = 30


def statistics_of(metric: str) -> dict[str, FloatArray]:
    """Return plausible counts of three systems with two references."""
    return {
        family.name: GENERATOR.integers(
            1, 9, (3, N_SENTENCES, 2 if family.per_reference else 1, len(family.statistics))
        ).astype(np.float64)
        for family in METRICS[metric].score.families
    }


@pytest.mark.parametrize("metric", ["gleu", "ibleu", "bleu"])
def test_a_swap_scores_the_sentences_that_each_system_then_has(metric: str) -> None:
    statistics = statistics_of(metric)
    swaps = Swaps(N_SENTENCES, 3, 1)
    differences = swapped_differences(
        metric, np.zeros((3, N_SENTENCES)), statistics, swaps, [(0, 1), (1, 2)]
    )
    score = METRICS[metric].score
    assert isinstance(score, SummedScore)
    ones = np.ones((1, N_SENTENCES), np.uint8)
    for swap, (differences_of_first, differences_of_second) in zip(
        next(iter(swaps)), differences, strict=True
    ):
        for (a, b), difference in (((0, 1), differences_of_first), ((1, 2), differences_of_second)):
            mixed = {}
            for name, values in statistics.items():
                mixed[name] = values[[a, b]]
                mixed[name][:, swap == 1] = mixed[name][::-1][:, swap == 1]
            # GLEU's limit for many random references, which samples use.
            first, second = score.system_scores(mixed, ones, "expected").score
            assert second - first == pytest.approx(difference)


def test_a_mean_of_sentences_is_swapped_as_well() -> None:
    scores = GENERATOR.random((2, N_SENTENCES))
    swaps = Swaps(N_SENTENCES, 4, 1)
    differences = swapped_differences("of_a_user", scores, {}, swaps, [(0, 1)])
    for swap, (difference,) in zip(next(iter(swaps)), differences, strict=True):
        first, second = np.where(swap, scores[::-1], scores)
        assert second.mean() - first.mean() == pytest.approx(difference)


def test_pairs_stand_once_and_are_a_family() -> None:
    # A has a higher score than B in every sentence; C equals B.
    b = np.tile([0.25, 0.5], 15)
    sentences = np.stack([b + 0.25, b, b])
    samples = sentences[:, GENERATOR.integers(0, 30, (200, 30))].mean(axis=2).T
    system_scores = SystemScores(sentences.mean(axis=1), samples)
    tests = [*pair_tests("of_a_user", sentences, {}, system_scores, Swaps(30, 10_000, 1))]
    assert [test[:3] for test in tests] == [(0, 1, 0.25), (0, 2, 0.25), (1, 2, 0)]
    least = 1 / 10_001
    assert [test.p_value for test in tests] == pytest.approx([least, least, 1])
    # Two of three tests have the smallest possible p-value. Benjamini and Hochberg multiply it by 3
    # / 2. Holm multiplies by 3, then by 2, but a p-value never decreases.
    assert [test.q_value for test in tests] == pytest.approx([1.5 * least, 1.5 * least, 1])
    assert [test.p_holm for test in tests] == pytest.approx([3 * least, 3 * least, 1])
    # C minus B is 0 in all samples, so there is no interval.
    assert np.isnan([tests[2].ci_low, tests[2].ci_high]).all()


def test_of_nineteen_sentences_there_is_the_difference_alone() -> None:
    sentences = np.stack([np.ones(19), np.zeros(19)])
    system_scores = SystemScores(np.array([1.0, 0.0]), np.ones((10, 2)))
    (test,) = pair_tests("of_a_user", sentences, {}, system_scores, Swaps(19, 10_000, 1))
    assert test[:3] == (0, 1, 1)
    assert np.isnan(test[3:]).all()
