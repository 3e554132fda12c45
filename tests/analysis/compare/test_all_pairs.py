"""Every two systems, by hand and by brute force."""

import numpy as np
import pytest

from maege.analysis.compare.inference.all_pairs import pair_tests
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores.score import SummedScore, SystemScores
from maege.analysis.statistics.randomisation import Swaps
from maege.analysis.system_scores import swapped_differences

GENERATOR = np.random.default_rng(5)
N_SENTENCES = 30


def statistics_of(metric: str) -> dict[str, FloatArray]:
    """Return counts of three systems with two references, as likely as any."""
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
    found = swapped_differences(
        metric, np.zeros((3, N_SENTENCES)), statistics, swaps, [(0, 1), (1, 2)]
    )
    score = METRICS[metric].score
    assert isinstance(score, SummedScore)
    ones = np.ones((1, N_SENTENCES), np.uint8)
    for swap, (of_first, of_second) in zip(next(iter(swaps)), found, strict=True):
        for (a, b), difference in (((0, 1), of_first), ((1, 2), of_second)):
            mixed = {}
            for name, values in statistics.items():
                mixed[name] = values[[a, b]]
                mixed[name][:, swap == 1] = mixed[name][::-1][:, swap == 1]
            # GLEU's limit, which is what samples have.
            first, second = score.system_scores(mixed, ones, "expected").score
            assert second - first == pytest.approx(difference)


def test_a_mean_of_sentences_is_swapped_as_well() -> None:
    scores = GENERATOR.random((2, N_SENTENCES))
    swaps = Swaps(N_SENTENCES, 4, 1)
    found = swapped_differences("of_a_user", scores, {}, swaps, [(0, 1)])
    for swap, (difference,) in zip(next(iter(swaps)), found, strict=True):
        first, second = np.where(swap, scores[::-1], scores)
        assert second.mean() - first.mean() == pytest.approx(difference)


def test_pairs_stand_once_and_are_a_family() -> None:
    # A is above B in every sentence, C is B.
    b = np.tile([0.25, 0.5], 15)
    sentences = np.stack([b + 0.25, b, b])
    samples = sentences[:, GENERATOR.integers(0, 30, (200, 30))].mean(axis=2).T
    of_systems = SystemScores(sentences.mean(axis=1), samples)
    found = [*pair_tests("of_a_user", sentences, {}, of_systems, Swaps(30, 10_000, 1))]
    assert [each[:3] for each in found] == [(0, 1, 0.25), (0, 2, 0.25), (1, 2, 0)]
    least = 1 / 10_001
    assert [each.p_value for each in found] == pytest.approx([least, least, 1])
    # Two of three are as sure as can be: times 3 / 2; Holm: times 3, then 2 but never less.
    assert [each.q_value for each in found] == pytest.approx([1.5 * least, 1.5 * least, 1])
    assert [each.p_holm for each in found] == pytest.approx([3 * least, 3 * least, 1])
    # All samples of C less B are 0: no interval is so sure.
    assert np.isnan([found[2].ci_low, found[2].ci_high]).all()


def test_of_nineteen_sentences_there_is_the_difference_alone() -> None:
    sentences = np.stack([np.ones(19), np.zeros(19)])
    of_systems = SystemScores(np.array([1.0, 0.0]), np.ones((10, 2)))
    (found,) = pair_tests("of_a_user", sentences, {}, of_systems, Swaps(19, 10_000, 1))
    assert found[:3] == (0, 1, 1)
    assert np.isnan(found[3:]).all()
