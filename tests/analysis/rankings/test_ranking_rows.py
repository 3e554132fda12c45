"""The rows of the marts about human rankings, from arrays small enough to work out by hand."""

import numpy as np
import pytest

from maege.analysis.rankings.agreement import agreement_rows
from maege.analysis.rankings.correlations import Draws, correlation_rows
from maege.analysis.rankings.human_scores import human_score_rows
from maege.analysis.rankings.judged import CHANCE, HumanScores, Judged, ScoredSet
from maege.analysis.rankings.scores import CorpusScores
from maege.analysis.rankings.significance import significance_rows
from maege.analysis.statistics.bootstrap import cluster_weights

SYSTEMS = ["a", "b", "c", "d"]
N_SENTENCES = 3
# Sentence 0: a before b, and c ties d; sentence 1: b before c, and a and d wrote the same.
JUDGED = Judged(
    "corpus",
    "set",
    SYSTEMS,
    sentence=np.array([0, 0, 1, 1]),
    first=np.array([0, 2, 1, 0]),
    second=np.array([1, 3, 2, 3]),
    preference=np.array([1, 0, 1, 0]),
    is_same_output=np.array([False, False, False, True]),
)
WEIGHTS = cluster_weights(N_SENTENCES, 40, seed=1)
# Agrees about a and b, ties b and c, and has a difference where the judge ties c and d.
GOOD = ScoredSet(
    "references", "good", SYSTEMS, np.array([[3.0, 5, 0], [2, 4, 0], [1, 4, 0], [0, 5, 0]])
)
BAD = ScoredSet("references", "bad", SYSTEMS, -GOOD.scores)
CONSTANT = ScoredSet(CHANCE, "constant", SYSTEMS, np.ones((4, N_SENTENCES)))
HUMAN = HumanScores(
    "base", "expected_wins", SYSTEMS, np.array([4.0, 3, 2, 1]), np.tile([4.0, 3, 2, 1], (40, 1))
)


def corpus_scores() -> CorpusScores:
    return CorpusScores("corpus", {}, WEIGHTS, "expected")


def test_agreement_leaves_out_equal_outputs_and_counts_ties_by_rule() -> None:
    found = {
        (row["metric"], row["tie_rule"]): row
        for row in agreement_rows(JUDGED, [GOOD, BAD], WEIGHTS, 0.95)
    }
    assert len(found) == 8
    wrong, half = found["good", "ties_wrong"], found["good", "ties_half"]
    assert (wrong["n_pairs"], wrong["concordant"], wrong["tied"]) == (2, 1, 1)
    assert (wrong["accuracy"], half["accuracy"]) == (0.5, 0.75)
    # Where all differences of 1 are ties, only that of c and d is right.
    assert found["good", "acc_eq"]["accuracy"] == pytest.approx(1 / 3)
    assert found["bad", "ties_wrong"]["discordant"] == 1


def test_a_pair_without_a_score_is_left_out() -> None:
    lacks_one = GOOD._replace(scores=np.where([True, False, True], GOOD.scores, np.nan))
    rows = agreement_rows(JUDGED, [lacks_one], WEIGHTS, 0.95)
    assert [row["n_pairs"] for row in rows] == [1, 1, 1, 2]


def test_correlations_are_of_judged_sentences_and_of_all() -> None:
    rows = list(
        correlation_rows(
            [JUDGED],
            {("corpus", "set"): [HUMAN]},
            [GOOD, BAD, CONSTANT],
            corpus_scores(),
            Draws(0.95, 20, 1),
        )
    )
    of_base = {
        (row["metric"], row["sentence_set"]): row for row in rows if row["system_set"] == "base"
    }
    good, constant = of_base["good", "judged"], of_base["constant", "judged"]
    # Means of the two judged sentences, 4, 3, 2.5 and 2.5, and of all three.
    assert good["scores"] == [4, 3, 2.5, 2.5]
    assert of_base["good", "all"]["scores"] == pytest.approx([8 / 3, 2, 5 / 3, 5 / 3])
    # Ranks 4, 3, 1.5, 1.5 beside 4, 3, 2, 1: 1 - (.25 + .25) / 5 for the tie, over both spreads.
    assert good["spearman_rho"] == pytest.approx(4.5 / np.sqrt(5 * 4.5))
    assert good["pearson_r"] == pytest.approx(2.5 / np.sqrt(5 * 1.5))
    assert of_base["bad", "judged"]["pearson_r"] == -good["pearson_r"]
    assert np.isnan(constant["pearson_r"])
    assert constant["reference_set"] == "references"
    assert constant["n_samples"] == 0
    # The window of all four systems is the choice itself.
    windows = [row for row in rows if row["system_set"] == "base_window_0_3"]
    # As text, since NaN is not equal to itself.
    assert {str(row["pearson_r"]) for row in windows} == {
        str(row["pearson_r"]) for row in of_base.values()
    }
    assert good["soft_pairwise_accuracy"] > of_base["bad", "judged"]["soft_pairwise_accuracy"]
    assert all(row["soft_pairwise_accuracy"] is None for row in windows)


def test_the_better_metric_comes_first_and_a_constant_one_not_at_all() -> None:
    once = CorpusScores("corpus", {}, np.ones((1, N_SENTENCES)), "expected")
    (row,) = significance_rows(JUDGED, [HUMAN], [BAD, GOOD, CONSTANT], once, 50, 1)
    assert (row["metric_a"], row["metric_b"]) == ("good", "bad")
    assert row["pearson_between"] == -1
    assert row["n_sentences"] == 2
    assert (row["cluster_a"], row["method"]) == (1, "expected_wins")


def test_choices_of_the_same_systems_have_the_same_human_scores() -> None:
    choices = {"all": SYSTEMS, "again": SYSTEMS, "two": ["a", "b"], "unjudged": ["a", "c"]}
    rows = human_score_rows(JUDGED, choices, WEIGHTS, 0.95, runs=40, seed=1)
    of_set = {name: [row for row in rows if row["system_set"] == name] for name in choices}
    assert [len(of_set[name]) for name in choices] == [8, 8, 4, 0]
    for one, other in zip(of_set["all"], of_set["again"], strict=True):
        assert one["score"] == other["score"]
        np.testing.assert_array_equal(one["samples"], other["samples"])
    wins = {
        row["system"]: row["score"] for row in of_set["two"] if row["method"] == "expected_wins"
    }
    assert wins == {"a": 1.0, "b": 0.0}


def test_what_was_scored_once_is_kept() -> None:
    scores = corpus_scores()
    everywhere = np.ones(N_SENTENCES, np.bool_)
    assert scores.of(GOOD, everywhere) is scores.of(GOOD, everywhere)
    assert scores.of(GOOD, everywhere) is not scores.of(GOOD, np.array([True, False, True]))
