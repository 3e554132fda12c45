"""The MAEGE paper's ranking of systems from texts, on small examples."""

import numpy as np
import pytest

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.papers.maege_run import (
    SOURCE,
    correlation_draws,
    m2_sentence_scores,
    metric_sentence_scores,
    normalised,
    orders,
    ranking_counts,
)
from maege.analysis.statistics.judgments import JudgmentCounts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He go , home .", "He go home."),
        ("In the U . S . it 's fine !", "In the us it s fine."),
        ("IT IS", "It is."),
        ("", "."),
    ],
)
def test_texts_lose_punctuation_and_case(text: str, expected: str) -> None:
    assert normalised(text) == expected


def test_a_corrected_output_scores_above_its_source() -> None:
    outputs = {SOURCE: ["He go home ."], "fixed": ["He goes home ."]}
    scores = metric_sentence_scores(outputs, [["He goes home ."], ["He goes home !"]])
    for metric in ("gleu", "bleu", "sari", "max_sari", "min_ld"):
        original, fixed = scores[metric][:, 0]
        assert fixed > original, metric
    # Similarity to the source: two letters more than "He go home.", which has eleven characters.
    assert scores["ld"][:, 0].tolist() == [1.0, pytest.approx(1 - 2 / 11)]
    assert scores["bleu"][1, 0] == scores["min_ld"][1, 0] == 1


def test_m2_takes_the_annotator_that_agrees_most() -> None:
    outputs = {SOURCE: ["He go home ."], "fixed": ["He goes home ."]}
    gold = [
        [
            format_annotation([Edit(1, 2, "SVA", ("went",))]),
            format_annotation([Edit(1, 2, "SVA", ("goes",))]),
            None,
        ]
    ]
    assert m2_sentence_scores(outputs, gold).tolist() == [[0.0], [1.0]]


def test_a_metric_beats_and_ties_sentence_by_sentence() -> None:
    counts = ranking_counts(np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 5.0]]))
    assert counts.wins.tolist() == [[0, 1], [1, 0]]
    assert counts.ties.tolist() == [[0, 1], [1, 0]]


def test_orders_that_agree_in_every_run_correlate_fully() -> None:
    wins = np.array([[0.0, 300.0], [0.0, 0.0]])
    clear = JudgmentCounts(wins, np.zeros((2, 2)))
    turned = JudgmentCounts(wins.T.copy(), np.zeros((2, 2)))
    human_orders = orders(clear, runs=5, seed=1)
    assert human_orders.tolist() == [[1, 2]] * 5
    assert correlation_draws(human_orders, clear, 5, 1) == pytest.approx((1, 1, 1))
    assert correlation_draws(human_orders, turned, 5, 1) == pytest.approx((-1, -1, -1))
