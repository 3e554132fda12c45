"""Fluency: trigram probabilities and the scores computed from them."""

import math
from pathlib import Path

import pytest
from metric_requests import score, statistics

from maege.analysis.metrics.referenceless.fluency import load_trigram
from maege.analysis.metrics.referenceless.language_models.interface import ModelFileError
from maege.analysis.metrics.referenceless.language_models.trigram import Trigram, model_path


def fluency(text: str) -> dict[str, float]:
    return statistics("fluency", "", text)[0]


def unigram(word: str) -> float:
    value = load_trigram().unigram(word)
    assert value is not None
    return value


def test_texts_are_written_as_the_model_writes_them() -> None:
    # `don't` is a word of the model, `table'd` is not. A lone quotation mark is not a word, but `3`
    # is.
    tokens = load_trigram().tokens("I do n't , table 'd Peter 's  ' 3 !")
    assert tokens == ["i", "don't", "table", "'d", "peter's", "3"]

    assert load_trigram().tokens("'s fine") == ["'s", "fine"]


def test_unigrams_are_summed_and_the_end_is_the_models_alone() -> None:
    row = fluency("The house .")
    assert row["lm_tokens"] == 2
    assert row["log10_pu"] == pytest.approx(unigram("the") + unigram("house"))
    words, _, _, _ = load_trigram().score_tokens(["the", "house"], ("<s>",))
    without_end = load_trigram().score_tokens(["the"], ("<s>",))[0]
    assert row["log10_pm"] == pytest.approx(words)
    assert words < without_end < 0


def test_an_unknown_word_counts_is_in_no_sum_and_empties_the_history() -> None:
    # After an unknown word the history is empty: `house` is a unigram, and the end counts again.
    row = fluency("qxzz house")
    end = load_trigram().score_tokens(["house"], ("qxzz",))
    assert (row["lm_tokens"], row["lm_oov"]) == (2, 1)
    assert row["log10_pu"] == pytest.approx(unigram("house"))
    assert row["log10_pm"] < row["log10_pu"]
    assert end[3] == 0


def test_texts_without_words_or_end_are_not_fluent() -> None:
    assert fluency("qxzz") == {"log10_pm": 0, "log10_pu": 0, "lm_tokens": 1, "lm_oov": 1}
    assert score("fluency", "", "qxzz") == 0

    assert fluency("... !")["lm_tokens"] == 0
    assert score("fluency", "", "... !") == 0
    assert score("fluency", "", "") == 0


def test_score_is_the_mean_advantage_over_unigrams_within_0_and_1() -> None:
    row = fluency("I have seen him .")
    mean = (row["log10_pm"] - row["log10_pu"]) / 4
    assert score("fluency", "", "I have seen him .") == pytest.approx(min(max(mean, 0), 1))
    assert score("fluency", "", "The United States of America .") == 1
    assert score("fluency", "", "the the the the the") == 0
    assert math.isfinite(mean)


def test_missing_and_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.lm.bin"
    other.write_bytes(model_path().read_bytes()[:-1])
    with pytest.raises(ModelFileError, match=r"expected a file with SHA-256 db21d06.*found"):
        Trigram(other)

    with pytest.raises(ModelFileError, match=r"none\.bin: expected a language model"):
        Trigram(tmp_path / "none.bin")
