"""Rows of the marts of rankings."""

import math

import numpy as np
import pytest

from maege.analysis.rankings import human_scores
from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.rankings.correlations import Draws, correlation_rows
from maege.analysis.rankings.human_scores import human_score_rows, kappa_rows
from maege.analysis.rankings.judged import (
    NO_REFERENCES,
    CorpusScores,
    HumanScores,
    Judged,
    ScoredSet,
    compact,
)
from maege.analysis.rankings.significance import Resampling, significance_rows
from maege.analysis.statistics.judgments import JudgmentCounts
from maege.analysis.statistics.resampling import cluster_weights

# --- Rows of the marts about human rankings, from arrays small enough for results by hand ---

SYSTEMS = ["a", "b", "c", "d"]
N_SENTENCES = 3
# Sentence 0: a is better than b, and c ties d. Sentence 1: b is better than c, and a and d have the
# same output.
JUDGED = Judged(
    "corpus",
    "set",
    SYSTEMS,
    sentence=np.array([0, 0, 1, 1]),
    first=np.array([0, 2, 1, 0]),
    second=np.array([1, 3, 2, 3]),
    preference=np.array([1, 0, 1, 0]),
    is_same_output=np.array([False, False, False, True]),
    judge=np.array([0, 0, 1, 1]),
    output_pair=np.arange(4),
)
WEIGHTS = cluster_weights(N_SENTENCES, 40, seed=1)
# The metric agrees about a and b, ties b and c, and orders c and d, which the judge ties.
GOOD = ScoredSet(
    "references", "good", SYSTEMS, np.array([[3.0, 5, 0], [2, 4, 0], [1, 4, 0], [0, 5, 0]])
)
BAD = ScoredSet("references", "bad", SYSTEMS, -GOOD.scores)
CONSTANT = ScoredSet(NO_REFERENCES, "constant", SYSTEMS, np.ones((4, N_SENTENCES)))
HUMAN = HumanScores(
    "base",
    "expected_wins",
    SYSTEMS,
    np.array([4.0, 3, 2, 1]),
    np.tile([4.0, 3, 2, 1], (40, 1)),
    np.zeros((2, 0, 4)),
)


def corpus_scores() -> CorpusScores:
    return CorpusScores("corpus", {}, WEIGHTS, "expected")


def test_agreement_leaves_out_equal_outputs_and_counts_ties_by_rule() -> None:
    rows = {
        (row["metric"], row["tie_rule"]): row
        for row in agreement_rows(JUDGED, [GOOD, BAD], WEIGHTS, 0.95, 1)
        if row["unit"] == "outputs"
    }
    assert len(rows) == 8
    ties_wrong, half = rows["good", "ties_wrong"], rows["good", "ties_half"]
    assert (ties_wrong["n_pairs"], ties_wrong["n_concordant"], ties_wrong["n_tied"]) == (2, 1, 1)
    assert (ties_wrong["accuracy"], half["accuracy"]) == (0.5, 0.75)
    # If all differences of 1 count as ties, only the pair of c and d is correct.
    assert rows["good", "acc_eq"]["accuracy"] == pytest.approx(1 / 3)
    assert rows["bad", "ties_wrong"]["n_discordant"] == 1
    # Two pairs give only an estimate.
    assert ties_wrong["too_few"] == "sentences"
    assert not {"ci_low", "chance_median"} & set(ties_wrong)


def test_a_pair_without_a_score_is_left_out() -> None:
    lacks_one = GOOD._replace(scores=np.where([True, False, True], GOOD.scores, np.nan))
    rows = agreement_rows(JUDGED, [lacks_one], WEIGHTS, 0.95, 1)
    assert [row["n_pairs"] for row in rows] == [1, 1, 1, 2] * 2


