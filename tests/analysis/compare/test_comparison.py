"""Compare systems on a few sentences, with results worked out by hand.

No parser runs, because ERRANT does not support the language.
"""

import numpy as np
import pytest

from maege.analysis.compare.comparison import compare_systems
from maege.analysis.compare.gold import Cache, Gold, GoldInput, Inputs, Output, Settings
from maege.analysis.compare.results import Result
from maege.analysis.edits import Edit
from maege.analysis.statistics.significance import holm

SOURCES = ("He go home .", "I likes to drink a tea .", "Fine .")
GOES = Edit(1, 2, "R:VERB:SVA", ("goes",))
LIKE = Edit(1, 2, "R:VERB:SVA", ("like",))
NO_A = Edit(4, 5, "U:DET", ("",))
SOME = Edit(4, 5, "R:DET", ("some",))
GOLD = Gold(
    SOURCES,
    ("0", "1"),
    (
        {"0": (GOES,)},
        {"0": (LIKE, NO_A), "1": (LIKE, SOME)},
        {"0": ()},
    ),
)
BASE = ("He goes home .", "I like to drink a coffee .", "Fine !")
OURS = ("He goes home .", "I like to drink tea .", "Fine .")


def compared(*outputs: tuple[str, ...], times: int = 1, **settings: object) -> Result:
    """Compare outputs of the three sentences, repeated `times` times."""
    values = {"resamples": 200, "language": "xx", **settings}
    gold = Gold(SOURCES * times, GOLD.annotators, GOLD.annotations * times)
    return compare_systems(
        Inputs(
            GoldInput("gold.m2", "", gold),
            tuple(
                Output(f"s{n}", f"s{n}.txt", "", texts * times) for n, texts in enumerate(outputs)
            ),
            Settings(**values),  # type: ignore[arg-type]
            "0",
        ),
        Cache(),
    )


@pytest.fixture(scope="module")
def result() -> Result:
    return compared(BASE, OURS)


def test_counts_are_those_of_the_annotator_that_is_chosen(result: Result) -> None:
    base, ours = (system.scores["errant"].counts for system in result.systems)
    # Base: "goes" and "like" are correct; "coffee" and "!" are wrong. In the second sentence no
    # annotator has its edit.
    assert base is not None
    assert base[:3] == (2, 2, 1)
    # Ours: "goes", "like" and the deleted "a" are all edits of annotator 0.
    assert ours is not None
    assert ours == (3, 0, 0, 1, 1, 1)


def test_annotators_without_a_line_do_not_count(result: Result) -> None:
    assert [item.sentences for item in result.gold.annotators] == [3, 1]
    (comparison,) = (item for item in result.comparisons if item.metric == "errant")
    assert [item.n for item in comparison.by_annotator] == [3, 1]
    # With annotator 1 alone, base has 1 of 2 edits correct and misses 1: P = R = F = .5. Ours has
    # the same.
    assert comparison.by_annotator[1].difference == 0


def test_an_edit_is_on_the_list_that_the_annotators_put_it_on(result: Result) -> None:
    lists = {(change.list, change.sentence, change.correction): change for change in result.changes}
    assert set(lists) == {("gained", 1, ""), ("false_gone", 1, "coffee"), ("false_gone", 2, "!")}
    gained = lists["gained", 1, ""]
    assert (gained.have, gained.of) == (1, 2)
    assert not gained.not_counted
    (totals,) = result.totals
    assert (totals.gained, totals.gained_by_all, totals.both_right) == (1, 0, 2)


def test_sentences_say_what_is_right_and_what_is_missing(result: Result) -> None:
    base, ours = result.sentences[1].systems
    assert [(edit.have, edit.of) for edit in base.edits] == [(2, 2), (0, 2)]
    assert [edit.place.correction for edit in base.missed] == [""]
    assert [(edit.have, edit.of) for edit in ours.edits] == [(2, 2), (1, 2)]
    assert ours.missed == ()
    assert result.sentences[1].better == {"s1": "better"}
    assert result.sentences[0].better == {"s1": "same"}


def test_notes_say_how_errant_compare_differs() -> None:
    unclear = Edit(0, 1, "Um", ("",))
    either = Edit(1, 2, "R:VERB:SVA", ("goes", "went"))
    gold = Gold(SOURCES[:1], ("0",), ({"0": (unclear, either)},))
    inputs = Inputs(
        GoldInput("gold.m2", "", gold),
        (Output("s", "s.txt", "", BASE[:1]),),
        Settings(language="xx", resamples=0, gold_edits="given"),
        "0",
    )
    result = compare_systems(inputs, Cache())
    assert [note.kind for note in result.notes] == [
        "too_few",
        "detections",
        "alternatives",
        "types_by_place",
    ]
    counts = result.systems[0].scores["errant"].counts
    assert counts is not None
    assert counts[:3] == (1, 0, 1)


def test_of_nineteen_sentences_nothing_is_inferred() -> None:
    result = compared(BASE, OURS, times=6, metrics=("errant",))
    assert [note.kind for note in result.notes if note.kind == "too_few"] == ["too_few"]
    (comparison,) = result.comparisons
    assert (comparison.mark, comparison.ci, comparison.p_holm) == ("untested", None, None)
    assert result.systems[0].scores["errant"].ranks is None
    assert result.systems[0].scores["errant"].ci is None
    assert result.smallest_difference is None
    enough = compared(BASE, OURS, times=7, metrics=("errant",)).comparisons[0]
    assert enough.p_holm is not None
    # The second annotator has a line in seven sentences.
    assert [annotator.p_value is None for annotator in enough.by_annotator] == [False, True]


def test_equal_outputs_and_one_system_alone_are_compared() -> None:
    result = compared(BASE, BASE, times=7, metrics=("errant",))
    (comparison,) = result.comparisons
    assert (comparison.mark, comparison.p_randomisation) == ("same_outputs", 1)
    assert "same_outputs" in [note.kind for note in result.notes]

    result = compared(OURS, times=7)
    assert result.comparisons == ()
    assert result.systems[0].scores["errant"].value == 1
    assert result.systems[0].scores["errant"].ci == (1, 1)


def test_systems_are_compared_with_the_first_or_all_with_all() -> None:
    with_base = compared(BASE, OURS, SOURCES, times=7, metrics=("errant",))
    assert [(comparison.a, comparison.b) for comparison in with_base.comparisons] == [
        ("s0", "s1"),
        ("s0", "s2"),
    ]
    all_pairs = compared(BASE, OURS, SOURCES, times=7, metrics=("errant",), all_pairs=True)
    assert [(comparison.a, comparison.b) for comparison in all_pairs.comparisons][-1] == (
        "s1",
        "s2",
    )
    # Holm's correction is for two tests with the base, and for three tests of all pairs.
    for result, n_tests in ((with_base, 2), (all_pairs, 3)):
        p_values = [comparison.p_randomisation for comparison in result.comparisons]
        assert len(p_values) == n_tests
        corrected = [comparison.p_holm for comparison in result.comparisons]
        assert corrected == pytest.approx(holm(np.array(p_values, np.float64)).tolist())
