"""TrueSkill."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from human_rankings import GJG15_SYSTEMS, gjg15_pairs, seeda_pairs
from scipy import stats

from maege.analysis.statistics.judgments import (
    JudgmentCounts,
    judgment_counts,
    ranking,
    resampled_counts,
    sentence_counts,
)
from maege.analysis.statistics.trueskill import (
    trueskill_resamples,
    trueskill_runs,
    update_ratings,
)

# --- TrueSkill: one update as the original program prints it, and whole runs on GJG15 and SEEDA ---

# Mean and variance of a skill.
Rating = tuple[float, float]
STRONG, WEAK = (0.3, 0.25), (-0.1, 0.16)


def updated(first: Rating, second: Rating, preference: int, beta: float) -> list[Rating]:
    mu, variance = np.array([first, second]).T.copy()
    update_ratings(mu, variance, 0, 1, preference, beta)
    return [*zip(mu.tolist(), variance.tolist(), strict=True)]


# Two players of mu .3 and -.1, sigma .5 and .4, beta .7, tau 0 and draw probability .25, as the
# package trueskill 0.4.5 rates them. It approximates erfc to seven digits.
@pytest.mark.parametrize(
    ("preference", "first", "second"),
    [
        (1, (0.4596271, 0.2220914), (-0.2021614, 0.1485686)),
        (0, (0.2297569, 0.2060969), (-0.0550444, 0.1420173)),
        (-1, (0.0412748, 0.2163529), (0.0655841, 0.1462182)),
    ],
)
def test_update_is_that_of_the_original_program(
    preference: int, first: tuple[float, float], second: tuple[float, float]
) -> None:
    ratings = updated(STRONG, WEAK, preference, beta=0.7)
    assert ratings[0] == pytest.approx(first, abs=3e-7)
    assert ratings[1] == pytest.approx(second, abs=3e-7)


def test_update_by_hand_where_both_are_equal() -> None:
    # c^2 = 2 + 1/4 + 1/4, t = 0 and e = Phi^-1(.625) sqrt(2) / c; v = phi(e) / (1 - Phi(e)).
    scale = math.sqrt(2.5)
    width = stats.norm.ppf(0.625) * math.sqrt(2) / scale
    v = stats.norm.pdf(width) / stats.norm.sf(width)
    better, worse = updated((0, 0.25), (0, 0.25), 1, beta=1)
    variance = 0.25 * (1 - v * (v - width) * 0.25 / 2.5)
    assert better == pytest.approx((v * 0.25 / scale, variance), rel=1e-12)
    assert worse == pytest.approx((-v * 0.25 / scale, variance), rel=1e-12)


def test_run_of_one_judgment_is_two_wins_in_a_row() -> None:
    # One pair gives N = 2 matches, both between the same systems with the same outcome, and beta =
    # .5 * 2 / 40.
    mus = trueskill_runs(judgment_counts([0], [1], [-1], 2), 3, seed=1)
    after_one = updated((0, 0.25), (0, 0.25), -1, beta=0.025)
    after_two = updated(after_one[0], after_one[1], -1, beta=0.025)
    assert mus == pytest.approx(np.array([[after_two[0][0], after_two[1][0]]] * 3), rel=1e-12)


def test_ties_and_systems_without_judgments_by_hand() -> None:
    mus = trueskill_runs(judgment_counts([0, 1, 0], [1, 2, 2], [0, 0, 0], 3), 5, seed=1)
    assert mus == pytest.approx(np.zeros((5, 3)), abs=1e-12)

    three_systems = trueskill_runs(judgment_counts([0, 0, 1], [1, 2, 2], [1, 1, 1], 3), 4, seed=7)
    four_systems = trueskill_runs(judgment_counts([0, 0, 1], [1, 2, 2], [1, 1, 1], 4), 4, seed=7)
    np.testing.assert_array_equal(four_systems[:, :3], three_systems)
    assert np.isnan(four_systems[:, 3]).all()


def test_seed_decides_everything_and_more_runs_or_threads_nothing() -> None:
    counts = judgment_counts([0, 0, 1, 2, 1], [1, 2, 2, 0, 0], [1, 1, 0, -1, 1], 3)
    runs = trueskill_runs(counts, 20, seed=3)
    np.testing.assert_array_equal(trueskill_runs(counts, 7, seed=3), runs[:7])
    np.testing.assert_array_equal(trueskill_runs(counts, 20, seed=3, threads=3), runs)
    assert (trueskill_runs(counts, 20, seed=4) != runs).any()


def test_sample_is_a_run_on_its_own_judgments() -> None:
    counts = sentence_counts([0, 0, 1, 2], [0, 1, 0, 1], [1, 2, 2, 2], [1, 0, 1, 1], 3, 3)
    resampled = resampled_counts(counts, np.array([[1, 1, 1], [3, 0, 0], [0, 1, 2]], dtype=float))
    mus = trueskill_resamples(resampled, seed=5)
    assert mus.shape == (3, 3)
    everything = JudgmentCounts(counts.wins.sum(axis=0), counts.ties.sum(axis=0))
    np.testing.assert_array_equal(mus[0], trueskill_runs(everything, 1, seed=5)[0])
    # In the last sample 1 beats 2 twice and 0 beats 2 once; 0 and 1 were not compared.
    assert mus[2, 2] < min(mus[2, 0], mus[2, 1])
    # In the second sample 0 beats 1, and 1 ties 2.
    assert mus[1, 0] > mus[1, 1]


def test_gjg15_is_table_3c_over_200_runs(
    shared: Path, printed: Callable[[str, str, str], dict[str, float]]
) -> None:
    table = printed("gjg15", "table_3c", "trueskill")
    mus = trueskill_runs(gjg15_pairs(shared).counts(13), 200, seed=1)
    means = dict(zip(GJG15_SYSTEMS, mus.mean(axis=0), strict=True))
    # One run has a standard deviation of about .01, the mean of 200 one of .0008.
    assert means == pytest.approx(table, abs=3e-3)
    assert 0.008 < mus.std(axis=0).mean() < 0.014
    ranks = ranking(mus)
    clusters = dict(zip(GJG15_SYSTEMS, ranks.cluster.tolist(), strict=True))
    best_first = [clusters[name] for name in sorted(table, key=lambda name: -table[name])]
    assert best_first == [1, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 6]


@pytest.mark.parametrize("kind", ["edit", "sent"])
def test_seeda_is_the_published_score_within_three_thousandths(shared: Path, kind: str) -> None:
    published = np.loadtxt(shared / f"data/human/seeda/scores/TS_{kind}.txt")
    mus = trueskill_runs(seeda_pairs(shared, kind).counts(15), 200, seed=1)
    np.testing.assert_allclose(mus.mean(axis=0), published, atol=3e-3)


def test_samples_without_a_judgment_have_no_skill_and_change_no_other_sample() -> None:
    wins, none = np.array([[0.0, 3.0], [1.0, 0.0]]), np.zeros((2, 2))
    full_skills = trueskill_resamples(
        JudgmentCounts(np.stack([wins] * 3), np.zeros((3, 2, 2))), seed=1
    )
    gap = JudgmentCounts(np.stack([wins, none, wins]), np.zeros((3, 2, 2)))
    skills = trueskill_resamples(gap, seed=1)
    assert np.isnan(skills[1]).all()
    np.testing.assert_array_equal(skills[[0, 2]], full_skills[[0, 2]])