def test_correlations_are_of_judged_sentences_and_of_all() -> None:
    rows = list(
        correlation_rows(
            [JUDGED],
            {("corpus", "set"): [HUMAN]},
            [GOOD, BAD, CONSTANT],
            corpus_scores(),
            Draws(0.95, 1),
        )
    )
    base_rows = {
        (row["metric"], row["sentence_set"]): row
        for row in rows
        if row["system_set"] == "base" and row["resampled"] == "both"
    }
    good, constant = base_rows["good", "judged"], base_rows["constant", "judged"]
    # Means over the two judged sentences, 4, 3, 2.5 and 2.5, and over all three.
    assert good["scores"] == [4, 3, 2.5, 2.5]
    assert base_rows["good", "all"]["scores"] == pytest.approx([8 / 3, 2, 5 / 3, 5 / 3])
    # Ranks 4, 3, 1.5, 1.5 and 4, 3, 2, 1: 1 - (.25 + .25) / 5 for the tie, over both spreads.
    assert good["spearman_rho"] == pytest.approx(4.5 / np.sqrt(5 * 4.5))
    assert good["pearson_r"] == pytest.approx(2.5 / np.sqrt(5 * 1.5))
    bad = base_rows["bad", "judged"]
    assert bad["pearson_r"] == -good["pearson_r"]
    assert np.isnan(constant["pearson_r"])
    assert constant["reference_set"] == "references"
    # Four systems give only an estimate.
    assert good["too_few"] == "systems"
    assert not {"pearson_ci_low", "pearson_p_value", "chance_median"} & set(good)
    # The window of all four systems equals the set of all systems.
    windows = [
        row for row in rows if row["system_set"] == "base_window_0_3" and row["resampled"] == "both"
    ]
    # As text, because NaN does not equal itself.
    assert {str(row["pearson_r"]) for row in windows} == {
        str(row["pearson_r"]) for row in base_rows.values()
    }
    # By TrueSkill, a is far better or far worse than the others on the judged sentences. On all
    # sentences the value is NULL.
    assert good["trueskill_pearson_r"] > 0.5 > -0.5 > bad["trueskill_pearson_r"]
    assert np.isnan(base_rows["good", "all"]["trueskill_pearson_r"])
    assert np.isnan(constant["trueskill_pearson_r"])
    assert good["soft_pairwise_accuracy"] > bad["soft_pairwise_accuracy"]
    assert all(row["soft_pairwise_accuracy"] is None for row in windows)


def test_a_pair_of_metrics_has_a_row_a_test_and_few_systems_no_inference() -> None:
    rows = list(
        significance_rows(
            JUDGED, [HUMAN], [BAD, GOOD, CONSTANT], corpus_scores(), Resampling(0.95, 50, 1)
        )
    )
    assert [(row["metric_a"], row["metric_b"], row["test"]) for row in rows] == [
        (first, second, test)
        for test in ("williams", "perm_both")
        for first, second in (("bad", "constant"), ("bad", "good"), ("constant", "good"))
    ]
    with_constant, worse = rows[:2]
    assert with_constant["direction"] is None
    assert worse["direction"] == "b"
    assert worse["difference"] == pytest.approx(-2 * worse["estimate_b"])
    assert (worse["n"], worse["n_sentences"], worse["too_few"]) == (4, 2, "systems")
    assert np.isnan([row["p_value"] for row in rows]).all()
    assert np.isnan([row["q_value"] for row in rows]).all()


