"""Chunks, weights and scores of GoToScorer, computed by hand."""

import numpy as np
import pytest

from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.metrics.families import GoldGroup
from maege.analysis.metrics.gotoscorer import (
    GoToScore,
    GoToScorer,
    GoToScorerChunks,
    UnweightedGoToScore,
)

SOURCE = "he go to school"


def edit(start: int, end: int, correction: str, error_type: str = "") -> Edit:
    return Edit(start, end, error_type, tuple(correction.split("||")))


GOES, NO_TO = edit(1, 2, "goes"), edit(2, 3, "")
# One system corrects the verb, one makes another edit, one leaves the sentence unchanged.
SYSTEMS: tuple[Annotation, ...] = ((GOES,), (edit(1, 2, "went"),), ())


def weighed(*hypotheses: Annotation, gold: Annotation = (GOES, NO_TO)) -> list[list[float]]:
    texts, outputs = (
        tuple(map(format_annotation, annotations)) for annotations in (hypotheses, SYSTEMS)
    )
    group = GoldGroup(SOURCE, (format_annotation(gold),), texts, outputs)
    rows: list[list[float]] = GoToScorer().compute_gold([group])[0][:, 0].tolist()
    return rows


def counted(hypothesis: Annotation, gold: Annotation = (GOES, NO_TO)) -> list[float]:
    """Return tp, fp, fn, tn and the number of chunks."""
    group = GoldGroup(SOURCE, (format_annotation(gold),), (format_annotation(hypothesis),))
    row: list[float] = GoToScorerChunks().compute_gold([group])[0][0, 0].tolist()
    return row


def test_edits_without_a_correction_or_outside_are_left_out() -> None:
    assert counted((), gold=(edit(0, 1, "", "UNK"), edit(0, 1, "x", "Um"))) == counted((), gold=())

    beyond = edit(4, 5, "x")
    assert counted((), gold=(GOES, beyond)) == counted((), gold=(GOES,))
    with pytest.raises(ValueError, match="tokens 4 to 5 in a sentence of 4"):
        counted((beyond,))


def test_weights_of_chunks_by_hand() -> None:
    # 2 of 3 systems miss the verb, all miss the preposition, and there are no other errors.
    right, other, nothing = weighed(*SYSTEMS)
    assert right == [2, 0, 3, 0, 5, 1, 0, 1, 7, 3]
    assert other == [0, 2, 5, 0, 5, 0, 1, 2, 7, 3]
    assert nothing == [0, 0, 5, 0, 5, 0, 0, 2, 7, 3]

    ((*weights, _),) = weighed((NO_TO, edit(3, 3, "the")))
    # The unnecessary article has no weight if all systems are right about that chunk.
    assert weights == [3, 0, 2, 0, 5, 1, 1, 1, 6]


def test_edits_of_chunks_by_hand() -> None:
    assert counted((edit(1, 3, "goes to"),)) == [0, 2, 2, 7, 9]
    assert counted((edit(1, 1, "will"),)) == [0, 2, 2, 6, 9]
    assert counted((edit(1, 1, "will"), GOES)) == [1, 1, 1, 6, 9]
    assert counted((GOES,), gold=(GOES, GOES)) == [2, 0, 0, 9, 11]
    assert counted((GOES, GOES), gold=(GOES,)) == [1, 0, 0, 8, 9]
    assert counted((GOES,), gold=(edit(1, 2, "goes||went"),)) == [0, 1, 1, 8, 9]


def test_a_deleted_sentence_misses_all_and_an_empty_one_has_one_chunk() -> None:
    assert counted((edit(0, 4, ""),)) == [0, 4, 2, 5, 9]
    group = GoldGroup("", ("",), ("", format_annotation([edit(0, 0, "yes")])))
    assert GoToScorerChunks().compute_gold([group])[0][:, 0].tolist() == [
        [0, 0, 0, 1, 1],
        [0, 1, 0, 0, 1],
    ]


def test_an_annotator_without_a_line_has_no_statistics() -> None:
    group = GoldGroup(SOURCE, (None, ""), ("",), ("",))
    absent, present = GoToScorer().compute_gold([group])[0][0]
    assert np.isnan(absent).all()
    assert present.tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 9, 1]


def test_scores_are_f_of_weights_and_nothing_is_worth_nothing() -> None:
    rows = np.array(weighed(*SYSTEMS))
    # 1.25 * 2 / (1.25 * 2 + .25 * 3)
    assert GoToScore().of_sums(rows).tolist() == pytest.approx([2.5 / 3.25, 0, 0])
    reported = GoToScore().reported(rows)["correction"]
    assert {name: values[0] for name, values in reported.items()} == pytest.approx(
        {"tp": 1, "fp": 0, "fn": 1, "tn": 7, "p": 1, "r": 0.4, "f": 2.5 / 3.25, "acc": 0.4}
    )
    # Unweighted, one of two is correct.
    numbers = np.array([counted((GOES,)), counted((), gold=())])
    assert UnweightedGoToScore().of_sums(numbers).tolist() == pytest.approx([1.25 / 1.5, 0])


def test_a_corpus_chooses_the_annotator_who_brings_it_highest_so_far() -> None:
    # The second sentence misses two chunks of one annotator. Compared with the other annotator, it
    # has one correct, one wrong and one missed chunk.
    sums = [[[2, 0, 2], [2, 0, 2]], [[0, 0, 2], [1, 1, 1]]]
    statistics = np.array([[[[*counts, *[0] * 7] for counts in of] for of in sums]], np.float64)
    # F is 2.5 / 3 after the first sentence, then 2.5 / 3.5 or 3.75 / 5.5. For the single sentence
    # it is 0 or 1.25 / 2.5.
    assert GoToScore().choose(statistics).tolist() == [[0, 0]]
    assert GoToScore().addends(statistics)[0, :, :3].tolist() == [[2, 0, 2], [0, 0, 2]]
    alone = GoToScore().sentence_scores({"gotoscorer": statistics[0]})
    assert alone.tolist() == pytest.approx([2.5 / 3, 0.5])
