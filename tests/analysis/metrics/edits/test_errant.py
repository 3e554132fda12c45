"""ERRANT's counts and its choice of annotators."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.metrics.errant import (
    BETA,
    Errant,
    ErrantScore,
    Matching,
    type_counts,
)
from maege.analysis.metrics.families import FloatArray, GoldGroup
from maege.analysis.metrics.formula import f_of_sums

# The annotations of every annotator, by sentence; None without a line.
Annotations = list[tuple[str | None, ...]]


def edit(start: int, end: int, correction: str, error_type: str = "R:OTHER") -> Edit:
    return Edit(start, end, error_type, (correction,))


def counts(
    hypotheses: list[list[Edit]], gold: list[list[Edit] | None], matching: Matching = "cs"
) -> FloatArray:
    annotations = tuple(None if edits is None else format_annotation(edits) for edits in gold)
    group = GoldGroup("", annotations, tuple(format_annotation(edits) for edits in hypotheses))
    return Errant(matching).compute_gold([group])[0]


def read_m2(*paths: Path) -> Annotations:
    """Return the annotations of two annotators of each file, read as in compare."""
    result: list[dict[int, list[Edit]]] = []
    for number, path in enumerate(paths):
        blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
        result = result or [{} for _ in blocks]
        for annotators, block in zip(result, blocks, strict=True):
            for line in block.split("\n")[1:]:
                span, error_type, correction, *_, annotator = line[2:].split("|||")
                start, end = map(int, span.split())
                edits = annotators.setdefault(2 * number + int(annotator), [])
                if error_type != "noop":
                    edits.append(edit(start, end, correction, error_type))
    # A sentence without any annotator has one annotator without edits.
    return [
        tuple(
            format_annotation(annotators[n]) if n in annotators else None
            for n in range(2 * len(paths))
        )
        for annotators in (annotators or {0: []} for annotators in result)
    ]


def statistics_of(
    hypotheses: Annotations, gold: Annotations, matching: Matching = "cs"
) -> FloatArray:
    """Return (sentences, hypothesis annotators x gold annotators, 3); NaN without a line."""
    groups = [
        GoldGroup("", annotations, tuple("" if text is None else text for text in proposed))
        for proposed, annotations in zip(hypotheses, gold, strict=True)
    ]
    statistics = np.stack(Errant(matching).compute_gold(groups))
    absent = [[text is None for text in proposed] for proposed in hypotheses]
    statistics[np.array(absent)] = np.nan
    return statistics.reshape(len(groups), -1, 3)


def chosen_sums(statistics: FloatArray) -> list[int]:
    best = ErrantScore().choose(statistics)
    chosen = np.take_along_axis(statistics, best[..., np.newaxis, np.newaxis], axis=-2)
    return [int(total) for total in chosen.sum(axis=(-3, -2))]


def f_of_chosen(tp: int, fp: int, fn: int) -> float:
    return round(float(f_of_sums(np.array([tp, tp + fp, tp + fn], np.float64), BETA)), 4)


def test_matches_of_edits_by_hand() -> None:
    hypothesis = [edit(0, 1, "a", "R:DET"), edit(2, 3, "b"), edit(4, 4, "c")]
    gold = [edit(0, 1, "a", "R:SPELL"), edit(2, 3, "B"), edit(5, 5, "c")]
    assert counts([hypothesis], [gold]).tolist() == [[[1, 2, 2]]]
    assert counts([hypothesis], [gold], "cse").tolist() == [[[0, 3, 3]]]
    assert counts([hypothesis], [gold], "ds").tolist() == [[[2, 1, 1]]]

    hypothesis = [edit(0, 1, "a", "R:DET"), edit(2, 3, "b", "R:DET")]
    gold = [edit(0, 1, "a", "R:SPELL"), edit(5, 6, "c", "R:DET"), edit(7, 8, "", "UNK")]
    assert type_counts(hypothesis, gold) == {"R:DET": (0, 1, 1), "R:SPELL": (1, 0, 0)}

    result = counts([[edit(0, 1, "a")], []], [None, []])
    assert np.isnan(result[:, 0]).all()
    assert result[:, 1].tolist() == [[0, 1, 0], [0, 0, 0]]


def test_detection_splits_spans_and_needs_no_correction() -> None:
    hypothesis = [edit(0, 3, "a")]
    gold = [edit(1, 1, "b"), edit(2, 4, "")]
    assert counts([hypothesis], [gold], "dt").tolist() == [[[2, 1, 1]]]

    hypothesis, gold = [edit(0, 1, "a")], [edit(0, 1, "a", "UNK"), edit(3, 4, "b")]
    assert counts([hypothesis], [gold]).tolist() == [[[0, 1, 1]]]
    assert counts([hypothesis], [gold], "ds").tolist() == [[[1, 0, 1]]]


def test_duplicates_of_the_gold_count_each_and_those_of_the_hypothesis_when_wrong() -> None:
    twice = [edit(0, 1, "a"), edit(0, 1, "a")]
    once = twice[:1]
    assert counts([once], [twice]).tolist() == [[[2, 0, 0]]]
    assert counts([twice], [once]).tolist() == [[[1, 0, 0]]]
    assert counts([twice], [[]]).tolist() == [[[0, 2, 0]]]
    assert counts([[]], [twice]).tolist() == [[[0, 0, 2]]]


def test_a_sentence_is_scored_against_its_best_annotator_with_a_line() -> None:
    absent = [np.nan] * 3
    statistics = np.array([[[1.0, 1, 1], [0, 2, 1]], [absent, [0, 1, 0]]])
    assert ErrantScore().sentence_scores({"errant": statistics}).tolist() == [0.5, 0]


def test_annotators_are_chosen_over_all_sentences_by_rounded_scores() -> None:
    # F of (tp, fp, fn) = (1, 3, 0) is .294, of (2, 2, 6) .417. After ten correct edits F of (11, 3,
    # 0) is .821, of (12, 2, 6) .811.
    sentence = [[1.0, 3, 0], [2, 2, 6]]
    assert ErrantScore().choose(np.array([sentence])).tolist() == [1]
    assert ErrantScore().choose(np.array([[[10.0, 0, 0]] * 2, sentence])).tolist() == [0, 0]

    # After 10000 correct edits, F of (10000, 0, 1) is .99998 and of (10000, 1, 0) .99992, rounded
    # 1.0 and .9999. F of (10000, 0, 2) is .99996, rounded 1.0 as well. Both have tp 0 and fp 0 in
    # this sentence.
    so_far = [[10000.0, 0, 0]] * 2
    assert ErrantScore().choose(np.array([so_far, [[0.0, 0, 2], [0, 0, 1]]])).tolist() == [0, 1]
    # (10001, 0, 3): .99994 -> .9999; (10000, 0, 2): .99996 -> 1.0, although tp is smaller.
    assert ErrantScore().choose(np.array([so_far, [[1.0, 0, 3], [0, 0, 2]]])).tolist() == [0, 1]


@pytest.fixture(scope="module")
def m2_files(shared: Path) -> dict[str, Annotations]:
    data = shared / "data" / "conll14"
    rewrites = {
        f"{name}.m2": read_m2(data / "reassess16" / "m2" / f"{name}.m2")
        for name in ("EXPMIN", "TURKMIN", "EXPFLUENCY")
    }
    return {
        **rewrites,
        "NUCLE.m2": read_m2(data / "noalt" / "official-2014.combined.m2"),
        "BN.m2": read_m2(*(data / "bn15" / f"A{number}.m2" for number in range(1, 11))),
    }


@pytest.mark.slow
def test_counts_equal_compares(
    peer_rows: Callable[[str], list[dict[str, str]]], m2_files: dict[str, Annotations]
) -> None:
    rows = peer_rows("errant_compare.tsv")
    matchings: dict[str, Matching] = {"-cs": "cs", "-ds": "ds", "-dt": "dt"}
    assert {row["options"] for row in rows} == set(matchings)
    for row in rows:
        statistics = statistics_of(
            m2_files[row["hyp"]], m2_files[row["ref"]], matchings[row["options"]]
        )
        sums = chosen_sums(statistics)
        assert sums == [int(row[name]) for name in ("tp", "fp", "fn")], row
        assert f_of_chosen(*sums) == float(row["f05"]), row


def test_official_scores_follow_from_errants_own_files(
    shared: Path, errant_f: dict[str, float]
) -> None:
    folder = shared / "data" / "conll14" / "errant"
    gold = read_m2(folder / "conll14.errant")
    sums = {
        name: chosen_sums(statistics_of(read_m2(folder / f"conll14-{name}.errant"), gold))
        for name in errant_f
    }
    assert {name: f_of_chosen(*counts) for name, counts in sums.items()} == errant_f
    assert sums["AMU"] == [483, 795, 1934]
