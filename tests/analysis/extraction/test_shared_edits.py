"""Which references make an edit, by examples."""

from maege.analysis.extraction.plain_alignment import Shared, shared_edits

SOURCE = "He go to school by the bus ."


def made(edited: str, *references: str) -> Shared:
    (found,) = shared_edits(SOURCE, [edited], references)
    return found


def test_references_that_make_an_edit_by_hand() -> None:
    edited = "He goes to school by the bus ."
    found = made(edited, "He goes to school by bus .", SOURCE, edited)
    assert (found, found.made_by) == (Shared(3, 2, 0), "2-3")

    found = made("He go to school by a bus .", "He go to school on a bus .")
    assert (found, found.made_by) == (Shared(1, 0, 1), "otherwise")

    edited = "He go to school by bus ."
    assert made(edited, edited, "He go to school by a bus .") == Shared(2, 1, 1)

    found = made("He go to school by the bus !", "He goes to school by the bus .")
    assert (found, found.made_by) == (Shared(1, 0, 0), "untouched")

    assert made(SOURCE, SOURCE, "He goes to school by the bus .") == Shared(2, 0, 0)


def test_many_are_four_or_more() -> None:
    edited = "He goes to school by the bus ."
    assert [made(edited, *[edited] * n).made_by for n in (1, 2, 3, 4, 9)] == [
        *("1", "2-3", "2-3"),
        *("4+", "4+"),
    ]
