"""Means of metrics on lattices and their tests against chance, by hand."""

from typing import Any

import duckdb
import numpy as np
import pytest
import scipy

from maege.analysis.statistics import resampling
from maege.analysis.stored.lattices import Key, Row, SentenceMean, order_tests, sentence_means


def estimates(rows: str, *ranked: Key) -> dict[Key, Row]:
    """Return the estimates of rows (question, metric, sentences, concordant, discordant).

    Later rows of a question and metric have other sentences.
    """
    counts: Any = duckdb.sql(
        f"""
        select
            'c' as corpus, question, 'random_source' as experiment, '' as stratum,
            metric, row_number() over (partition by question, metric) as sentence_id,
            n_concordant, n_discordant, 0 as n_tied
        from (values {rows})
            as rows (question, metric, n_sentences, n_concordant, n_discordant),
            unnest(range(n_sentences))
        """
    )
    return dict(order_tests(counts, set(ranked), 200, 999, 0.95, seed=1))


def key(question: str, metric: str) -> Key:
    return ("c", question, "random_source", metric, "")


def test_perfect_accuracy_has_wilsons_interval() -> None:
    estimates_by_key = estimates("('steps', 'm', 20, 1, 0), ('steps', 'w', 20, 0, 1)")
    # Wilson's bound of 20 successes in 20 trials: n / (n + z^2).
    bound = 20 / (20 + 1.959964**2)
    best, worst = estimates_by_key[key("steps", "m")], estimates_by_key[key("steps", "w")]
    assert (best["ci_low"], best["ci_high"]) == pytest.approx((bound, 1))
    assert (worst["ci_low"], worst["ci_high"]) == pytest.approx((0, 1 - bound))
    # No other assignment of signs reaches 20 of 20.
    assert best["p_value"] == worst["p_value"] == 1 / 1000


def test_accuracy_is_bounded_on_its_own_scale() -> None:
    sentences = "({0}, 'm', 15, 3, 0), ({0}, 'm', 15, 1, 2)"
    rows = ", ".join(sentences.format(name) for name in ("'all_pairs'", "'corrupted_edits'"))
    estimates_by_key = estimates(rows)
    tau = estimates_by_key[key("all_pairs", "m")]
    accuracy = estimates_by_key[key("corrupted_edits", "m")]
    # tau is (15 * 3 - 15 * 1) / (30 * 3).
    assert tau["ci_low"] < 1 / 3 < tau["ci_high"]
    for bound in ("ci_low", "ci_high"):
        assert accuracy[bound] == pytest.approx((1 + tau[bound]) / 2)
    # Other coefficients have intervals if the question is about all pairs.
    assert tau["gamma_ci_low"] < 1 / 3 < tau["gamma_ci_high"]
    assert "gamma_ci_low" not in accuracy


def test_each_question_is_a_family_of_metrics() -> None:
    estimates_by_key = estimates(
        "('steps', 'm', 20, 1, 0), ('steps', 'even', 20, 1, 1), "
        "('steps', 'chance_length', 20, 1, 0)"
    )
    # Benjamini-Hochberg among two tests, of which the other has a p-value of 1.
    assert estimates_by_key[key("steps", "m")]["q_value"] == pytest.approx(2 / 1000)
    assert estimates_by_key[key("steps", "even")]["q_value"] == 1
    chance = estimates_by_key[key("steps", "chance_length")]
    assert chance["p_value"] != chance["p_value"]
    assert chance["ci_high"] == pytest.approx(1)


def test_nineteen_sentences_have_no_interval() -> None:
    row = estimates("('all_pairs', 'm', 19, 9, 1)")[key("all_pairs", "m")]
    assert row["too_few"] == "sentences"
    assert "ci_low" not in row
    assert row["p_value"] != row["p_value"]


def test_only_ranked_metrics_have_ranks() -> None:
    estimates_by_key = estimates(
        "('all_pairs', 'best', 20, 2, 0), ('all_pairs', 'other', 20, 2, 0), "
        "('all_pairs', 'worst', 20, 1, 1)",
        key("all_pairs", "best"),
        key("all_pairs", "worst"),
    )
    rows = [estimates_by_key[key("all_pairs", name)] for name in ("best", "worst", "other")]
    assert [row.get("rank") for row in rows] == [1, 2, None]
    assert rows[0]["n_common_pairs"] == 40


# --- Means by key and sentence ---


def means_of(values: str, samples: int, level: float) -> list[SentenceMean]:
    rows = duckdb.sql(
        f"from (values {values}) as t (corpus, sentence_id, metric, error_type, n_values, total)"
    )
    return list(sentence_means(rows, ("metric", "error_type"), samples, level, seed=1))


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LEAST_SENTENCES", "LEAST_PAIRS"):
        monkeypatch.setattr(resampling, name, 1)


@pytest.mark.usefixtures("few_are_enough")
def test_all_keys_are_in_the_same_samples_of_sentences() -> None:
    # PCG64 with seed 1 draws 4 sentences: the second, the third and twice the fourth; then twice
    # the first and twice the fourth.
    means = means_of(
        "('c', 40, 'm', 'a', 1, 2.0), ('c', 10, 'm', 'b', 1, 8.0), ('c', 20, 'm', 'a', 2, 6.0), "
        "('c', 10, 'k', 'b', 1, 8.0), ('c', 20, 'k', 'b', 3, 1.0), ('c', 30, 'k', 'b', 1, 5.0)",
        samples=2,
        level=1 - 1e-12,
    )
    assert [(mean.key, mean.n_sentences) for mean in means] == [
        (("c", "k", "b"), 3),
        (("c", "m", "a"), 2),
        (("c", "m", "b"), 1),
    ]
    mean_of_k, mean_of_m, single_sentence = means
    # k, b: (1 + 5) / (3 + 1), then 2 * 8 / 2.
    assert (mean_of_k.low, mean_of_k.high) == pytest.approx((1.5, 8))
    assert mean_of_k.mean == pytest.approx(14 / 5)
    # m, a: (6 + 2 * 2) / (2 + 2 * 1), then 2 * 2 / 2.
    assert (mean_of_m.low, mean_of_m.high) == pytest.approx((2, 2.5))
    # Sentence 10 is in one resample only, and a single sentence has no variance.
    assert np.isnan([single_sentence.low, single_sentence.high, single_sentence.p_value]).all()


@pytest.mark.usefixtures("few_are_enough")
def test_p_is_that_of_the_sums_of_sentences() -> None:
    values = "('c', 1, 'm', 'R', 1, 3.0), ('c', 2, 'm', 'R', 9, 2.0), ('c', 3, 'm', 'R', 2, -1.0)"
    (means,) = means_of(values, samples=9, level=0.95)
    # Their mean is 4/3, their variance ((5/3)^2 + (2/3)^2 + (7/3)^2) / 2 = 13/3.
    t = (4 / 3) / (13 / 9) ** 0.5
    assert means.p_value == pytest.approx(2 * scipy.stats.t.sf(t, 2))


def test_few_sentences_have_only_an_estimate() -> None:
    values = "('c', 7, 'm', 'R', 2, 3.0), ('d', 1, 'm', 'R', 1, 3.0)"
    means = means_of(values, samples=2, level=0.9)
    assert [mean[:4] for mean in means] == [
        (("c", "m", "R"), "sentences", 1, 1.5),
        (("d", "m", "R"), "sentences", 1, 3.0),
    ]
    assert all(np.isnan([mean.low, mean.high, mean.p_value]).all() for mean in means)
