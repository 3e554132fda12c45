"""Meaning by METEOR with misspellings corrected: what is replaced, and the better score."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from metric_requests import golden
from test_meteor import WITH_METEOR

from maege.analysis.metrics.referenceless.meteor import STATISTICS, load_matcher
from maege.analysis.metrics.referenceless.meteor_spelling import (
    LONGEST,
    Corrector,
    MeteorSpellingMeaning,
    MeteorSpellingScore,
    load_corrector,
)
from maege.analysis.metrics.slices import RequestGroup


class Speller:
    """Knows three words, and counts what it is asked to correct."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def lookup(self, word: str) -> bool:
        return word in {"the", "letter", "Peter"}

    def suggest(self, word: str) -> Iterator[str]:
        self.asked.append(word)
        yield from {"leter": ("let er", "Peter", "letter"), "teh": ("the",)}.get(word, ())


@pytest.mark.parametrize(
    ("source", "hypothesis", "corrected"),
    [
        ("teh leter", "the letter", "the letter"),
        # The first that the hypothesis has, in any case.
        ("a leter", "a LETTER of peter", "a Peter"),
        ("a leter", "a note", "a leter"),
        # Numbers, two letters, what is known capitalised, and more letters than words have.
        ("l3ter te peter", "letter the Peter .", "l3ter te peter"),
        ("x" * (LONGEST + 1), "letter", "x" * (LONGEST + 1)),
        ("", "letter", ""),
    ],
)
def test_a_misspelt_word_becomes_the_first_suggestion_of_the_hypothesis(
    source: str, hypothesis: str, corrected: str
) -> None:
    assert Corrector(Speller()).correct(source, hypothesis) == corrected


def test_the_speller_is_asked_once_a_word_and_only_where_the_hypothesis_has_something_new() -> None:
    speller = Speller()
    corrector = Corrector(speller)
    for hypothesis in ("the teh leter", "the letter", "the note", "leter", "", "teh Leter"):
        corrector.correct("teh leter", hypothesis)
    assert speller.asked == ["teh", "leter"]


def test_score_is_that_of_the_better_source() -> None:
    # 2 of 2 and 2 of 4 content words match; corrected 2 of 2 and 4 of 4, or none.
    plain, better, none = (2, 2, 2, 4), (2, 4, 2, 4), (0, 0, 2, 4)
    half = 0.5 / (0.85 + 0.15 * 0.5)
    for corrected, expected in ((better, 1.0), (none, half), (plain, half)):
        found = MeteorSpellingScore().formula(np.array([*plain, *corrected], dtype=np.float64))
        assert float(found) == pytest.approx(expected)


@WITH_METEOR
def test_both_sources_are_counted() -> None:
    sources = ("He rides his bycicle .", "He rides .")
    hypotheses = ("He rides his bicycle .", "He rode .")
    group = RequestGroup((), sources, hypotheses, np.array([0, 1, 0]), np.array([0, 1, 1]))
    found = MeteorSpellingMeaning().compute(group)
    assert found.reshape(3, 2, len(STATISTICS)).tolist() == [
        [[1, 1, 2, 2], [2, 2, 2, 2]],
        [[1, 1, 1, 1], [1, 1, 1, 1]],
        [[1, 1, 1, 2], [1, 1, 1, 2]],
    ]


@WITH_METEOR
def test_scores_equal_the_golden_ones(shared: Path) -> None:
    """Of AMU's first 40 outputs, four of which correct a misspelling."""
    folder = shared / "data/conll14/outputs"
    rows = golden(shared, "sentence_scores.tsv", "AMU", "reference_less")
    sources, outputs = (
        (folder / system).read_text(encoding="utf-8").splitlines()[:40]
        for system in ("INPUT", "AMU")
    )
    plain, spelling = (
        np.array([float(row[name]) for row in rows[:40]])
        for name in ("s_m_meteor", "s_m_meteor_spell")
    )
    assert np.sum(spelling > plain) == 4
    index = np.arange(40)
    group = RequestGroup((), tuple(sources), tuple(outputs), index, index)
    found = MeteorSpellingMeaning().compute(group).reshape(40, -1)
    np.testing.assert_allclose(MeteorSpellingScore().formula(found), spelling, rtol=0, atol=1e-6)


@WITH_METEOR
@pytest.mark.replicate
def test_scores_equal_the_golden_ones_of_all_systems(shared: Path) -> None:
    folder = shared / "data/conll14/outputs"
    path = shared / "golden/reference_less/system_scores.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        means = {row["system"]: row for row in csv.DictReader(file, delimiter="\t")}
    sources = (folder / "INPUT").read_text(encoding="utf-8").splitlines()
    for system, row in means.items():
        outputs = (folder / system).read_text(encoding="utf-8").splitlines()
        corrected = list(map(load_corrector().correct, sources, outputs))
        counts = [load_matcher().match(texts, outputs) for texts in (sources, corrected)]
        found = MeteorSpellingScore().formula(np.hstack(counts))
        # An empty output of POST, whose source has no content word either, counts 0 there.
        empty = sum(not output.strip() for output in outputs)
        expected = float(row["s_m_meteor_spell"]) + empty / len(sources)
        assert found.mean() == pytest.approx(expected, abs=1e-6), system
        if rows := golden(shared, "sentence_scores.tsv", system, "reference_less"):
            scores = [float(row["s_m_meteor_spell"]) for row in rows]
            np.testing.assert_allclose(found, scores, rtol=0, atol=1e-6)
