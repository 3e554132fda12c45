"""Estimates of metrics at each task, compared with values computed by hand."""

import math

import numpy as np
import pytest

from maege.analysis.best_metrics.judges import measured_of_systems
from maege.analysis.best_metrics.lattices import measured_ratios, measured_rhos
from maege.analysis.best_metrics.measured import Resampling, best_rows
from maege.analysis.rankings.judged import HumanScores

N = 40
FEW = Resampling(intervals=100, sets=200, level=0.95, seed=1, coverage=0.9)


def test_metrics_are_compared_on_the_sentences_that_all_have_scored() -> None:
    # Each sentence has four pairs; the second metric lacks the first sentence.
    n_pairs = np.full((N, 2), 4.0)
    n_pairs[0, 1] = 0
    right = np.stack([np.r_[0.0, np.full(N - 1, 3.0)], np.r_[0.0, np.full(N - 1, 1.0)]], axis=1)
    measured = measured_ratios(["a", "b"], right, n_pairs, FEW)
    assert measured.n.tolist() == [N - 1, N - 1]
    assert measured.estimates.tolist() == [0.75, 0.25]
    # Without variance there is no certain interval, and no resample closes the gap.
    assert np.isnan(measured.low).all()
    first, second = best_rows("task", "corpus", None, measured, 0.95)
    assert (first["in_best_set"], second["in_best_set"]) == (True, False)


