"""Chunks, counts and scores of CLEME and CLEME2.0, computed by hand."""

import numpy as np
import pytest
from m2_cases import edit

from maege.analysis.edits import Annotation, format_annotation
from maege.analysis.metrics.cleme import (
    AS_RUN,
    DECLARED,
    Chunk,
    ChunkRow,
    Cleme2IndependentScore,
    Cleme2Score,
    ClemeDependent,
    ClemeIndependent,
    ClemeIndependentScore,
    ClemeLengths,
    ClemeLengthScore,
    ClemeLengthsIndependent,
    ClemeScore,
    Partition,
    chunk_rows,
    chunk_weight,
    weighted,
)
from maege.analysis.metrics.families import FloatArray, GoldGroup

SOURCE = "a b c d e"


def chunks(hypothesis: Annotation, *gold: Annotation | None, source: str = SOURCE) -> list[Chunk]:
    return Partition(source.split(), gold).changed(hypothesis)


def counts(
    hypothesis: Annotation, *gold: Annotation | None, source: str = SOURCE
) -> tuple[list[list[float]], list[float]]:
    """Return tp, fp_ne, fp_un, fn and tn against each reference, and against all references."""
    texts = tuple(None if edits is None else format_annotation(edits) for edits in gold)
    group = GoldGroup(source, texts, (format_annotation(hypothesis),))
    dependent, independent = (
        family.compute_gold([group])[0][0] for family in (ClemeDependent(), ClemeIndependent())
    )
    return dependent.tolist(), independent[0].tolist()


def rows(*counted: list[float]) -> FloatArray:
    return np.array([[counted]])


def test_chunks_by_hand() -> None:
    (chunk,) = chunks((edit(1, 2, "B"),), (edit(2, 3, "C"),), (edit(3, 3, "x"),))
    assert chunk == Chunk(1, 3, "b c", "B c", ("b C", "b c x"))

    first, second = chunks((edit(1, 2, "B"),), (edit(3, 4, ""),))
    assert first == Chunk(1, 2, "b", "B", (None,))
    assert second == Chunk(3, 4, "d", None, ("",))

    assert chunks((), (edit(2, 2, "x y"),)) == [Chunk(2, 2, "", None, ("x y",))]


def test_each_reference_has_its_own_counts() -> None:
    # The hypothesis changes b like the first reference, changes d differently, and alone changes e.
    # The second reference changes b and a.
    hypothesis = (edit(1, 2, "B"), edit(3, 4, "D"))
    dependent, independent = counts(
        hypothesis, (edit(1, 2, "B"), edit(3, 4, "x")), (), source="a b c d e"
    )
    assert dependent == [[1, 1, 0, 0, 3], [0, 0, 2, 0, 3]]
    assert independent == [1, 1, 0, 0, 3]


def test_references_without_lines_or_words_by_hand() -> None:
    annotation = (edit(1, 2, "b"),)
    assert counts(annotation, ()) == ([[1, 0, 0, 0, 2]], [1, 0, 0, 0, 2])
    # A change by one reference only is no error unless all references together decide.
    assert counts((), annotation) == ([[0, 0, 0, 0, 3]], [0, 0, 0, 1, 2])

    dependent, independent = counts((), None, (edit(1, 2, "B"),), None)
    assert np.isnan(dependent[0]).all()
    assert np.isnan(dependent[2]).all()
    assert dependent[1] == independent == [0, 0, 0, 1, 2]

    deleted = (edit(0, 5, ""),)
    dependent, independent = counts((), deleted, (edit(1, 2, "B"),))
    assert np.isnan(dependent[0]).all()
    assert dependent[1] == independent == [0, 0, 0, 1, 2]
    assert counts((), deleted, deleted)[0][0] == [0, 0, 0, 1, 0]

    dependent, _ = counts((edit(0, 5, ""),), (edit(1, 2, "B"),))
    assert dependent == [[0, 1, 0, 0, 0]]


def test_cleme_is_f_of_the_best_reference_in_four_decimals() -> None:
    # P = 1/3, R = 1/2: F = 1.25 / 6 / (1/12 + 1/2) = .35714; P = R = 0.
    counted = rows([1, 1, 1, 1, 0], [0, 1, 2, 1, 0])
    assert ClemeScore().sentence_scores({"cleme": counted[0]}).tolist() == [0.3571]
    assert ClemeIndependentScore().of_sums(np.array([0.0, 0, 0, 0, 3])) == 1
    assert ClemeIndependentScore().of_sums(np.array([0.0, 0, 0, 2, 3])) == 0


def test_doing_nothing_where_nothing_is_to_do_is_not_perfect_for_cleme2() -> None:
    nothing = np.array([0.0, 0, 0, 0, 1])
    # 1 - wrong, 1 - under and 1 - over, but no hit.
    assert Cleme2IndependentScore().of_sums(nothing) == pytest.approx(0.35 + 0.15 + 0.05)
    scores = Cleme2Score().sentence_scores({"cleme": rows([0, 0, 0, 0, 1])[0]})
    assert scores.tolist() == [pytest.approx(0.25 + 0.2 + 0.2)]


