"""Cached attributes equal those of the whole pipeline."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maege.analysis.extraction.parses import Parse, TokenAttributes, parse_texts
from maege.analysis.extraction.pipeline import Missing, load_pipeline, pipeline_status

STATUS = pipeline_status()
pytestmark = pytest.mark.skipif(
    isinstance(STATUS, Missing) and os.environ.get("CI") != "true",
    reason="needs ERRANT's pipeline, which `make` installs",
)

# Each of these words has another lemma or part of speech next to the previous or following word.
IN_CONTEXT = (
    "I am gon na go .",
    "I have got ta go .",
    "Let 's go home .",
    "Let us see the gon of it .",
    "He ai n't here .",
    "Y all are late .",
    "C'm on , it is late .",
    "There is a cat on the mat .",
    "There are two of us there .",
    "It is there , is n't it ?",
)
WORDS = sorted({word for text in IN_CONTEXT for word in text.split()} | {"goes", "but", "that"})


def original_parse(text: str) -> Parse:
    """Return the parse by the original pipeline, without the cache."""
    from spacy.tokens import Doc

    pipeline = load_pipeline()
    tokens = list(pipeline(Doc(pipeline.vocab, words=text.split())))
    return Parse(
        [token.lemma_ for token in tokens],
        [token.pos_ for token in tokens],
        [token.tag_ for token in tokens],
        [token.dep_ for token in tokens],
        [token.head.i for token in tokens],
    )


def test_parses_are_those_of_the_pipeline() -> None:
    assert TokenAttributes.follow_from_tokens(load_pipeline())

    # Parsed twice, so that every token is in the cache the second time.
    texts = [*IN_CONTEXT, *reversed(IN_CONTEXT)]
    assert parse_texts(texts) == [original_parse(text) for text in texts]

    assert parse_texts(["", "  "]) == [Parse([], [], [], [], [])] * 2


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=4))
def test_any_words_in_any_order_are_as_in_the_pipeline(texts: list[str]) -> None:
    assert parse_texts(texts) == [original_parse(text) for text in texts]


def test_a_pipeline_of_other_components_is_left_as_it_is() -> None:
    import spacy

    assert not TokenAttributes.follow_from_tokens(spacy.blank("en"))
