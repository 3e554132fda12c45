"""The I-measure by hand, and the best mixture by brute force."""

import json
from math import prod
from pathlib import Path

import m2_cases  # noqa: F401 - puts imeasure_plain within reach
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from imeasure_plain import alignment, column_cost
from imeasure_plain import counts as plain_counts

from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.metrics import imeasure, imeasure_alignment
from maege.analysis.metrics.families import GoldGroup
from maege.analysis.metrics.imeasure import (
    STATISTICS,
    IMeasure,
    IMeasureMix,
    Tokens,
    gold_errors,
    improvement,
    measures,
    references,
)

COUNTS = STATISTICS.index("n_references")


def edit(start: int, end: int, *corrections: str, group: str = "") -> Edit:
    return Edit(start, end, "", corrections, group)


def statistics(
    family: IMeasure | IMeasureMix, source: str, hypothesis: str, *gold: Annotation | None
) -> dict[str, float]:
    texts = tuple(
        None if annotation is None else format_annotation(annotation) for annotation in gold
    )
    (rows,) = family.compute_gold([GoldGroup(source, texts, (hypothesis,))])
    assert rows.shape == (1, 1, len(STATISTICS))
    return dict(zip(STATISTICS, rows[0, 0].tolist(), strict=True))


def counts(row: dict[str, float], aspect: str) -> list[float]:
    return [row[f"{aspect}_{name}"] for name in ("tp", "tn", "fp", "fn", "fpn")]


def test_alignment_cases_of_the_original(shared: Path) -> None:
    cases = json.loads((shared / "golden/peers/imeasure_align_micro.json").read_text())
    assert len(cases) == 4
    for case in cases:
        source, hypothesis, reference = (
            tuple(case[name].split()) for name in ("src", "hyp", "ref")
        )
        columns = alignment((source, hypothesis, reference))
        assert [[token or "" for token in row] for row in zip(*columns, strict=True)] == (
            case["alignment"]
        )
        assert sum(map(column_cost, columns)) == case["cost"]


def test_tokens_are_counted_as_table_6_has_them() -> None:
    # The hypothesis has "goes" and the reference "went" for "go": a necessary change with a wrong
    # word. "the" is inserted without need, and "yesterday" is missed.
    row = statistics(
        IMeasure(),
        "he go to school",
        "he goes to the school",
        (edit(1, 2, "went"), edit(4, 4, "!")),
    )
    assert counts(row, "correction") == [0, 3, 2, 2, 1]
    assert counts(row, "detection") == [1, 3, 1, 1, 0]
    assert counts(row, "base_correction") == [0, 3, 0, 2, 0]
    assert counts(row, "base_detection") == [0, 3, 0, 2, 0]


def test_improvement_is_relative_to_the_source() -> None:
    system = np.array([0.9, 0.6, 0.3, 0.0, 1.0, 1.0, 0.0])
    base = np.array([0.6, 0.6, 0.6, 0.6, 0.6, 1.0, 0.0])
    assert improvement(system, base) == pytest.approx([0.75, 0, -0.5, -1, 1, 1, 0])
    assert set(map(float, measures(np.zeros(5)).values())) == {1}


@pytest.mark.parametrize("family", [IMeasure, IMeasureMix])
def test_signature_names_the_parameters(family: type[IMeasure | IMeasureMix]) -> None:
    name = family.name
    version = {"imeasure": 3, "imeasure_mix": 5}[name]
    assert family().signature() == f"{name}_statistics|w:2|v:{version}"


def test_mixing_takes_the_best_of_every_annotator() -> None:
    # Table 1 of the paper: no annotator has both corrections, but a mixture has.
    source = "This machines is designed for help people ."
    gold = (
        (
            edit(0, 1, "These", group="1"),
            edit(2, 3, "are", group="1"),
            edit(5, 6, "helping", group="2"),
        ),
        (edit(1, 2, "machine", group="1"), edit(4, 5, "to", group="2")),
    )
    hypothesis = "These machines are designed to help people ."
    alone = statistics(IMeasure(), source, hypothesis, *gold)
    mixed = statistics(IMeasureMix(), source, hypothesis, *gold)
    assert alone["n_references"] == 2
    assert counts(alone, "correction") == [2, 4, 1, 1, 0]
    assert mixed["n_references"] == 4
    assert counts(mixed, "correction") == [3, 5, 0, 0, 0]


