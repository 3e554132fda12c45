"""Which references make an edit, by examples."""

from maege.analysis.extraction.plain_alignment import Shared, shared_edits

SOURCE = "He go to school by the bus ."


def shares(edited: str, *references: str) -> Shared:
    (edit_shares,) = shared_edits(SOURCE, [edited], references)
    return edit_shares


def test_references_that_make_an_edit_by_hand() -> None:
    edited = "He goes to school by the bus ."
    edit_shares = shares(edited, "He goes to school by bus .", SOURCE, edited)
    assert (edit_shares, edit_shares.made_by) == (Shared(3, 2, 0), "2-3")

    edit_shares = shares("He go to school by a bus .", "He go to school on a bus .")
    assert (edit_shares, edit_shares.made_by) == (Shared(1, 0, 1), "otherwise")

    edited = "He go to school by bus ."
    assert shares(edited, edited, "He go to school by a bus .") == Shared(2, 1, 1)

    edit_shares = shares("He go to school by the bus !", "He goes to school by the bus .")
    assert (edit_shares, edit_shares.made_by) == (Shared(1, 0, 0), "untouched")

    assert shares(SOURCE, SOURCE, "He goes to school by the bus .") == Shared(2, 0, 0)


def test_many_are_four_or_more() -> None:
    edited = "He goes to school by the bus ."
    assert [shares(edited, *[edited] * n).made_by for n in (1, 2, 3, 4, 9)] == [
        *("1", "2-3", "2-3"),
        *("4+", "4+"),
    ]