def test_enough_systems_have_tests_intervals_and_chance() -> None:
    generator = np.random.default_rng(1)
    systems = [f"system_{place:02}" for place in range(12)]
    human = HumanScores(
        "base",
        "expected_wins",
        systems,
        np.arange(12.0),
        generator.normal(np.arange(12.0), 0.1, size=(100, 12)),
        np.tile(np.arange(12.0), (2, 3, 1)),
    )
    first, second = (place.ravel() for place in np.triu_indices(12, 1))
    n_pairs = first.size
    judgments = Judged(
        "corpus",
        "set",
        systems,
        sentence=np.arange(n_pairs) % 30,
        first=first,
        second=second,
        preference=np.full(n_pairs, -1),
        is_same_output=np.zeros(n_pairs, np.bool_),
        judge=np.arange(n_pairs) % 2,
        output_pair=np.arange(n_pairs),
    )
    scores = generator.normal(np.arange(12.0)[:, np.newaxis], 0.1, size=(12, 30))
    close, noise = (
        ScoredSet("references", name, systems, values)
        for name, values in (
            ("close", scores),
            ("noise", generator.normal(np.tile([[1.0], [-1.0]], (6, 1)), size=(12, 30))),
        )
    )
    corpus_scores = CorpusScores("corpus", {}, cluster_weights(30, 100, seed=1), "expected")
    williams, perm_both = significance_rows(
        judgments, [human], [noise, close], corpus_scores, Resampling(0.95, 1000, 1)
    )
    for row in (williams, perm_both):
        assert row["direction"] == "a"
        assert row["p_value"] < 0.05
        assert row["q_value"] == row["p_value"]
        assert 0 < row["ci_low"] < row["difference"] < row["ci_high"]
    assert (williams["n_resamples"], perm_both["n_resamples"]) == (None, 1000)
    rows = correlation_rows(
        [judgments], {("corpus", "set"): [human]}, [close, noise], corpus_scores, Draws(0.95, 1)
    )
    base_rows = {
        (row["metric"], row["resampled"]): row
        for row in rows
        if row["system_set"] == "base" and row["sentence_set"] == "judged"
    }
    close_both, noise_both = base_rows["close", "both"], base_rows["noise", "both"]
    # None of 10,000 orders is as extreme. `systems` and `both` agree, and so do test and interval.
    assert close_both["pearson_p_value"] == pytest.approx(1 / 10_001)
    equal_columns = ("pearson_ci_low", "pearson_ci_high", "pearson_p_value", "spearman_p_value")
    for column in equal_columns:
        assert close_both[column] == base_rows["close", "systems"][column]
    assert close_both["chance_p_value"] == close_both["pearson_p_value"]
    assert base_rows["close", "judgments"]["chance_p_value"] is None
    assert noise_both["pearson_ci_low"] < 0 < noise_both["pearson_ci_high"]
    assert close_both["ceiling"] == pytest.approx(1)
    assert noise_both["pearson_p_value"] > 0.05
    assert noise_both["chance_low"] < -0.4 < 0.4 < noise_both["chance_high"]
    # There are few systems, so most of the uncertainty comes from them.
    width = {
        resampled: base_rows["noise", resampled]["pearson_ci_high"]
        - base_rows["noise", resampled]["pearson_ci_low"]
        for resampled in ("judgments", "both")
    }
    assert width["judgments"] < width["both"]
    assert "pearson_p_value" not in base_rows["close", "judgments"]
    sentence_rows = {
        (row["metric"], row["unit"]): row
        for row in agreement_rows(judgments, [close, noise], cluster_weights(30, 100, 1), 0.95, 1)
        if row["tie_rule"] == "ties_half"
    }
    close_row, noise_row = sentence_rows["close", "outputs"], sentence_rows["noise", "outputs"]
    assert close_row["accuracy"] > 0.9 > close_row["chance_high"]
    assert noise_row["chance_low"] < noise_row["accuracy"] < noise_row["chance_high"]
    assert close_row["chance_p_value"] < 0.01
    # No judge compared the other's outputs.
    assert close_row["ceiling"] is None


def test_pair_of_equal_outputs_counts_once() -> None:
    # Two judges compared a and b, whose outputs are equal, with c: both were better.
    judgments = Judged(
        "corpus",
        "set",
        ["a", "b", "c"],
        sentence=np.zeros(6, np.int64),
        first=np.array([0, 0, 1, 0, 0, 1]),
        second=np.array([1, 2, 2, 1, 2, 2]),
        preference=np.array([0, 1, 1, 0, -1, -1]),
        is_same_output=np.array([True, False, False, True, False, False]),
        judge=np.array([0, 0, 0, 1, 1, 1]),
        output_pair=np.array([0, 1, 1, 2, 3, 3]),
    )
    outputs = judgments.pairs_of_outputs()
    assert outputs.first.tolist() == [0, 0]
    assert outputs.preference.tolist() == [1, -1]
    assert len(judgments.different_outputs().first) == 4


def test_choices_of_the_same_systems_have_the_same_human_scores() -> None:
    choices = {"all": SYSTEMS, "again": SYSTEMS, "two": ["a", "b"], "unjudged": ["a", "c"]}
    rows = human_score_rows(JUDGED, choices, WEIGHTS, 0.95, runs=40, seed=1)
    rows_by_choice = {name: [row for row in rows if row["system_set"] == name] for name in choices}
    assert [len(rows_by_choice[name]) for name in choices] == [8, 8, 4, 0]
    for row_of_all, row_of_again in zip(
        rows_by_choice["all"], rows_by_choice["again"], strict=True
    ):
        assert row_of_all["score"] == row_of_again["score"]
        np.testing.assert_array_equal(row_of_all["samples"], row_of_again["samples"])
    wins = {
        row["system"]: row["score"]
        for row in rows_by_choice["two"]
        if row["method"] == "expected_wins"
    }
    assert wins == {"a": 1.0, "b": 0.0}


