"""M2: equal to a simple port; options, choices of annotators, and texts that are too long."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from m2_cases import all_statistics, choose_per_sentence, counts, edit, edit_sequence
from m2_plain import counts as plain_counts

from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.metrics import m2_search
from maege.analysis.metrics.families import GoldGroup
from maege.analysis.metrics.formula import f_of_counts
from maege.analysis.metrics.m2 import (
    BETA,
    M2,
    M2Score,
)

WORDS = st.lists(st.sampled_from("abc"), max_size=7)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, list[Annotation]]:
    source, hypothesis = draw(WORDS), draw(WORDS)
    annotations = []
    for _ in range(draw(st.integers(1, 2))):
        edits = []
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(source)))
            end = draw(st.integers(start, min(len(source), start + 2)))
            first = draw(st.integers(0, len(hypothesis)))
            last = draw(st.integers(first, min(len(hypothesis), first + 3)))
            other = draw(st.sampled_from(["", "a", "-NONE-", "a||b", "b  c"]))
            edits.append(edit(start, end, " ".join(hypothesis[first:last]), other))
        annotations.append(tuple(edits))
    return " ".join(source), " ".join(hypothesis), annotations


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(requests(), st.sampled_from([0, 1, 2, 5]), st.booleans())
def test_counts_equal_a_plain_port(
    request: tuple[str, str, list[Annotation]], max_unchanged: int, numbers_first_row: bool
) -> None:
    family = M2(max_unchanged_words=max_unchanged, numbers_first_row=numbers_first_row)
    plain = plain_counts(*request, max_unchanged, numbers_first_row)
    assert counts(*request, family) == [list(row) for row in plain]


def test_equal_gold_of_several_requests_does_not_mix() -> None:
    groups = [
        GoldGroup("a b c", ("1\x1f2\x1f\x1fX\x1f", None), ("a X c", "a b c", "")),
        GoldGroup("d e", (None, ""), ("d e f",)),
        GoldGroup("g", ("", ""), ()),
    ]
    first, second, third = M2().compute_gold(groups)
    assert first[:, 0].tolist() == [[1, 1, 1, 0], [0, 0, 1, 0], [0, 1, 1, 0]]
    assert np.isnan(first[:, 1]).all()
    assert np.isnan(second[:, 0]).all()
    assert second[:, 1].tolist() == [[0, 1, 0, 0]]
    assert third.shape == (0, 2, 4)
    assert M2().compute_gold([]) == []


@pytest.mark.parametrize(
    ("source", "hypothesis", "gold", "expected"),
    [
        ("", "", (), [0, 0, 0]),
        ("a b", "", (), [0, 1, 0]),
        ("", "a b", (), [0, 1, 0]),
        ("a b", "", (edit(0, 2, ""),), [1, 1, 1]),
        # What means something in M2 is text in texts.
        ("b", "-NONE-", (edit(0, 1, "-NONE-"),), [1, 1, 1]),
        ("b", "||", (edit(0, 1, "||"),), [1, 1, 1]),
        ("b", "a||b", (edit(0, 1, "a||b"),), [1, 1, 1]),
        ("b", "a", (edit(0, 1, "-NONE-"),), [0, 1, 1]),
        ("b", "a", (edit(0, 1, "||"),), [0, 1, 1]),
        ("b", "a", (edit(0, 1, "a||b"),), [0, 1, 1]),
        # Two spaces within a correction are an empty word; spaces at its ends are not.
        ("a", "b c", (edit(0, 1, "b  c"),), [0, 1, 1]),
        ("a", "b c", (edit(0, 1, " b c "),), [1, 1, 1]),
    ],
)
def test_counts_of_odd_texts_by_hand(
    source: str, hypothesis: str, gold: Annotation, expected: list[int]
) -> None:
    assert counts(source, hypothesis, [gold]) == [expected]


def test_white_space_and_case_are_edits_unless_ignored() -> None:
    source, hypothesis = "the web site is Big", "The website is large"
    assert counts(source, hypothesis, [()], M2(max_unchanged_words=0)) == [[0, 2, 0]]
    ignoring = M2(max_unchanged_words=0, ignore_whitespace_casing=True)
    assert counts(source, hypothesis, [()], ignoring) == [[0, 1, 0]]
    assert edit_sequence(source, hypothesis, (), 0, True) == (edit(4, 5, "large"),)

    gold = (edit(0, 1, "The"),)
    assert counts("the cat", "The cat", [gold]) == [[1, 1, 1]]
    ignoring = M2(ignore_whitespace_casing=True)
    assert counts("the cat", "The cat", [gold], ignoring) == [[0, 0, 1]]


@pytest.mark.parametrize(
    ("source", "hypothesis", "gold", "expected"),
    [
        # x and y before the first token are numbered 0 and 1, so y is at 1, not at 0.
        ("a b", "x y a b", (edit(0, 0, "x"), edit(0, 0, "y")), [1, 2, 2]),
        ("a b", "x y a b", (edit(0, 0, "x"), edit(1, 1, "y")), [2, 2, 2]),
        # One edit that covers both has the span 0 to 1: it is not an insertion, and "x y" for a is
        # no gold edit.
        ("a b", "x y a b", (edit(0, 0, "x y"),), [0, 1, 1]),
        ("a b", "x y a b", (edit(0, 1, "x y"),), [0, 1, 1]),
        # x instead of a starts at 0, wherever it is in the hypothesis.
        ("a b", "y x b", (edit(0, 0, "y"), edit(0, 1, "x")), [2, 2, 2]),
        # After the first token, positions are those of the source.
        ("a b", "a x y b", (edit(1, 1, "x y"),), [1, 1, 1]),
    ],
)
def test_insertions_before_the_first_token_may_be_numbered(
    source: str, hypothesis: str, gold: Annotation, expected: list[int]
) -> None:
    assert counts(source, hypothesis, [gold], M2(numbers_first_row=True)) == [expected]


def test_signature_names_every_parameter() -> None:
    family = M2(beta=1.0, max_unchanged_words=3)
    parameters = "beta:1|max_unchanged_words:3|ignore_whitespace_casing:no|silent:passed_over"
    assert family.signature() == f"m2_statistics|{parameters}|v:2"
    older = M2(beta=1.0, max_unchanged_words=3, numbers_first_row=True)
    assert older.signature() == f"m2_statistics|{parameters}|numbers_first_row:yes|v:2"


def test_impossible_edits_limits_and_annotators_are_refused() -> None:
    with pytest.raises(ValueError, match="tokens 2 to 1 in a sentence of 2: 'a b'"):
        counts("a b", "a c", [(edit(2, 1, "c"),)])
    with pytest.raises(ValueError, match="at least one annotator"):
        M2Score().choose(np.full((1, 2, 4), np.nan))


def test_gold_beyond_the_sentence_is_missed_and_hinders_nothing() -> None:
    inside, beyond = Edit(1, 2, "SVA", ("goes",)), Edit(2, 3, "Mec", (".",))
    for gold, count in (((inside,), 1), ((inside, beyond), 2)):
        (counts,) = M2().compute_gold(
            [GoldGroup("He go", (format_annotation(gold),), ("He goes",))]
        )
        assert counts[0, 0].tolist() == [1, 1, count, 0]


def test_long_sentences_are_exact_or_flagged() -> None:
    source = " ".join(f"a{number}" for number in range(5000))
    hypothesis = " ".join(f"b{number}" for number in range(5000))
    assert all_statistics(source, hypothesis, [()]).tolist() == [[0, 1, 0, 1]]

    words = [f"w{number}" for number in range(1000)]
    changed = [f"x{n}" if n % 100 == 50 else word for n, word in enumerate(words)]
    gold = (edit(50, 51, "x50"), edit(150, 151, "y"))
    assert counts(" ".join(words), " ".join(changed), [gold]) == [[1, 10, 2]]


def test_approximation_is_one_edit_between_equal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(m2_search, "MOST_ARCS", 0)
    gold = [(edit(1, 3, "x c y"),), (edit(1, 2, "x"),)]
    expected = [[1, 1, 1, 1], [0, 1, 1, 1]]
    assert all_statistics("a b c d", "a x c y d", gold).tolist() == expected


def test_f_of_sentences_by_hand() -> None:
    # 1.25 * 1 / (.25 * 2 + 3) and 1.25 * 2 / (.25 * 2 + 1), with a duplicate that counts twice.
    tp, proposed, gold = np.array([[0, 0, 0, 1, 2], [0, 2, 0, 3, 1], [0, 0, 3, 2, 2]])
    scores = f_of_counts(tp, proposed, gold, BETA)
    assert scores.tolist() == pytest.approx([1, 0, 0, 1.25 / 3.5, 2.5 / 1.5])
    assert np.isnan(f_of_counts(np.nan, np.nan, np.nan, BETA))


def test_choice_in_a_running_corpus_differs_from_the_sentence_alone() -> None:
    # For the sentence alone, annotator 1 has F 1.25 / 1.5 against 1.25 / 3.25, and also as the
    # first sentence of the corpus. After 0 of 40 proposed edits, 2 of 8 are better than 1 of 1: 2.5
    # / 50 against 1.25 / 41.5.
    bad = [[0, 40, 0], [np.nan] * 3]
    sentence = [[2, 8, 8], [1, 1, 2]]
    statistics = np.array([bad, sentence], dtype=float)
    assert choose_per_sentence(statistics).tolist() == [0, 1]
    assert M2Score().choose(statistics).tolist() == [0, 0]
    assert M2Score().choose(statistics[::-1]).tolist() == [1, 0]


def test_ties_go_to_agreement_then_to_size_then_to_the_first() -> None:
    # F is 0 for all. The values of .25 gold + proposed are 3, 1.5, 1.5.
    without_agreement = np.array([[[0, 2, 4], [0, 1, 2], [0, 1.25, 1]]])
    assert M2Score().choose(without_agreement).tolist() == [1]
    # F is .625 for both: 1.25 * 1 / 2 and 1.25 * 2 / 4.
    with_agreement = np.array([[[1, 1, 4], [2, 3, 4]]])
    assert M2Score().choose(with_agreement).tolist() == [1]
