"""Expected Wins and ranges of ranks."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from human_rankings import GJG15_SYSTEMS, gjg15_pairs, seeda_pairs
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.statistics.judgments import (
    competition_ranks,
    expected_wins,
    expected_wins_of_samples,
    judgment_counts,
    ranking,
    redrawn_pairs,
    resampled_counts,
    sentence_counts,
    simultaneous_ranking,
    undecided_opponents,
)
from maege.analysis.statistics.resampling import cluster_weights

# The value of the fixture printed.
Printed = Callable[[str, str, str], dict[str, float]]

# --- Expected Wins and its counts: by hand, and as printed in GJG15 and SEEDA ---

# Systems 0, 1, 2: 0 beats 1 twice, loses to 1 once and ties with 2 twice. 1 beats 2 once. 0 and 2
# have only ties.
FIRST = [0, 1, 0, 0, 2, 1]
SECOND = [1, 0, 1, 2, 0, 2]
PREFERENCE = [1, 1, 1, 0, 0, 1]

judgment_rows = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 2), st.integers(-1, 1)).filter(
        lambda row: row[1] != row[2]
    ),
    max_size=40,
)


def test_counts_and_expected_wins_by_hand() -> None:
    counts = judgment_counts(FIRST, SECOND, PREFERENCE, 3)
    assert counts.wins.tolist() == [[0, 2, 0], [1, 0, 1], [0, 0, 0]]
    assert counts.ties.tolist() == [[0, 0, 2], [0, 0, 0], [2, 0, 0]]

    wins, _ = judgment_counts(FIRST, SECOND, PREFERENCE, 3)
    # System 0: (2/3 + 0) / 2; system 1: (1/3 + 1) / 2; system 2: (0 + 0) / 2.
    assert expected_wins(wins) == pytest.approx([1 / 3, 2 / 3, 0])
    assert undecided_opponents(wins).tolist() == [1, 0, 1]


@given(judgment_rows)
def test_samples_are_scored_as_if_their_judgments_were_repeated(
    rows: list[tuple[int, int, int, int]],
) -> None:
    sentence, first, second, preference = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    counts = sentence_counts(sentence, first, second, preference, 5, 4)
    weights = cluster_weights(5, 6, 1)
    resampled = resampled_counts(counts, weights)
    for sample, sample_weights in enumerate(weights.astype(int)):
        times = sample_weights[sentence]
        repeated_counts = judgment_counts(
            np.repeat(first, times), np.repeat(second, times), np.repeat(preference, times), 4
        )
        np.testing.assert_array_equal(resampled.wins[sample], repeated_counts.wins)
        np.testing.assert_array_equal(resampled.ties[sample], repeated_counts.ties)
        np.testing.assert_array_equal(
            expected_wins(resampled.wins)[sample], expected_wins(repeated_counts.wins)
        )


def test_gjg15_is_table_3b_to_rounding(shared: Path, printed: Printed) -> None:
    pairs = gjg15_pairs(shared)
    assert pairs.preference.size == 109_098
    assert (pairs.preference == 0).sum() == 59_117
    scores = dict(zip(GJG15_SYSTEMS, expected_wins(pairs.counts(13).wins), strict=True))
    # SJTU has .46338 and UFC .51347: every score rounds to the printed one, or differs by .0005.
    table = printed("gjg15", "table_3b", "expected_wins")
    assert scores == pytest.approx(table, abs=5.5e-4)
    assert sorted(scores, key=lambda name: -scores[name]) == list(table)


def test_gjg15_prints_the_ranges_of_a_bootstrap_of_pairs(shared: Path, printed: Printed) -> None:
    counts = gjg15_pairs(shared).counts(13)
    samples = expected_wins(redrawn_pairs(counts, 1000, seed=1).wins)
    ranks = ranking(samples, scores=expected_wins(counts.wins))
    ranges = dict(
        zip(GJG15_SYSTEMS, zip(ranks.rank_low, ranks.rank_high, strict=True), strict=True)
    )
    low, high = (printed("gjg15", "table_3b", f"rank_{end}") for end in ("low", "high"))
    table = {name: (low[name], high[name]) for name in GJG15_SYSTEMS}
    for name, published in table.items():
        # Whether 2.5 % of the samples have a rank is random if the true share is about 2.5 %.
        assert np.abs(np.array(ranges[name]) - published).max() <= 1, name
    exact = [name for name, published in table.items() if ranges[name] == published]
    assert len(exact) >= 9


@pytest.mark.parametrize("kind", ["edit", "sent"])
def test_seeda_is_the_published_score_within_a_thousandth(shared: Path, kind: str) -> None:
    pairs = seeda_pairs(shared, kind)
    assert pairs.preference.size == 33_544
    published = np.loadtxt(shared / f"data/human/seeda/scores/EW_{kind}.txt")
    np.testing.assert_allclose(expected_wins(pairs.counts(15).wins), published, atol=9e-4)


def test_samples_that_decide_nothing_about_a_system_have_no_score_of_it() -> None:
    # System 0 beat 1 once and was compared with no other system. The second sample is empty.
    wins = np.zeros((2, 3, 3))
    wins[0, 0, 1] = 1
    wins_of_samples = expected_wins_of_samples(wins)
    np.testing.assert_array_equal(wins_of_samples, [[0.5, 0, np.nan], [np.nan] * 3])


# --- Rank ranges and clusters, by hand ---


def test_ranks_share_the_better_place_and_nan_is_last() -> None:
    scores = [[0.5, 0.7, 0.5, np.nan], [1.0, 1.0, 1.0, 1.0]]
    assert competition_ranks(scores).tolist() == [[2, 1, 2, 4], [1, 1, 1, 1]]


def test_ranges_drop_the_outermost_runs_on_each_side() -> None:
    # With 40 runs, ceil((40 - 38) / 2) = 1 rank is dropped on each side. System 1 beats 0 in one
    # run, which is dropped. Systems 2 and 3 swap ranks in ten runs.
    runs = np.tile([4.0, 3.0, 2.0, 1.0], (40, 1))
    runs[0, :2] = [3.0, 4.0]
    runs[30:, 2:] = [1.0, 2.0]
    ranks = ranking(runs)
    assert ranks.rank.tolist() == [1, 2, 3, 4]
    assert ranks.rank_low.tolist() == [1, 2, 3, 3]
    assert ranks.rank_high.tolist() == [1, 2, 4, 4]
    assert ranks.cluster.tolist() == [1, 2, 3, 3]
    assert ranks.score == pytest.approx([3.975, 3.025, 1.75, 1.25])


def test_wide_range_above_keeps_a_cluster_together() -> None:
    # The first system by score is third in four of ten runs, although the second is always second.
    # Therefore the first two are not separated from the third.
    runs = np.array([[9.0, 2.0, 1.0]] * 6 + [[0.5, 2.0, 3.0]] * 4)
    ranks = ranking(runs, level=0.8)
    assert ranks.rank_low.tolist() == [1, 2, 1]
    assert ranks.rank_high.tolist() == [3, 2, 3]
    assert ranks.cluster.tolist() == [1, 1, 1]


def test_missing_scores_in_some_runs_by_hand() -> None:
    # System 2 is best in the ten runs with a score; one of them is dropped on each side.
    runs = np.tile([3.0, 2.0, np.nan], (40, 1))
    runs[:10, 2] = 4.0
    ranks = ranking(runs, scores=[3.0, 2.0, 1.0])
    assert ranks.rank_low.tolist() == [1, 2, 1]
    assert ranks.rank_high.tolist() == [2, 3, 1]

    runs = np.tile([3.0, 2.0, np.nan], (40, 1))
    runs[:2, 2] = 1.0
    ranks = ranking(runs, scores=[3.0, 2.0, 1.0])
    assert (ranks.rank_low[2], ranks.rank_high[2]) == (1, 3)
    assert ranks.cluster.tolist() == [1, 1, 1]


@pytest.mark.parametrize("n_runs", [1, 2])
def test_too_few_runs_to_drop_some_leave_every_rank_possible(n_runs: int) -> None:
    ranks = ranking([[2.0, 1.0, 0.0]] * n_runs)
    assert ranks.rank.tolist() == [1, 2, 3]
    assert (ranks.rank_low.tolist(), ranks.rank_high.tolist()) == ([1, 1, 1], [3, 3, 3])
    assert ranks.cluster.tolist() == [1, 1, 1]


def test_ranges_of_ranks_that_hold_at_once_by_hand() -> None:
    # Two systems whose difference is always 1 +- .1 are separated. The third may have any rank.
    samples = np.array([[1.0, 0.0, 0.5], [1.1, 0.0, -1.0], [0.9, 0.0, 2.0], [1.0, 0.0, 0.5]])
    ranks = simultaneous_ranking(samples, [1.0, 0.0, 0.5])
    assert ranks.rank.tolist() == [1, 3, 2]
    assert ranks.rank_low.tolist() == [1, 2, 1]
    assert ranks.rank_high.tolist() == [2, 3, 3]
    assert ranks.cluster.tolist() == [1, 1, 1]


def test_systems_without_score_or_difference_are_tied_with_all() -> None:
    samples = np.array([[1.0, np.nan, 1.0], [2.0, np.nan, 2.0], [3.0, np.nan, 3.0]])
    ranks = simultaneous_ranking(samples, [2.0, np.nan, 2.0])
    assert ranks.rank_low.tolist() == [1, 1, 1]
    assert ranks.rank_high.tolist() == [3, 3, 3]
