"""The metrics to compare with, against sums by hand and published figures."""

from pathlib import Path

import pytest

from analysis.metrics.own.comparison import (
    green,
    green_counts,
    green_of_counts,
    meteor_2007_stems,
    sacrebleu,
)


def test_green_counts_what_a_hypothesis_keeps_inserts_and_deletes() -> None:
    counts = green_counts("a b c", "a x c", ["a x d"])
    # a kept, x inserted, b deleted; c should have gone and d come.
    assert counts[0].tolist() == [3, 0, 2]
    # a x inserted, a b and b c deleted; x c is too much, x d lacks.
    assert counts[1].tolist() == [3, 1, 1]
    # a b c deleted; a x c too much, a x d lacks.
    assert counts[2].tolist() == [1, 1, 1]
    assert counts[3].tolist() == [0, 0, 0]
    precision = (1 * 3 / 4 * 1 / 2) ** (1 / 4)
    recall = (3 / 5 * 3 / 4 * 1 / 2) ** (1 / 4)
    expected = 5 * precision * recall / (4 * precision + recall)
    assert green("a b c", "a x c", ["a x d"]) == pytest.approx(expected, abs=1e-12)


def test_green_takes_the_reference_with_the_highest_score() -> None:
    assert green("a b", "a c", ["x y z", "a c"]) == 1
    assert green("a b", "", ["a b"]) == 0


@pytest.mark.parametrize(
    ("system", "score"), [("INPUT", 0.7690), ("AMU", 0.7923), ("CAMB", 0.7975)]
)
def test_corpus_green_is_the_published_one(system: str, score: float, shared: Path) -> None:
    folder = shared / "data" / "conll14"
    paths = [
        folder / "outputs" / "INPUT",
        folder / "outputs" / system,
        folder / "noalt" / "NUCLEA.txt",
        folder / "noalt" / "NUCLEB.txt",
    ]
    texts = [path.read_text(encoding="utf-8").split("\n")[:1312] for path in paths]
    counts = sum(
        green_counts(source, hypothesis, references)
        for source, hypothesis, *references in zip(*texts, strict=True)
    )
    assert not isinstance(counts, int)
    assert green_of_counts(counts) == pytest.approx(score, abs=5e-5)


def test_meteor_matches_words_and_stems_but_no_synonyms() -> None:
    # One chunk of four matches: 1 - .5 * (1/4)^3.
    assert meteor_2007_stems("he walks the dog", ["he walked the dog"]) == pytest.approx(0.9921875)
    assert meteor_2007_stems("car", ["automobile"]) == 0
    assert meteor_2007_stems("a b", ["x", "a b"]) == pytest.approx(1 - 0.5 / 8)


def test_scores_by_sacrebleu_reach_a_hundred() -> None:
    assert sacrebleu("one two three four", ["five", "one two three four"]) == pytest.approx(100)
    # Three words of three, two bigrams of two, one trigram of one, and no fourth order to count.
    assert sacrebleu("one two three", ["one two three"]) == pytest.approx(100)
