"""Corpus scores of M2, ERRANT and the I-measure, from counts small enough to add by hand."""

import numpy as np
import pytest

from maege.analysis.metrics.errant import ErrantScore
from maege.analysis.metrics.imeasure.score import IMeasureScore
from maege.analysis.metrics.m2.family import M2Score
from maege.analysis.metrics.scores.formula import f_of_sums
from maege.analysis.system_scores import system_scores

# Two systems, three sentences, two annotators; M2: tp, proposed, gold, approximated.
M2 = np.array(
    [
        [[[1, 2, 4, 0], [1, 2, 1, 0]], [[0, 1, 3, 0], [2, 1, 2, 0]], [[0, 0, 0, 0], [0, 0, 2, 0]]],
        [[[0, 1, 4, 0], [0, 1, 1, 0]], [[0, 0, 3, 0], [0, 0, 2, 0]], [[0, 0, 0, 0], [0, 0, 2, 0]]],
    ],
    dtype=np.float64,
)
# The sentences in each of three resamples.
WEIGHTS = np.array([[1, 1, 1], [3, 0, 0], [0, 2, 1]], dtype=np.float64)


def f_half(tp: int, proposed: int, gold: int) -> float:
    precision, recall = tp / proposed, tp / gold
    return 1.25 * precision * recall / (0.25 * precision + recall)


def test_m2_sums_the_annotators_that_raise_the_corpus_score() -> None:
    assert M2Score().choose(M2).tolist() == [[1, 1, 0], [1, 1, 0]]
    scores = system_scores("m2", np.zeros((2, 3)), {"m2": M2}, WEIGHTS, "py2")
    # Sentence by sentence 1/2/1, 2/1/2 and 0/0/0.
    assert scores.score[0] == pytest.approx(f_half(3, 3, 3))
    assert scores.score[1] == 0


def test_a_sample_keeps_the_annotator_chosen_for_each_sentence() -> None:
    scores = system_scores("m2", np.zeros((2, 3)), {"m2": M2}, WEIGHTS, "py2")
    expected = [f_half(3, 3, 3), f_half(3, 6, 3), f_half(4, 2, 4)]
    assert scores.samples[:, 0] == pytest.approx(expected)


def test_errants_counts_become_tp_proposed_and_gold() -> None:
    # tp, fp, fn: the second annotator has the better F.5 in the first sentence.
    statistics = np.array([[[[0, 2, 1], [1, 1, 3]], [[2, 0, 1], [0, 2, 0]]]], dtype=np.float64)
    positions = ErrantScore().choose(statistics)
    assert positions.tolist() == [[1, 0]]
    assert ErrantScore().chosen_counts(statistics, positions).tolist() == [[[1, 2, 4], [2, 2, 3]]]
    scores = system_scores(
        "errant", np.zeros((1, 2)), {"errant": statistics}, np.ones((1, 2)), "py2"
    )
    assert scores.score[0] == scores.samples[0, 0] == pytest.approx(f_half(3, 4, 7))


@pytest.mark.parametrize(
    ("counts", "f"),
    [((0, 0, 0), 1.0), ((0, 0, 2), 0.0), ((0, 2, 0), 0.0), ((2, 2, 2), 1.0), ((0, 3, 3), 0.0)],
)
def test_nothing_proposed_is_precise_and_nothing_to_find_is_found(
    counts: tuple[int, int, int], f: float
) -> None:
    assert f_of_sums(np.array(counts, dtype=np.float64), 0.5) == f


def test_the_i_measure_of_a_corpus_is_of_the_summed_counts() -> None:
    # tp, tn, fp, fn, fpn of corrections, the same of the source alone; detection is not read.
    first = [2, 5, 1, 1, 0, 0, 5, 0, 3, 0]
    second = [0, 8, 1, 0, 0, 0, 9, 0, 0, 0]
    statistics = np.zeros((1, 2, 1, 22))
    statistics[0, :, 0, :10] = [first, second]
    scores = system_scores(
        "imeasure",
        np.zeros((1, 2)),
        {"imeasure": statistics},
        np.array([[1.0, 1.0], [2.0, 0.0]]),
        "py2",
    )
    # WAcc = (2 TP + TN) / (2 (TP + FP) + TN + FN): 17/22 and 14/17; for the first 9/12 and 5/8.
    assert scores.score[0] == pytest.approx((17 / 22) / (14 / 17) - 1)
    assert scores.samples[:, 0] == pytest.approx(
        [(17 / 22) / (14 / 17) - 1, (9 / 12 - 5 / 8) / (1 - 5 / 8)]
    )


def test_counts_of_edits_are_reported_with_precision_recall_and_f() -> None:
    sums = np.array([[3.0, 4.0, 6.0], [0.0, 0.0, 2.0]])
    (aspect, measures), *other_aspects = M2Score().reported(sums).items()
    assert (aspect, other_aspects) == ("correction", [])
    expected = {"tp": [3, 0], "fp": [1, 0], "fn": [3, 2], "p": [0.75, 1], "r": [0.5, 0]}
    assert {name: measures[name].tolist() for name in expected} == expected
    assert measures["f"] == pytest.approx([1.25 * 0.75 * 0.5 / (0.25 * 0.75 + 0.5), 0])


def test_the_i_measure_reports_tokens_of_corrections_and_of_their_detection() -> None:
    sums = np.zeros((1, 22))
    # tp, tn, fp, fn, fpn of corrections, then of the source; of detection, then of the source.
    sums[0, :20] = [2, 6, 2, 2, 1, 0, 6, 0, 4, 0, 3, 6, 1, 1, 0, 0, 6, 0, 4, 0]
    reported = IMeasureScore().reported(sums)
    # Weighted: (2 * 2 + 6) / (2 * 4 + 6 + 2 - 1.5), compared with 6 / 10 of the source.
    wacc, base_wacc = 10 / 14.5, 0.6
    counts = {"tp": 2, "tn": 6, "fp": 2, "fn": 2, "fpn": 1}
    measures = {"p": 1 / 2, "r": 1 / 2, "f": 1 / 2, "acc": 8 / 11, "wacc": wacc}
    improved = {"base_wacc": base_wacc, "improvement": (wacc - base_wacc) / (1 - base_wacc)}
    correction = {name: float(value[0]) for name, value in reported["correction"].items()}
    assert correction == pytest.approx(counts | measures | improved)
    detection = reported["detection"]
    assert [float(detection[name][0]) for name in ("tp", "fp", "fn", "fpn")] == [3, 1, 1, 0]
    assert float(detection["f"][0]) == pytest.approx(3 / 4)
