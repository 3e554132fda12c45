"""Annotations do not change when they are stored as text."""

from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.edits import Edit, format_annotation, parse_annotation

WORDS = st.text(alphabet="ab ,'é", max_size=6)
EDITS = st.builds(
    Edit,
    start=st.integers(0, 99),
    end=st.integers(0, 99),
    error_type=st.sampled_from(["", "ArtOrDet", "R:NOUN:NUM"]),
    corrections=st.lists(WORDS, min_size=1, max_size=3).map(tuple),
    error_group=st.sampled_from(["", "1", "12"]),
)


@given(st.lists(EDITS).map(tuple))
def test_annotation_read_back_is_the_one_written(annotation: tuple[Edit, ...]) -> None:
    assert parse_annotation(format_annotation(annotation)) == annotation


def test_empty_words_and_texts_are_kept() -> None:
    annotation = (Edit(1, 2, "ArtOrDet", ("",)), Edit(4, 4, "Prep", ("", "on", "to the")))
    text = format_annotation(annotation)
    assert text == "1\x1f2\x1fArtOrDet\x1f\x1f\x1e4\x1f4\x1fPrep\x1f\x1con\x1cto the\x1f"
    assert parse_annotation(text) == annotation

    assert format_annotation(()) == ""
    assert parse_annotation("") == ()
