"""Intervals of means by key and sentence, by hand."""

import duckdb
import numpy as np
import pytest
import scipy

from maege.analysis.statistics import resampling
from maege.analysis.stored.lattices import SentenceMean, sentence_means

COLUMNS = "corpus, sentence_id, metric, error_type, n_values, total"


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LEAST_SENTENCES", "LEAST_PAIRS"):
        monkeypatch.setattr(resampling, name, 1)


@pytest.mark.usefixtures("few_are_enough")
def test_all_keys_are_in_the_same_samples_of_sentences() -> None:
    # PCG64 with seed 1 draws 4 sentences: the second, the third and twice the fourth; then twice
    # the first and twice the fourth.
    rows = duckdb.sql(
        f"""
        select * from (values
            ('c', 40, 'm', 'a', 1, 2.0),
            ('c', 10, 'm', 'b', 1, 8.0),
            ('c', 20, 'm', 'a', 2, 6.0),
            ('c', 10, 'k', 'b', 1, 8.0),
            ('c', 20, 'k', 'b', 3, 1.0),
            ('c', 30, 'k', 'b', 1, 5.0)
        ) as rows ({COLUMNS})
        """
    )
    means = list(sentence_means(rows, ("metric", "error_type"), samples=2, level=1 - 1e-12, seed=1))
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
    rows = duckdb.sql(
        f"""
        select * from (values
            ('c', 1, 'm', 'R', 1, 3.0),
            ('c', 2, 'm', 'R', 9, 2.0),
            ('c', 3, 'm', 'R', 2, -1.0)
        ) as rows ({COLUMNS})
        """
    )
    (means,) = sentence_means(rows, ("metric", "error_type"), samples=9, level=0.95, seed=1)
    # Their mean is 4/3, their variance ((5/3)^2 + (2/3)^2 + (7/3)^2) / 2 = 13/3.
    t = (4 / 3) / (13 / 9) ** 0.5
    assert means.p_value == pytest.approx(2 * scipy.stats.t.sf(t, 2))


def test_few_sentences_have_only_an_estimate() -> None:
    rows = duckdb.sql(
        f"""
        select * from (values
            ('c', 7, 'm', 'R', 2, 3.0),
            ('d', 1, 'm', 'R', 1, 3.0)
        ) as rows ({COLUMNS})
        """
    )
    means = list(sentence_means(rows, ("metric", "error_type"), samples=2, level=0.9, seed=1))
    assert [mean[:4] for mean in means] == [
        (("c", "m", "R"), "sentences", 1, 1.5),
        (("d", "m", "R"), "sentences", 1, 3.0),
    ]
    assert all(np.isnan(mean[4:]).all() for mean in means if isinstance(mean, SentenceMean))
