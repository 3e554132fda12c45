"""Meaning: content words that a hypothesis shares with its source."""

import pytest
from metric_requests import score, statistics

from maege.analysis.metrics.referenceless.meaning import FUNCTION_WORDS, content_words


def matches(source: str, hypothesis: str) -> float:
    return statistics("meaning", source, hypothesis)[0]["matches"]


def test_content_words_are_neither_function_words_nor_punctuation() -> None:
    assert content_words("The cat 's 3 toys , and -- he !") == ["cat", "3", "toys"]


def test_closed_classes_have_the_193_words_that_the_metric_was_tested_with() -> None:
    assert len(FUNCTION_WORDS) == 193


def test_words_match_by_form_whatever_their_case() -> None:
    assert matches("Dogs bark", "dogs BARK") == 2


def test_words_match_by_stem() -> None:
    assert matches("he walks quickly", "he walked quickly") == 2


def test_a_misspelt_source_word_matches_its_correction() -> None:
    assert matches("a beautifull house", "a beautiful house") == 2
    # Both are words. Up to two of six letters may differ; these differ in four.
    assert matches("form", "from") == 0
    assert matches("goverment", "monument") == 0


def test_swapped_letters_are_one_change() -> None:
    # One of four letters may differ.
    assert matches("taht house", "that house") == 1
    assert matches("hosue", "house") == 1


def test_a_source_word_matches_once() -> None:
    found = statistics("meaning", "cat", "cat cat")[0]
    assert found == {"matches": 1, "hypothesis_content_words": 2, "source_content_words": 1}
    # P = 1/2, R = 1, t = .85.
    assert score("meaning", "cat", "cat cat") == pytest.approx(0.5 / (0.85 * 0.5 + 0.15))


def test_exact_matches_come_before_stems() -> None:
    assert matches("walk walks", "walks talk") == 1
    assert matches("walk walks", "walks walked") == 2


def test_the_source_itself_keeps_its_meaning() -> None:
    assert score("meaning", "a big cat", "a big cat") == 1


def test_texts_without_content_words_keep_it_and_a_lone_one_loses_it() -> None:
    assert score("meaning", "it is .", "he was") == 1
    assert score("meaning", "it is .", "cats") == 0
    assert score("meaning", "cats", "it is .") == 0
    assert score("meaning", "cats", "") == 0