def test_annotator_who_changed_nothing_has_the_source_as_reference() -> None:
    tokens = ("a", "b")
    change = (edit(0, 1, "x"),)
    assert references(tokens, [change, ()]) == [("x", "b"), tokens]
    assert references(tokens, [change, None]) == [("x", "b")]
    assert references(tokens, [None, ()]) == [tokens]
    (error,) = gold_errors(tokens, [change, ()])
    assert len(error) == 2
    (required,) = gold_errors(tokens, [change, None])
    assert len(required) == 1


def test_references_of_annotators_by_hand() -> None:
    tokens = ("we", "are", "diagonosed", "out", "with", "it")
    separately = (edit(2, 3, "diagnosed"), edit(3, 4, ""))
    at_once = (edit(2, 4, "diagnosed"),)
    (error,) = gold_errors(tokens, [separately, at_once])
    assert len(error) == 1

    assert references(("a",), [(edit(0, 1, ""),)]) == [("a",)]
    row = statistics(IMeasureMix(), "a", "a", (edit(0, 1, ""),))
    assert counts(row, "correction") == [0, 1, 0, 0, 0]

    (text,) = references(("a",), [(edit(0, 1, "b,c 1,000 e.g."),)])
    assert text == ("b", ",", "c", "1,000", "e.g", ".")

    row = statistics(IMeasureMix(), "a b", "", (edit(0, 1, "x"),))
    assert counts(row, "correction") == [0, 0, 2, 1, 1]
    assert row["approximated"] == 0


@pytest.mark.parametrize("family", [IMeasure(), IMeasureMix()])
def test_a_thousand_tokens_rewritten_are_exact(family: IMeasure | IMeasureMix) -> None:
    source, hypothesis, reference = (
        " ".join(f"{letter}{n}" for n in range(1000)) for letter in "shr"
    )
    row = statistics(family, source, hypothesis, (edit(0, 1000, reference),))
    # All three texts differ in every token: 9 per column, whereas three columns with two gaps cost
    # 12.
    assert counts(row, "correction") == [0, 0, 1000, 1000, 1000]
    assert counts(row, "base_correction") == [0, 0, 0, 1000, 0]
    assert row["approximated"] == 0


def test_alignments_of_too_many_cells_are_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imeasure_alignment, "MOST_CELLS", 3)
    row = statistics(IMeasure(), "a b c", "x a b", (edit(0, 2, "b a"),))
    # Aligned token by token: a x b, b a a, c b c.
    assert counts(row, "correction") == [1, 0, 2, 1, 1]
    assert row["approximated"] == 1


TOKENS = st.lists(st.sampled_from("abcd"), max_size=7).map(tuple)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[Tokens, list[Annotation]]:
    source: Tokens = draw(TOKENS)
    annotations = []
    for _ in range(draw(st.integers(1, 3))):
        edits = []
        position = 0
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(position, len(source)))
            end = draw(st.integers(start, min(start + 2, len(source))))
            text = " ".join(draw(st.lists(st.sampled_from("abcde"), max_size=2)))
            if start < end or text:
                edits.append(edit(start, end, text))
                position = end + (start == end)
            if position > len(source):
                break
        annotations.append(tuple(edits))
    return source, annotations


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(annotated(), TOKENS)
def test_best_mixture_is_the_best_of_trying_each(
    gold: tuple[Tokens, list[Annotation]], hypothesis: Tokens
) -> None:
    source, annotations = gold
    assume(prod(map(len, gold_errors(source, annotations))) <= 100)
    for family, mix in ((IMeasure(), False), (IMeasureMix(), True)):
        expected, _ = plain_counts(source, hypothesis, annotations, mix=mix)
        row = statistics(family, " ".join(source), " ".join(hypothesis), *annotations)
        assert list(row.values())[:COUNTS] == expected
        assert row["approximated"] == 0


def test_good_mixture_of_many_is_approximated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imeasure, "MOST_MIXTURES", 3)
    gold = ((edit(0, 1, "x"),), (edit(2, 3, "y"),))
    row = statistics(IMeasureMix(), "a b c", "x b y", *gold)
    assert row["approximated"] == 1
    assert row["n_references"] == 4
    # Both corrections, each by another annotator.
    assert counts(row, "correction") == [2, 1, 0, 0, 0]


def test_counts_are_the_same_whatever_pairs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = ((edit(0, 1, "x"),), (edit(2, 3, "y"),))
    unlimited = statistics(IMeasureMix(), "a b c", "x b y", *gold)
    # A pair of two texts of three tokens has 16 cells.
    monkeypatch.setattr(imeasure_alignment, "MOST_KEPT_CELLS", 20)
    assert statistics(IMeasureMix(), "a b c", "x b y", *gold) == unlimited
