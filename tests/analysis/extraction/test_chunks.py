"""Chunks of texts to parse and of pairs to compare."""

from typing import Any

import pyarrow as pa
import pytest

from maege.analysis.edits import Edit, format_annotation
from maege.analysis.extraction.chunks import (
    EDITS_SCHEMA,
    PARSE_SCHEMA,
    PARSES_SCHEMA,
    extract_chunk,
    parse_and_extract_chunk,
    parse_chunk,
    plan_extractions,
    plan_parses,
)
from maege.analysis.texts import content_key

TEXTS = {3: "He go home .", 5: "He goes home .", 8: "He goes to home ."}
PAIRS = [(3, 5), (5, 8), (8, 3)]


PLACES = {"corpus": ["made_up"] * 3, "sentence_id": [0, 1, 4]}
LISTED = {"text_id": list(TEXTS), "text": list(TEXTS.values())}
PARSE_REQUESTS = pa.table({"pipeline_key": [7] * 3, **LISTED, **PLACES})
SOURCES, TARGETS = ([pair[place] for pair in PAIRS] for place in (0, 1))
PAIR_REQUESTS = pa.table(
    {"extractor_key": [9] * 3, "source_text_id": SOURCES, "target_text_id": TARGETS, **PLACES}
)


def texts(parses: pa.Table | None = None) -> pa.Table:
    """Return the texts with the given parses, or with none."""
    columns: Any = parses if parses is not None else dict.fromkeys(PARSE_SCHEMA.names, [None] * 3)
    return pa.table({**LISTED, **{name: columns[name] for name in PARSE_SCHEMA.names}})


def test_chunk_names_its_sentences() -> None:
    chunks = list(plan_parses(PARSE_REQUESTS, 2))
    assert [len(chunk) for chunk in chunks] == [2, 1]
    assert chunks[0].description == "made_up sentence 0 to made_up sentence 1"
    assert chunks[1].description == "made_up sentence 4 to made_up sentence 4"


def test_a_chunk_of_pairs_brings_its_own_texts_only() -> None:
    first, second = plan_extractions(PAIR_REQUESTS, texts(), 2)
    assert first.texts is not None
    assert first.texts["text_id"].to_pylist() == [3, 5, 8]
    assert second.texts is not None
    assert second.texts["text_id"].to_pylist() == [3, 8]


def test_pairs_without_parses_are_aligned_token_by_token() -> None:
    (chunk,) = plan_extractions(PAIR_REQUESTS, texts(), 10)
    rows = extract_chunk(chunk)
    assert rows.schema.equals(EDITS_SCHEMA)
    annotations = [
        format_annotation([Edit(1, 2, "R", ("goes",))]),
        format_annotation([Edit(2, 2, "M", ("to",))]),
        format_annotation([Edit(1, 3, "R", ("go",))]),
    ]
    assert rows["annotation"].to_pylist() == annotations
    assert rows["annotation_key"].to_pylist() == [content_key(text) for text in annotations]


@pytest.mark.slow
def test_parsing_before_or_in_the_chunk_gives_the_edits_their_types() -> None:
    (to_parse,) = plan_parses(PARSE_REQUESTS, 10)
    parses = parse_chunk(to_parse)
    assert parses.schema.equals(PARSES_SCHEMA)
    (parsed,) = plan_extractions(PAIR_REQUESTS, texts(parses), 10)
    edits = extract_chunk(parsed)
    first = format_annotation([Edit(1, 2, "R:VERB:SVA", ("goes",))])
    assert edits["annotation"].to_pylist()[0] == first
    requests = PAIR_REQUESTS.append_column("pipeline_key", pa.array([7] * 3))
    (chunk,) = plan_extractions(requests, texts().select(["text_id", "text"]), 10)
    assert parse_and_extract_chunk(chunk).equals(edits)


@pytest.mark.slow
def test_languages_of_one_chunk_are_extracted_each_by_its_own() -> None:
    requests = pa.table(
        {
            "extractor_key": [1, 2],
            "pipeline_key": pa.array([7, None], pa.int64()),
            "source_text_id": [3, 4],
            "target_text_id": [5, 6],
            "corpus": ["en", "uk"],
            "sentence_id": [0, 0],
        }
    )
    pairs = ["He go", "Він ішов", "He goes", "Він іде"]
    texts_of_both = pa.table({"text_id": [3, 4, 5, 6], "text": pairs})
    (chunk,) = plan_extractions(requests, texts_of_both, 10)
    assert parse_and_extract_chunk(chunk)["annotation"].to_pylist() == [
        format_annotation([Edit(1, 2, "R:VERB:SVA", ("goes",))]),
        format_annotation([Edit(1, 2, "R", ("іде",))]),
    ]
