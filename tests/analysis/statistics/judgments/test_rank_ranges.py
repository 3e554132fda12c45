"""Rank ranges and clusters, by hand."""

import numpy as np
import pytest

from maege.analysis.statistics.judgments.rank_ranges import (
    competition_ranks,
    ranking,
    simultaneous_ranking,
)


def test_ranks_share_the_better_place_and_nan_is_last() -> None:
    scores = [[0.5, 0.7, 0.5, np.nan], [1.0, 1.0, 1.0, 1.0]]
    assert competition_ranks(scores).tolist() == [[2, 1, 2, 4], [1, 1, 1, 1]]


def test_ranges_drop_the_outermost_runs_on_each_side() -> None:
    # 40 runs drop ceil((40 - 38) / 2) = 1 on each side. System 0 is beaten by 1 in one run, which
    # is dropped; 2 and 3 change places in ten runs.
    runs = np.tile([4.0, 3.0, 2.0, 1.0], (40, 1))
    runs[0, :2] = [3.0, 4.0]
    runs[30:, 2:] = [1.0, 2.0]
    found = ranking(runs)
    assert found.rank.tolist() == [1, 2, 3, 4]
    assert found.rank_low.tolist() == [1, 2, 3, 3]
    assert found.rank_high.tolist() == [1, 2, 4, 4]
    assert found.cluster.tolist() == [1, 2, 3, 3]
    assert found.score == pytest.approx([3.975, 3.025, 1.75, 1.25])


def test_200_runs_lose_five_on_each_side() -> None:
    runs = np.tile([2.0, 1.0], (200, 1))
    runs[:5] = [1.0, 2.0]
    assert ranking(runs).rank_high.tolist() == [1, 2]
    runs[:6] = [1.0, 2.0]
    assert ranking(runs).rank_high.tolist() == [2, 2]
    assert ranking(runs).cluster.tolist() == [1, 1]


def test_wide_range_above_keeps_a_cluster_together() -> None:
    # The first system by score is third in four runs of ten, although the second is always second:
    # nothing separates the first two from the third.
    runs = np.array([[9.0, 2.0, 1.0]] * 6 + [[0.5, 2.0, 3.0]] * 4)
    found = ranking(runs, level=0.8)
    assert found.rank_low.tolist() == [1, 2, 1]
    assert found.rank_high.tolist() == [3, 2, 3]
    assert found.cluster.tolist() == [1, 1, 1]


def test_scores_of_ones_own_decide_the_rank() -> None:
    runs = np.tile([2.0, 1.0], (40, 1))
    found = ranking(runs, scores=[0.1, 0.9])
    assert found.score.tolist() == [0.1, 0.9]
    assert found.rank.tolist() == [2, 1]
    assert found.rank_low.tolist() == [1, 2]


def test_runs_without_a_score_are_left_out_of_a_range() -> None:
    # System 2 is best in the ten runs that it has a score in, of which one is dropped on each side.
    runs = np.tile([3.0, 2.0, np.nan], (40, 1))
    runs[:10, 2] = 4.0
    found = ranking(runs, scores=[3.0, 2.0, 1.0])
    assert found.rank_low.tolist() == [1, 2, 1]
    assert found.rank_high.tolist() == [2, 3, 1]


def test_a_system_with_a_score_in_too_few_runs_may_have_any_rank() -> None:
    runs = np.tile([3.0, 2.0, np.nan], (40, 1))
    runs[:2, 2] = 1.0
    found = ranking(runs, scores=[3.0, 2.0, 1.0])
    assert (found.rank_low[2], found.rank_high[2]) == (1, 3)
    assert found.cluster.tolist() == [1, 1, 1]


@pytest.mark.parametrize("n_runs", [1, 2])
def test_too_few_runs_to_drop_some_leave_every_rank_possible(n_runs: int) -> None:
    found = ranking([[2.0, 1.0, 0.0]] * n_runs)
    assert found.rank.tolist() == [1, 2, 3]
    assert (found.rank_low.tolist(), found.rank_high.tolist()) == ([1, 1, 1], [3, 3, 3])
    assert found.cluster.tolist() == [1, 1, 1]


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="found 0"):
        ranking(np.ones((0, 2)))
    with pytest.raises(ValueError, match="a level up to 1"):
        ranking(np.ones((40, 2)), level=1.5)
    with pytest.raises(ValueError, match="expected 2 scores"):
        ranking(np.ones((40, 2)), scores=[1])
    with pytest.raises(ValueError, match="found \\(2,\\)"):
        ranking([1.0, 2.0])


def test_ranges_of_ranks_that_hold_at_once_by_hand() -> None:
    # Two systems that always differ by 1 -+ .1 stand apart, the third is anywhere.
    samples = np.array([[1.0, 0.0, 0.5], [1.1, 0.0, -1.0], [0.9, 0.0, 2.0], [1.0, 0.0, 0.5]])
    found = simultaneous_ranking(samples, [1.0, 0.0, 0.5])
    assert found.rank.tolist() == [1, 3, 2]
    assert found.rank_low.tolist() == [1, 2, 1]
    assert found.rank_high.tolist() == [2, 3, 3]
    assert found.cluster.tolist() == [1, 1, 1]


def test_systems_without_a_score_or_a_difference_are_told_from_none() -> None:
    samples = np.array([[1.0, np.nan, 1.0], [2.0, np.nan, 2.0], [3.0, np.nan, 3.0]])
    found = simultaneous_ranking(samples, [2.0, np.nan, 2.0])
    assert found.rank_low.tolist() == [1, 1, 1]
    assert found.rank_high.tolist() == [3, 3, 3]


def test_equal_systems_are_rarely_told_apart() -> None:
    # 12 equal systems, as many judged sentences as may be: of 200 sets .05 have disjoint ranges.
    generator = np.random.default_rng(1)
    disjoint = 0
    for _ in range(200):
        scores = generator.normal(size=12)
        found = simultaneous_ranking(generator.normal(scores, size=(400, 12)), scores)
        disjoint += bool(found.rank_low.max() > found.rank_high.min())
    assert disjoint / 200 < 0.1
