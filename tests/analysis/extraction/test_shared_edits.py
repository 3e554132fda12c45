"""Which references make an edit, by examples."""

from maege.analysis.extraction.shared_edits import Shared, shared_edits

SOURCE = "He go to school by the bus ."


def made(edited: str, *references: str) -> Shared:
    (found,) = shared_edits(SOURCE, [edited], references)
    return found


def test_a_reference_makes_an_edit_beside_others_of_its_own() -> None:
    edited = "He goes to school by the bus ."
    found = made(edited, "He goes to school by bus .", SOURCE, edited)
    assert (found, found.made_by) == (Shared(3, 2, 0), "2-3")


def test_half_of_a_change_is_made_otherwise() -> None:
    found = made("He go to school by a bus .", "He go to school on a bus .")
    assert (found, found.made_by) == (Shared(1, 0, 1), "otherwise")


def test_who_changes_the_place_otherwise_counts_beside_who_makes_the_edit() -> None:
    edited = "He go to school by bus ."
    assert made(edited, edited, "He go to school by a bus .") == Shared(2, 1, 1)


def test_of_an_edit_elsewhere_nobody_knows() -> None:
    found = made("He go to school by the bus !", "He goes to school by the bus .")
    assert (found, found.made_by) == (Shared(1, 0, 0), "untouched")


def test_what_changes_nothing_is_made_by_nobody() -> None:
    assert made(SOURCE, SOURCE, "He goes to school by the bus .") == Shared(2, 0, 0)


def test_many_are_four_or_more() -> None:
    edited = "He goes to school by the bus ."
    assert [made(edited, *[edited] * n).made_by for n in (1, 2, 3, 4, 9)] == [
        *("1", "2-3", "2-3"),
        *("4+", "4+"),
    ]
