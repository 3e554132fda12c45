"""Edits without a spaCy pipeline."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.edits import Edit
from maege.analysis.extraction.errant_edits import corrected_text
from maege.analysis.extraction.plain_alignment import extract_plain

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "A"]), max_size=12).map(" ".join)


def test_adjacent_changes_are_one_edit_with_the_letter_of_its_operation() -> None:
    assert extract_plain("He go to the the home .", "Yesterday he went home .") == (
        Edit(0, 5, "R", ("Yesterday he went",)),
    )
    assert extract_plain("a b c e", "a c e d") == (
        Edit(1, 2, "U", ("",)),
        Edit(4, 4, "M", ("d",)),
    )


def test_texts_without_tokens_have_edits() -> None:
    assert extract_plain("", "") == ()
    assert extract_plain("", "a b") == (Edit(0, 0, "M", ("a b",)),)
    assert extract_plain("a b", " ") == (Edit(0, 2, "U", ("",)),)


@given(TEXTS, TEXTS)
def test_edits_lead_from_source_to_target_and_never_touch(source: str, target: str) -> None:
    edits = extract_plain(source, target)
    assert corrected_text(source, edits) == target
    assert all(before.end < after.start for before, after in pairwise(edits))
