"""Parallel extraction of edits, and types of edits."""

from collections.abc import Sequence

import pytest

from maege.analysis.compare.gold import Extraction
from maege.analysis.compare.types import typed_by_place
from maege.analysis.edits import Edit
from maege.analysis.extraction import parses
from maege.analysis.extraction.parses import Parse, parse_texts
from maege.analysis.extraction.pipeline import Missing, pipeline_status

# --- Parses of sources, which are reused for the next system ---

SOURCE = "He go home ."


@pytest.mark.skipif(isinstance(pipeline_status(), Missing), reason="needs ERRANT and its pipeline")
def test_a_source_is_parsed_once_for_all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def parse(texts: Sequence[str]) -> list[Parse]:
        parsed.extend(texts)
        return parse_texts(texts)

    monkeypatch.setattr(parses, "parse_texts", parse)
    extraction = Extraction("en")
    for target, error_type in (("goes", "R:VERB:SVA"), ("went", "R:VERB:TENSE")):
        pair = (SOURCE, SOURCE.replace("go", target))
        assert extraction.edits([pair])[pair] == (Edit(1, 2, error_type, (target,)),)
    assert parsed == [SOURCE, "He goes home .", "He went home ."]


# --- Error types in languages that ERRANT has no rules for ---

GOLD = (
    Edit(1, 3, "F/Calque", ("бере участь",)),
    Edit(3, 4, "G/Case", ("змаганнях",)),
    Edit(6, 6, "M", (",",)),
)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        # The edit shares two tokens with the first gold edit.
        (Edit(1, 3, "R", ("брав участь",)), "F/Calque"),
        # The edit shares one token with each gold edit: the first one counts.
        (Edit(2, 4, "R", ("x",)), "F/Calque"),
        # The edit shares a token with the second gold edit and is adjacent to the first.
        (Edit(3, 5, "R", ("x",)), "G/Case"),
        # An insertion next to an edit gets that edit's type.
        (Edit(4, 4, "M", ("x",)), "G/Case"),
        # The edit is adjacent to a gold edit, but is not an insertion.
        (Edit(4, 5, "R", ("x",)), "R"),
        # No annotator has an edit there, or the annotator gave only the operation.
        (Edit(7, 8, "U", ("",)), "U"),
        (Edit(6, 6, "M", (";",)), "M"),
        # Types in the system's file are kept.
        (Edit(1, 2, "Spelling", ("x",)), "Spelling"),
    ],
)
def test_an_edit_has_the_type_of_the_golds_at_its_place(edit: Edit, expected: str) -> None:
    assert [typed_edit.error_type for typed_edit in typed_by_place((edit,), GOLD)] == [expected]
