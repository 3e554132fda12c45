"""Parses by a spaCy pipeline as plain lists, which can be stored.

Texts are split only at white space, as ERRANT does with tokenised text. A parse does not depend on
the other texts of its batch.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from maege.analysis.extraction.pipeline import load_pipeline
from maege.analysis.extraction.token_attributes import COMPONENTS, TokenAttributes, attributes_of

BATCH_TEXTS = 64


class Parse(NamedTuple):
    """Lists of one entry per token; `head` is the index of a token, its own at the root."""

    lemma: list[str]
    pos: list[str]
    tag: list[str]
    dep: list[str]
    head: list[int]


def parse_texts(texts: Sequence[str]) -> list[Parse]:
    """Return the parse of every text, in order; empty lists for a text without tokens.

    Raises RuntimeError if there is no pipeline.
    """
    from spacy.tokens import Doc

    pipeline = load_pipeline()
    remembered = _remembered()
    left_out = COMPONENTS if remembered else ()
    documents = (Doc(pipeline.vocab, words=text.split()) for text in texts)
    parses = []
    for document in pipeline.pipe(documents, batch_size=BATCH_TEXTS, disable=left_out):
        made = (
            remembered.of(document) if remembered else [attributes_of(token) for token in document]
        )
        lemma, pos, tag, dep = zip(*made, strict=True) if made else ((), (), (), ())
        heads = [token.head.i for token in document]
        parses.append(Parse(list(lemma), list(pos), list(tag), list(dep), heads))
    return parses


@cache
def _remembered() -> TokenAttributes | None:
    """Return the attribute cache, created once per process; None if the pipeline differs."""
    pipeline = load_pipeline()
    return TokenAttributes(pipeline) if TokenAttributes.follow_from_tokens(pipeline) else None