# --- Scores of systems over judged sentences, in samples that may contain none of them ---

SCORES = np.array([[0.0, 0.5, np.nan], [1.0, 1.0, np.nan]])
SCORED = ScoredSet("none", "own", ["a", "b"], SCORES)
DRAWN = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 3.0], [3.0, 0.0, 0.0]])
CORPUS_SCORES = CorpusScores("c", {}, DRAWN, "expected")


def test_samples_or_choices_without_scored_sentences_have_no_score() -> None:
    scores = CORPUS_SCORES.compute(SCORED, np.array([True, True, True]))
    assert scores.score.tolist() == [0.25, 1.0]
    np.testing.assert_array_equal(scores.samples, [[0.25, 1], [np.nan, np.nan], [0, 1]])

    scores = CORPUS_SCORES.compute(SCORED, np.array([False, False, True]))
    assert np.isnan(scores.score).all()
    assert np.isnan(scores.samples).all()
    assert scores.samples.shape == (3, 2)


# --- Rows of agreement between judges ---


def test_agreement_of_judges_by_hand() -> None:
    # Both judges judged two pairs of outputs and agree about one: P(A) = 1/2. Of the four
    # judgments, three prefer the first output and one the second: P(E) = 9/16 + 1/16, kappa = (1/2
    # - 5/8) / (3/8).
    rows = kappa_rows(["b", "a", "b", "a"], ["x", "x", "y", "y"], [1, 1, 1, -1])
    ((kind, first, second, compared, observed, expected, kappa),) = rows
    assert (kind, first, second, compared) == ("inter", "a", "b", 2)
    assert (observed, expected) == (0.5, 0.625)
    assert math.isclose(kappa, -1 / 3)

    assert kappa_rows(["a", "b"], ["x", "y"], [1, 1]) == []


# --- Statistics of judged systems in compact types keep every number exact ---


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([0, 7, 255], "uint8"),
        ([0, 256, 1409], "int16"),
        ([-1, 3, 40], "int16"),
        ([np.nan, 1, 2048], "float16"),
        # float16 cannot represent 2049, int16 cannot represent NaN.
        ([np.nan, 1, 2049], "float32"),
        ([0.5, 2, 3], "float16"),
        ([0.1, 2, 3], "float64"),
        ([0, 1, 2**24 + 1], "float64"),
        ([1.1472261658155404e42, 1, 0], "float64"),
    ],
)
def test_numbers_take_the_fewest_bytes_that_hold_them(numbers: list[float], kind: str) -> None:
    compacted = compact(np.array(numbers, np.float64))
    assert compacted.dtype == kind
    np.testing.assert_array_equal(compacted.astype(np.float64), numbers)


# --- TrueSkill of a metric's sentence scores ---

# Systems a, b and c on four sentences. On the second sentence, a and b differ only by the order of
# summation.
SENTENCE_SCORES = np.array([[0.9, 0.3, 0.5, 0.1], [0.2, 0.1 + 0.2, 0.6, 0.1], [0.2, 0.1, 0.4, 0.1]])


def test_preferences_are_counted_by_sentence_and_sums_in_another_order_tie() -> None:
    wins, ties = human_scores.preference_counts(SENTENCE_SCORES)
    # a beats b on the first sentence and b beats a on the third. The other two sentences are ties.
    assert wins.tolist() == [[0, 1, 3], [1, 0, 2], [0, 0, 0]]
    assert ties.tolist() == [[0, 2, 1], [2, 0, 2], [1, 2, 0]]


def test_many_sentences_are_played_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def runs(counts: JudgmentCounts, n_runs: int, *_: int) -> np.ndarray:
        played.append(n_runs)
        return np.zeros(counts.wins.shape)

    monkeypatch.setattr(human_scores, "trueskill_runs", runs)
    for n_sentences in (4, 13_700, 200_000):
        ties = n_sentences * (1.0 - np.eye(3))
        human_scores.metric_skills(JudgmentCounts(0 * ties, ties), seed=1)
    # Three pairs per sentence: 400,000 matches are 9.7 runs of 13,700 sentences.
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
