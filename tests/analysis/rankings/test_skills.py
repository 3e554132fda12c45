"""TrueSkill of a metric's sentence scores, from tables small enough for results by hand."""

from itertools import combinations

import numpy as np
import pytest

from maege.analysis.rankings import human_scores
from maege.analysis.rankings.judged import Judged, ScoredSet
from maege.analysis.statistics.judgments import JudgmentCounts
from maege.analysis.statistics.trueskill import trueskill_runs

# Systems a, b and c on four sentences. On the second sentence, a and b differ only by the order of
# summation.
SCORES = np.array([[0.9, 0.3, 0.5, 0.1], [0.2, 0.1 + 0.2, 0.6, 0.1], [0.2, 0.1, 0.4, 0.1]])


def test_preferences_are_counted_by_sentence_and_sums_in_another_order_tie() -> None:
    wins, ties = human_scores.preference_counts(SCORES)
    # a beats b on the first sentence and b beats a on the third. The other two sentences are ties.
    assert wins.tolist() == [[0, 1, 3], [1, 0, 2], [0, 0, 0]]
    assert ties.tolist() == [[0, 2, 1], [2, 0, 2], [1, 2, 0]]


def test_skills_are_those_of_judges_with_the_same_preferences() -> None:
    wins, ties = np.zeros((3, 3)), np.zeros((3, 3))
    for sentence in SCORES.T.round(9):
        for first, opponent in combinations(range(3), 2):
            if sentence[first] == sentence[opponent]:
                ties[first, opponent] += 1
                ties[opponent, first] += 1
            else:
                better, worse = sorted((first, opponent), key=lambda system: -sentence[system])
                wins[better, worse] += 1
    played = trueskill_runs(JudgmentCounts(wins, ties), human_scores.RUNS, seed=5)
    assert human_scores.metric_skills(SCORES, seed=5).tolist() == played.mean(axis=0).tolist()


def test_who_is_better_on_every_sentence_is_ranked_first() -> None:
    first, second, third = human_scores.metric_skills(
        np.array([[3.0] * 9, [2.0] * 9, [1.0] * 9]), seed=1
    )
    assert first > second + 0.1 > third + 0.2
    # Wins and losses of two systems against each other add up to the same for both.
    assert human_scores.metric_skills(
        np.array([[1.0] * 9, [0.0] * 9]), seed=1
    ).sum() == pytest.approx(0)


def test_many_sentences_are_played_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def runs(counts: JudgmentCounts, n_runs: int, seed: int, threads: int) -> np.ndarray:
        played.append(n_runs)
        return trueskill_runs(counts, 1, seed, threads)

    monkeypatch.setattr(human_scores, "trueskill_runs", runs)
    for n_sentences in (4, 391, 200_000):
        human_scores.metric_skills(np.zeros((15, n_sentences)), seed=1)
    # 105 pairs per sentence: 400,000 matches are 9.7 runs of 391 sentences.
    assert played == [20, 10, 1]


def test_unscored_sentences_and_unjudged_systems_play_no_match() -> None:
    none = np.zeros(0, np.int64)
    judgments = Judged(
        "corpus", "set", ["a", "b", "c"], none, none, none, none, none > 0, none, none
    )
    scores = np.array([[9.0, 1, 5], [np.nan, 2, 6], [0, 3, 9]])
    metric = ScoredSet("references", "metric", ["a", "b", "x"], scores)
    skills = human_scores.MetricSkills(seed=1).estimate(
        metric, judgments, np.array([True, True, False])
    )
    assert skills.keys() == {"a", "b"}
    assert skills["b"] > 0 > skills["a"]
    # b has no score of the first sentence, and no other sentence was judged.
    unscored = human_scores.MetricSkills(seed=1).estimate(
        metric, judgments, np.array([True, False, False])
    )
    assert np.isnan(list(unscored.values())).all()