def test_metric_with_few_scores_does_not_restrict_others() -> None:
    n_pairs = np.full((N, 3), 4.0)
    n_pairs[: N // 2, 2] = 0
    right = n_pairs / [2, 4, 1]
    measured = measured_ratios(["a", "b", "c"], right, n_pairs, FEW)
    a, b, c = best_rows("task", "corpus", None, measured, 0.95)
    assert [a["n"], b["n"], c["n"]] == [N, N, N // 2]
    assert (a["too_few"], c["too_few"], c["estimate"]) == (None, "scores", 1)
    assert "in_best_set" not in c


def test_small_samples_have_only_estimates() -> None:
    measured = measured_ratios(["a"], np.ones((5, 1)), np.full((5, 1), 9.0), FEW)
    (row,) = best_rows("task", "corpus", None, measured, 0.95)
    assert (row["too_few"], row["estimate"], row["n"]) == ("sentences", pytest.approx(1 / 9), 5)
    assert not {"ci_low", "best_share", "in_best_set"} & set(row)


def test_a_metric_that_orders_every_corpus_rightly_has_a_rho_of_1() -> None:
    gold = np.array([0.0, 1, 2, 3, 4, 10])
    right = np.tile(gold, (N, 3, 1))
    measured = measured_rhos(["a", "b"], [right, -right], gold, 3, FEW)
    assert measured.estimates == pytest.approx([1, -1])
    rows = list(best_rows("corpora", "corpus", None, measured, 0.95))
    assert [row["best_share"] for row in rows] == [1, 0]


def test_corpora_are_ranked_over_the_same_sentences_by_all_metrics() -> None:
    gold = np.arange(6.0)
    right = np.tile(gold, (N, 3, 1))
    lacks = right.copy()
    lacks[0, 0, 0] = np.nan
    measured = measured_rhos(["a", "b"], [right, lacks], gold, 3, FEW)
    assert measured.n.tolist() == [N - 1, N - 1]
    assert (measured.samples[:, 0] == measured.samples[:, 1]).all()


def test_metrics_compete_only_with_equally_many_draws() -> None:
    gold = np.arange(6.0)
    right = np.tile(gold, (N, 3, 1))
    measured = measured_rhos(["a", "b", "c"], [right, right[:, :1], -right], gold, 3, FEW)
    rows = {row["metric"]: row for row in best_rows("corpora", "corpus", None, measured, 0.95)}
    assert [rows[name]["too_few"] for name in "abc"] == [None, "draws", None]
    assert rows["b"]["estimate"] == pytest.approx(1)


def test_metric_without_merit_is_not_in_the_best_set() -> None:
    # The first metric orders 1/2 of the four pairs of each sentence correctly, the second 1/4. The
    # third orders 3/4 in every other sentence, else 1/4.
    n_pairs = np.full((N, 3), 4.0)
    right = np.tile([2.0, 1.0, 1.0], (N, 1))
    right[::2, 2] = 3
    measured = measured_ratios(["half", "quarter", "mixed"], right, n_pairs, FEW)
    rows = list(best_rows("task", "corpus", None, measured, 0.95))
    assert [row["verdict"] for row in rows] == [
        "not better than chance",
        "worse than chance",
        "not better than chance",
    ]
    assert not any(row["in_best_set"] for row in rows)
    # kendall_tau_a of the first metric is 0, the chance value: equally many concordant and
    # discordant pairs.
    tau = measured_ratios(
        ["half", "all"], np.tile([0.0, 4.0], (N, 1)), n_pairs[:, :2], FEW, chance=0
    )
    half, all_correct = best_rows("task", "corpus", None, tau, 0.95)
    assert (half["verdict"], half["in_best_set"]) == ("not better than chance", False)
    assert (all_correct["verdict"], all_correct["in_best_set"]) == ("better than chance", True)


def test_single_metric_has_no_best_set() -> None:
    n_pairs = np.full((N, 2), 4.0)
    n_pairs[: N // 2, 1] = 0
    measured = measured_ratios(["a", "b"], n_pairs / 2, n_pairs, FEW)
    a, b = best_rows("task", "corpus", None, measured, 0.95)
    assert (a["too_few"], a["estimate"], b["too_few"]) == ("metrics", 0.5, "scores")
    assert not {"best_share", "in_best_set"} & set(a)


def test_resampled_draws_do_not_change_an_estimate() -> None:
    generator = np.random.default_rng(4)
    gold = np.arange(6.0)
    scores = gold / 4 + generator.standard_normal((N, 5, 6))
    estimates = [
        float(measured_rhos(["a"], [scores], gold, 40, FEW._replace(seed=seed)).estimates[0])
        for seed in range(3)
    ]
    assert max(estimates) - min(estimates) < 0.003


def test_constant_metric_has_a_row_with_a_reason() -> None:
    gold = np.arange(6.0)
    right = np.tile(gold, (N, 3, 1))
    measured = measured_rhos(["a", "b", "c"], [right, np.zeros_like(right), -right], gold, 3, FEW)
    a, b, _ = best_rows("corpora", "corpus", None, measured, 0.95)
    assert (a["in_best_set"], a["n_resamples"]) == (True, 200)
    assert b["too_few"] == "values"
    assert math.isnan(b["estimate"])


def test_needed_sample_size_is_null_for_the_highest() -> None:
    generator = np.random.default_rng(2)
    right = generator.binomial(10, [0.7, 0.6], (N, 2)).astype(np.float64)
    measured = measured_ratios(["a", "b"], right, np.full((N, 2), 10.0), FEW)
    first, second = best_rows("task", "corpus", None, measured, 0.95)
    assert first["n_needed"] is None
    error = (measured.samples[:, 0] - measured.samples[:, 1]).std()
    difference = measured.estimates[0] - measured.estimates[1]
    assert second["n_needed"] == math.ceil(N * 7.848880 * (error / difference) ** 2)


def test_four_systems_are_too_few_for_a_set() -> None:
    scores = np.arange(4.0)
    samples = np.tile(scores, (10, 1))
    human = HumanScores("base", "trueskill", list("abcd"), scores, samples, np.zeros((2, 0, 4)))
    measured = measured_of_systems(["a"], scores[np.newaxis], samples[np.newaxis], human, FEW)
    assert (measured.lacking, measured.estimates.tolist()) == (["systems"], [1])


def test_mostly_undefined_metric_costs_others_no_resample() -> None:
    generator = np.random.default_rng(3)
    scores = np.arange(12.0)
    samples = scores + generator.standard_normal((100, 12))
    human = HumanScores(
        "base", "trueskill", list("abcdefghijkl"), scores, samples, np.zeros((2, 0, 12))
    )
    # One system's score differs from the equal scores of all others. (11 / 12) ** 12 = .35 of
    # resamples lack it.
    rare = np.r_[np.zeros(11), 1.0]
    points = np.stack([scores, rare, -scores])
    metric_samples = np.stack([samples, np.tile(rare, (100, 1)), -samples])
    measured = measured_of_systems(["a", "b", "c"], points, metric_samples, human, FEW)
    a, b, _ = best_rows("judged_systems", "corpus", "set", measured, 0.95)
    assert (a["n_resamples"], a["in_best_set"], b["too_few"]) == (200, True, "values")
