"""Fluency, meaning and their weighted sum: by hand, and the numbers of an independent program."""

import math
from pathlib import Path

import numpy as np
import pytest
from metric_requests import all_scores, all_statistics, golden, score, statistics

from maege.analysis.metrics.families import RequestGroup
from maege.analysis.metrics.fluency import ReferencelessScore, load_trigram
from maege.analysis.metrics.language_models import Trigram, model_path
from maege.analysis.metrics.meaning import FUNCTION_WORDS, content_words
from maege.analysis.metrics.model_files import ModelFileError
from maege.analysis.metrics.registry import METRICS, metrics_with


def fluency(text: str) -> dict[str, float]:
    return statistics("fluency", "", text)[0]


def unigram(word: str) -> float:
    value = load_trigram().unigram(word)
    assert value is not None
    return value


def log10_of(history: tuple[str, ...], *words: str) -> float:
    """Return the sum over the words, each after the words before it."""
    total = 0.0
    for word in words:
        log10, history = load_trigram().after(history, word)
        total += log10
    return total


def test_texts_are_written_as_the_model_writes_them() -> None:
    # `don't` is a word of the model, `table'd` is not. A lone quotation mark is not a word, but `3`
    # is.
    tokens = load_trigram().words("I do n't , table 'd Peter 's  ' 3 !")
    assert tokens == ["i", "don't", "table", "'d", "peter's", "3"]

    assert load_trigram().words("'s fine") == ["'s", "fine"]


def test_unigrams_are_summed_and_the_end_is_the_models_alone() -> None:
    row = fluency("The house .")
    assert row["lm_tokens"] == 2
    assert row["log10_pu"] == pytest.approx(unigram("the") + unigram("house"))
    assert row["log10_pm"] == pytest.approx(log10_of(load_trigram().start, "the", "house", "</s>"))


def test_an_unknown_word_counts_is_in_no_sum_and_empties_the_history() -> None:
    row = fluency("qxzz house")
    assert (row["lm_tokens"], row["lm_oov"]) == (2, 1)
    assert row["log10_pu"] == pytest.approx(unigram("house"))
    assert row["log10_pm"] == pytest.approx(log10_of((), "house", "</s>"))
    assert log10_of((), "house") == pytest.approx(unigram("house"))


def test_texts_without_words_or_end_are_not_fluent() -> None:
    assert fluency("qxzz") == {"log10_pm": 0, "log10_pu": 0, "lm_tokens": 1, "lm_oov": 1}
    assert score("fluency", "", "qxzz") == 0

    assert fluency("... !")["lm_tokens"] == 0
    assert score("fluency", "", "... !") == 0
    assert score("fluency", "", "") == 0


def test_fluency_is_the_mean_advantage_over_unigrams_within_0_and_1() -> None:
    row = fluency("I have seen him .")
    mean = (row["log10_pm"] - row["log10_pu"]) / 4
    assert score("fluency", "", "I have seen him .") == pytest.approx(min(max(mean, 0), 1))
    assert score("fluency", "", "The United States of America .") == 1
    assert score("fluency", "", "the the the the the") == 0
    assert math.isfinite(mean)


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.lm.bin"
    other.write_bytes(model_path().read_bytes()[:-1])
    with pytest.raises(ModelFileError, match=r"expected a file with SHA-256 db21d06.*found"):
        Trigram(other)


def matches(source: str, hypothesis: str) -> float:
    return statistics("meaning", source, hypothesis)[0]["matches"]


def test_content_words_by_hand() -> None:
    assert content_words("The cat 's 3 toys , and -- he !") == ["cat", "3", "toys"]
    assert len(FUNCTION_WORDS) == 193


def test_matches_of_words_by_hand() -> None:
    assert matches("Dogs bark", "dogs BARK") == 2

    assert matches("he walks quickly", "he walked quickly") == 2

    assert matches("a beautifull house", "a beautiful house") == 2
    # Both are words. Up to two of six letters may differ; these differ in four.
    assert matches("form", "from") == 0
    assert matches("goverment", "monument") == 0

    # One of four letters may differ.
    assert matches("taht house", "that house") == 1
    assert matches("hosue", "house") == 1


