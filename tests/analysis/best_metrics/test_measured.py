"""What is measured of metrics at each task, against sums done by hand."""

import math

import numpy as np
import pytest

from maege.analysis.best_metrics.judges import measured_of_systems
from maege.analysis.best_metrics.lattices import measured_rhos, measured_shares, measured_taus
from maege.analysis.best_metrics.measured import best_rows
from maege.analysis.rankings.correlations import Draws
from maege.analysis.rankings.judged import HumanScores
from maege.analysis.statistics.bootstrap import cluster_weights

N = 40
WEIGHTS = cluster_weights(N, 200, seed=1)


def test_metrics_are_compared_on_the_sentences_that_all_have_scored() -> None:
    # Each sentence has four pairs; the second metric lacks the first sentence.
    asked = np.full((N, 2), 4.0)
    asked[0, 1] = 0
    right = np.stack([np.r_[0.0, np.full(N - 1, 3.0)], np.r_[0.0, np.full(N - 1, 1.0)]], axis=1)
    measured = measured_shares(["a", "b"], right, asked, WEIGHTS, 100, 0.95)
    assert measured.n == N - 1
    assert measured.estimates.tolist() == [0.75, 0.25]
    # Nothing varies: no interval is so sure.
    assert np.isnan(measured.low).all()


def test_taus_count_ties_as_agreement() -> None:
    outcomes = np.zeros((3, N, 1))
    outcomes[0], outcomes[1], outcomes[2] = 2, 1, 1
    measured = measured_taus(["a"], outcomes, WEIGHTS, 100, 0.95)
    # 1 - 2 * 1 / 4.
    assert measured.estimates.tolist() == [0.5]


def test_below_the_least_sizes_there_are_estimates_alone() -> None:
    few = measured_shares(["a"], np.ones((5, 1)), np.full((5, 1), 9.0), WEIGHTS[:, :5], 100, 0.95)
    (row,) = best_rows("task", "corpus", None, few, 0.95)
    assert (row["too_few"], row["estimate"], row["n"]) == ("sentences", pytest.approx(1 / 9), 5)
    assert not {"ci_low", "best_share", "in_best_set"} & set(row)


def test_a_metric_that_orders_every_corpus_rightly_has_a_rho_of_1() -> None:
    gold = np.arange(6.0)
    right = np.tile(gold, (N, 3, 1))
    measured = measured_rhos(["a", "b"], [right, -right], gold, WEIGHTS, 1, 0.95)
    assert measured.estimates == pytest.approx([1, -1])
    rows = list(best_rows("corpora", "corpus", None, measured, 0.95))
    assert [row["best_share"] for row in rows] == [1, 0]


def test_how_many_are_needed_is_said_of_all_but_the_highest() -> None:
    generator = np.random.default_rng(2)
    right = generator.binomial(10, [0.7, 0.6], (N, 2)).astype(np.float64)
    measured = measured_shares(["a", "b"], right, np.full((N, 2), 10.0), WEIGHTS, 100, 0.95)
    first, second = best_rows("task", "corpus", None, measured, 0.95)
    assert first["n_needed"] is None
    error = (measured.samples[:, 0] - measured.samples[:, 1]).std()
    difference = measured.estimates[0] - measured.estimates[1]
    assert second["n_needed"] == math.ceil(N * 7.848880 * (error / difference) ** 2)


def test_four_systems_are_too_few_for_a_set() -> None:
    scores = np.arange(4.0)
    samples = np.tile(scores, (10, 1))
    human = HumanScores("base", "trueskill", list("abcd"), scores, samples, np.zeros((2, 0, 4)))
    points = scores[np.newaxis]
    found = measured_of_systems(["a"], points, samples[np.newaxis], human, Draws(0.95, 1), 2)
    assert (found.too_few, found.estimates.tolist()) == ("systems", [1])
