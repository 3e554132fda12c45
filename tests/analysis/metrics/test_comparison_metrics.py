"""The comparison metrics, against sums by hand."""

import pytest

from maege.analysis.metrics.own.comparison import meteor_2007_stems, sacrebleu


def test_scores_by_hand() -> None:
    # One chunk of four matches: 1 - .5 * (1/4)^3.
    assert meteor_2007_stems("he walks the dog", ["he walked the dog"]) == pytest.approx(0.9921875)
    assert meteor_2007_stems("car", ["automobile"]) == 0
    assert meteor_2007_stems("a b", ["x", "a b"]) == pytest.approx(1 - 0.5 / 8)

    assert sacrebleu("one two three four", ["five", "one two three four"]) == pytest.approx(100)
    # Three of three words, two of two bigrams, one of one trigram; the fourth order does not count.
    assert sacrebleu("one two three", ["one two three"]) == pytest.approx(100)
