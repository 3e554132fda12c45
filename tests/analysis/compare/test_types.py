"""Error types in languages that ERRANT has no rules for."""

import pytest

from maege.analysis.compare.edits.types import typed_by_place
from maege.analysis.edits import Edit

GOLD = (
    Edit(1, 3, "F/Calque", ("бере участь",)),
    Edit(3, 4, "G/Case", ("змаганнях",)),
    Edit(6, 6, "M", (",",)),
)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        # It shares two tokens with the first.
        (Edit(1, 3, "R", ("брав участь",)), "F/Calque"),
        # One token of each: the first counts.
        (Edit(2, 4, "R", ("x",)), "F/Calque"),
        # It shares a token with the second and stands beside the first.
        (Edit(3, 5, "R", ("x",)), "G/Case"),
        # An insertion beside an edit is at its place.
        (Edit(4, 4, "M", ("x",)), "G/Case"),
        # Beside an edit, but no insertion.
        (Edit(4, 5, "R", ("x",)), "R"),
        # Nobody changed anything there, or who did named the operation alone.
        (Edit(7, 8, "U", ("",)), "U"),
        (Edit(6, 6, "M", (";",)), "M"),
        # A type that its file gives it stays.
        (Edit(1, 2, "Spelling", ("x",)), "Spelling"),
    ],
)
def test_an_edit_has_the_type_of_the_golds_at_its_place(edit: Edit, expected: str) -> None:
    assert [each.error_type for each in typed_by_place((edit,), GOLD)] == [expected]
