"""Parses of sources, which the next system has as well."""

from collections.abc import Sequence

import pytest

from maege.analysis.compare.edits import parsing
from maege.analysis.compare.edits.parsing import extract_pairs
from maege.analysis.edits import Edit, parse_annotation
from maege.analysis.extraction import parses
from maege.analysis.extraction.parses import Parse, parse_texts
from maege.analysis.extraction.pipeline import Missing, pipeline_status

SOURCE = "He go home ."


@pytest.mark.skipif(isinstance(pipeline_status(), Missing), reason="needs ERRANT and its pipeline")
def test_a_source_is_parsed_once_for_all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def parse(texts: Sequence[str]) -> list[Parse]:
        asked.extend(texts)
        return parse_texts(texts)

    monkeypatch.setattr(parses, "parse_texts", parse)
    monkeypatch.setattr(parsing, "_known", {})
    pair, other = (SOURCE, "He goes home ."), (SOURCE, "He went home .")
    made, of_sources = extract_pairs([pair], True, 0, {})
    assert parse_annotation(made[pair]) == (Edit(1, 2, "R:VERB:SVA", ("goes",)),)
    assert list(of_sources) == [SOURCE]
    # Another process, later.
    monkeypatch.setattr(parsing, "_known", {})
    made, new = extract_pairs([other], True, 0, of_sources)
    assert parse_annotation(made[other]) == (Edit(1, 2, "R:VERB:TENSE", ("went",)),)
    assert (asked, new) == ([SOURCE, pair[1], other[1]], {})
