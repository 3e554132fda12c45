"""Which references make an edit, by examples."""

from maege.analysis.extraction.plain_alignment import Shared, shared_edits

SOURCE = "He go to school by the bus ."


def made(edited: str, *references: str) -> Shared:
    (found,) = shared_edits(SOURCE, [edited], references)
    return found


def test_reference_makes_an_edit_together_with_others() -> None:
    edited = "He goes to school by the bus ."
    found = made(edited, "He goes to school by bus .", SOURCE, edited)
    assert (found, found.made_by) == (Shared(3, 2, 0), "2-3")


def test_half_of_a_change_counts_as_otherwise() -> None:
    found = made("He go to school by a bus .", "He go to school on a bus .")
    assert (found, found.made_by) == (Shared(1, 0, 1), "otherwise")


def test_other_changes_of_the_place_are_counted_as_well() -> None:
    edited = "He go to school by bus ."
    assert made(edited, edited, "He go to school by a bus .") == Shared(2, 1, 1)


def test_edit_that_no_reference_touches_is_untouched() -> None:
    found = made("He go to school by the bus !", "He goes to school by the bus .")
    assert (found, found.made_by) == (Shared(1, 0, 0), "untouched")


def test_unchanged_text_is_made_by_no_reference() -> None:
    assert made(SOURCE, SOURCE, "He goes to school by the bus .") == Shared(2, 0, 0)


def test_many_are_four_or_more() -> None:
    edited = "He goes to school by the bus ."
    assert [made(edited, *[edited] * n).made_by for n in (1, 2, 3, 4, 9)] == [
        *("1", "2-3", "2-3"),
        *("4+", "4+"),
    ]