def test_cleme2_weighs_hits_and_three_kinds_of_faults() -> None:
    # Of eight errors, four are hit, two are changed wrongly and two are missed. One of seven edits
    # is unnecessary.
    sums = np.array([4.0, 2, 1, 2, 9])
    expected = 0.45 * 4 / 8 + 0.35 * 6 / 8 + 0.15 * 6 / 8 + 0.05 * 6 / 7
    assert Cleme2Score().of_sums(sums) == pytest.approx(expected)
    numbers = Cleme2Score().reported(sums[np.newaxis])["correction"]
    reported = {name: float(values[0]) for name, values in numbers.items() if name != "f"}
    assert reported == {
        "tp": 4,
        "fp": 3,
        "fpn": 2,
        "fn": 2,
        "tn": 9,
        "hit": 0.5,
        "wrong": 0.25,
        "under": 0.25,
        "over": 1 / 7,
        # 4/7, 4/6, and 13 of 18 chunks.
        "p": 0.5714,
        "r": 0.6667,
        "acc": 0.7222,
    }


def test_a_corpus_takes_the_reference_that_serves_its_score() -> None:
    # For the single sentence the first reference is best (F 1), and for the corpus as well.
    sentence = [[1.0, 0, 0, 0, 0], [2, 0, 1, 0, 0]]
    assert ClemeScore().choose(np.array([[sentence]])).tolist() == [[0]]
    # After many misses, two correct of three edits raise the score more than one of one.
    before = [[0.0, 0, 0, 9, 0]] * 2
    assert ClemeScore().choose(np.array([[before, sentence]])).tolist() == [[0, 1]]


def test_rows_hold_the_words_of_all_and_a_verdict() -> None:
    gold = [(edit(0, 1, "A"), edit(2, 3, "C"), edit(4, 5, "E")), (edit(4, 5, "F"),)]
    hypothesis = (edit(0, 1, "A"), edit(2, 3, "x"), edit(6, 6, "y"))
    texts = [format_annotation(edits) for edits in gold]
    (rows,) = chunk_rows("a b c d e f g h", [None, *texts], [format_annotation(hypothesis)])
    positions = [1, 2]
    assert rows == [
        ChunkRow(0, 0, 1, "a", "A", positions, ["A", "a"], "right"),
        ChunkRow(1, 2, 3, "c", "x", positions, ["C", "c"], "wrong"),
        ChunkRow(2, 4, 5, "e", "e", positions, ["E", "F"], "missed"),
        ChunkRow(3, 6, 6, "", "y", positions, ["", ""], "unnecessary"),
    ]
    (unchanged,) = chunk_rows("a b c d e", texts, [""])
    assert [row.verdict for row in unchanged] == ["optional", "optional", "missed"]


def test_weights_rise_with_length_between_their_bounds() -> None:
    # The weight is 2 / (1 + e^-(l - m)): 1 at l = m, 1.2449 for half a token more, and the limits
    # further away.
    weights = chunk_weight([-5.0, 0, 0.5, 5], *AS_RUN[0])
    assert weights.tolist() == pytest.approx([0.75, 1, 1.244919, 1.25])
    # 10 / (1 + 9 e^-1), and the limit for long chunks.
    weights = chunk_weight([-1.0, 1, 1000], *DECLARED[0])
    assert weights.tolist() == pytest.approx([1, 2.319693, 10])


def ten_tokens(gold: Annotation, hypothesis: Annotation) -> GoldGroup:
    return GoldGroup(
        "a b c d e f g h i j", (format_annotation(gold),), (format_annotation(hypothesis),)
    )


GOLD = edit(0, 4, "A B C D"), edit(5, 6, "F"), edit(7, 8, "")
HYPOTHESIS = edit(0, 4, "A B C D"), edit(5, 6, "x y"), edit(9, 9, "z")


def test_long_chunks_are_worth_more_if_right_or_missed_and_less_if_wrong() -> None:
    group = ten_tokens(GOLD, HYPOTHESIS)
    family = ClemeLengths()
    statistics = family.compute_gold([group])[0]
    factors = {
        name: value
        for name, value in zip(family.statistics, statistics[0, 0].tolist(), strict=True)
        if value
    }
    # m is (4 + 1 + 1) / 3 = 2. The TP is longer, one FP has length 2, and the other FP and the FN
    # are shorter.
    assert factors == {
        "tp_4": 1,
        "fp_1": 1,
        "fp_2": 1,
        "fn_1": 1,
        "tn": 4,
        "changed": 3,
        "changed_tokens": 6,
        "tp_as_run": 1.25,
        "fp_as_run": 2.25,
        "fn_as_run": 0.75,
        "tp_declared": pytest.approx(10 / (1 + 9 * np.exp(-2))),
        "fp_declared": 2,
        "fn_declared": 1,
    }
    # P = 1.25 / 3.5, R = 1.25 / 2.
    assert ClemeLengthScore().of_sums(statistics[0, 0]) == 0.3906


def test_without_a_change_to_measure_all_chunks_weigh_one() -> None:
    group = GoldGroup("a b c", ("",), (format_annotation((edit(0, 1, "x"), edit(2, 3, "y"))),))
    (row,) = ClemeLengthsIndependent().compute_gold([group])[0][0]
    assert weighted(row, AS_RUN).tolist() == [0, 2, 0]
    assert ClemeLengthScore().of_sums(row) == 0


def test_sentences_of_an_output_are_weighed_by_the_lengths_of_all() -> None:
    short = (edit(0, 1, "A"), edit(2, 3, ""), edit(4, 5, "E"))
    groups = [ten_tokens(GOLD, HYPOTHESIS), ten_tokens(short, short)]
    statistics = np.stack(ClemeLengths().compute_gold(groups), axis=1)
    # m is 9 / 6. The FPs with .5 tokens more and less weigh 2 together, and the FN weighs 2 / (1 +
    # e^.5) = .7551: 1.25 * 1.25 / (3.25 + .25 * 2.0051). For the sentence alone m is 2 and the
    # score .3906.
    assert ClemeLengthScore().scores_in_corpus(statistics).tolist() == [[0.4165, 1]]
