"""Meaning: content words that a hypothesis shares with its source."""

import pytest
from metric_requests import score, statistics

from maege.analysis.metrics.referenceless.meaning import FUNCTION_WORDS, content_words


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
