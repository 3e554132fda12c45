"""Meaning by METEOR's matcher: its output for a pair, and the score computed from it."""

import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from metric_requests import golden, score, statistics

from maege.analysis.metrics.meaning import (
    Meteor,
    MeteorScore,
    jar_path,
    load_meteor,
    missing_meteor,
    read_answer,
)

WITH_METEOR = pytest.mark.skipif(
    missing_meteor() is not None, reason="METEOR's jar, 104 MB with its package, or Java"
)
# "Therefore shy afraid .", "So shy afraid ." as METEOR might align them: `So`, a function word of
# the hypothesis, is a synonym of `Therefore`, a content word of the source.
ANSWER = "4 4 2 1  2 2 1 1  0 0 0 0  0 1 1 0  0 0 0 0  1 4 4"


def test_content_words_and_their_matches_are_read_on_either_side() -> None:
    # Matches in the hypothesis and in the source, then content words of both.
    assert read_answer(ANSWER) == (2, 3, 2, 3)
    with pytest.raises(RuntimeError, match="METEOR returned 'Error'; expected 23 numbers"):
        read_answer("Error")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # P = 2/4, R = 3/6: 1/4 / (.85 / 2 + .15 / 2).
        ((2, 3, 4, 6), 0.5),
        # P = 1/2, R = 1/4: 1/8 / (.425 + .0375).
        ((1, 1, 2, 4), 0.125 / 0.4625),
        ((0, 0, 2, 4), 0),
        ((0, 0, 0, 4), 0),
        ((0, 0, 0, 0), 1),
    ],
)
def test_score_is_nearly_the_recall(row: tuple[float, ...], expected: float) -> None:
    score = MeteorScore().formula(np.array(row, dtype=np.float64))
    assert float(score) == pytest.approx(expected)


def test_a_jar_that_is_missing_or_another_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METEOR_JAR", str(tmp_path / "meteor-1.5.jar"))
    missing = missing_meteor()
    assert missing is not None
    assert "meteor-1.5.jar: expected a language model, found no such file" in missing.reason
    (tmp_path / "meteor-1.5.jar").write_bytes(b"PK")
    missing = missing_meteor()
    assert missing is not None
    assert "expected a file with SHA-256 1e57b4" in missing.reason


def test_the_jar_is_looked_for_in_the_package_which_has_no_module_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("METEOR_JAR", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    missing = missing_meteor()
    assert missing is not None
    assert "pip install pycocoevalcap==1.2" in missing.remedy
    jar = tmp_path / "pycocoevalcap" / "meteor" / "meteor-1.5.jar"
    jar.parent.mkdir(parents=True)
    jar.write_bytes(b"PK")
    assert jar_path() == jar


@WITH_METEOR
def test_stems_and_synonyms_match() -> None:
    row = statistics("meaning_meteor", "He likes the big cats .", "he like the large cat .")[0]
    # Of three content words, `likes` and `cats` match by stem and `big` by synonym.
    assert list(row.values()) == [3, 3, 3, 3]
    assert score("meaning_meteor", "He ||| sleeps", "He runs") == 0
    assert score("meaning_meteor", "", "") == 1


@WITH_METEOR
def test_another_meteor_is_started_where_one_has_ended() -> None:
    load_meteor()
    for process in psutil.Process().children():
        if "meteor-1.5.jar" in " ".join(process.cmdline()):
            process.kill()
            process.wait()
    assert load_meteor().match(["He likes cats ."], ["He likes a cat ."]).tolist() == [[2, 2, 2, 2]]


@WITH_METEOR
def test_scores_equal_the_golden_ones(shared: Path) -> None:
    rows = golden(shared, "sentence_scores.tsv", "AMU", "reference_less")
    outputs = shared / "data" / "conll14" / "outputs"
    sources, hypotheses = (
        (outputs / name).read_text(encoding="utf-8").splitlines() for name in ("INPUT", "AMU")
    )
    scores = MeteorScore().formula(Meteor().match(sources, hypotheses))
    expected = [float(row["s_m_meteor"]) for row in rows]
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-6)