def test_source_words_match_once_and_exact_matches_first() -> None:
    row = statistics("meaning", "cat", "cat cat")[0]
    assert row == {"matches": 1, "hypothesis_content_words": 2, "source_content_words": 1}
    # P = 1/2, R = 1, t = .85.
    assert score("meaning", "cat", "cat cat") == pytest.approx(0.5 / (0.85 * 0.5 + 0.15))

    assert matches("walk walks", "walks talk") == 1
    assert matches("walk walks", "walks walked") == 2


def test_the_source_and_texts_without_content_keep_the_meaning() -> None:
    assert score("meaning", "a big cat", "a big cat") == 1

    assert score("meaning", "it is .", "he was") == 1
    assert score("meaning", "it is .", "cats") == 0
    assert score("meaning", "cats", "it is .") == 0
    assert score("meaning", "cats", "") == 0


PARTS = {"grammaticality": np.array([1.0]), "fluency": np.array([0.5]), "meaning": np.array([0.8])}


def test_weights_are_those_published_or_another_metric() -> None:
    # .07 x 1 + .83 x .5 + .10 x .8
    assert ReferencelessScore().combine(PARTS) == pytest.approx([0.565])

    weights = {"grammaticality": 0.0, "fluency": 0.5, "meaning": 0.5}
    other = metrics_with(weights)["referenceless"]
    assert other.score.families == METRICS["referenceless"].score.families
    assert "weights:0,0.5,0.5" in other.signature()
    assert "weights:0.07,0.83,0.1" in METRICS["referenceless"].signature()


SYSTEMS = ("AMU", "INPUT", "NTHU", "UFC")
GOLDEN_STATISTICS = {
    "fluency": ("log10_pm", "log10_pu", "lm_tokens", "lm_oov"),
    "meaning": ("m_hyp_content", "m_src_content"),
}


def requests(shared: Path, system: str) -> list[RequestGroup]:
    outputs = shared / "data" / "conll14" / "outputs"
    texts = {
        name: (outputs / name).read_text(encoding="utf-8").splitlines()
        for name in ("INPUT", system)
    }
    rows = np.arange(len(texts[system]))
    return [RequestGroup((), tuple(texts["INPUT"]), tuple(texts[system]), rows, rows)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_statistics_and_scores_equal_the_golden_ones(system: str, shared: Path) -> None:
    rows = golden(shared, "sentence_scores.tsv", system, "reference_less")
    names = [name for name in rows[0] if name != "system"]
    expected = {name: np.array([float(row[name]) for row in rows]) for name in names}
    groups = requests(shared, system)
    fluency = all_statistics("fluency", groups)[:, 0]
    for column, name in enumerate(GOLDEN_STATISTICS["fluency"]):
        np.testing.assert_allclose(fluency[:, column], expected[name], rtol=0, atol=1e-6)
    meaning = all_statistics("meaning", groups)[:, 0]
    for column, name in enumerate(GOLDEN_STATISTICS["meaning"], start=1):
        np.testing.assert_array_equal(meaning[:, column], expected[name])
    scores = {
        "fluency": all_scores("fluency", groups),
        "meaning": all_scores("meaning", groups),
        "grammaticality": np.maximum(1 - expected["lt66_errors"] / expected["tokens"], 0),
    }
    for metric, name in (
        ("fluency", "s_f"),
        ("meaning", "s_m_simple"),
        ("grammaticality", "s_g_lt66"),
    ):
        np.testing.assert_allclose(scores[metric], expected[name], rtol=0, atol=1e-6)
    total = ReferencelessScore().combine(scores)
    np.testing.assert_allclose(total, expected["comb_default"], rtol=0, atol=1e-6)
