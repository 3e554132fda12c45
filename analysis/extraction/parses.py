"""What a spaCy pipeline says of a text, kept as plain lists so that it is said once.

Texts are split at white space and nowhere else, as ERRANT does with tokenised text. A parse does
not depend on the other texts of its batch.
"""

from collections.abc import Sequence
from typing import NamedTuple

from analysis.extraction.pipeline import load_pipeline

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

    Raises RuntimeError where there is no pipeline.
    """
    from spacy.tokens import Doc

    pipeline = load_pipeline()
    documents = (Doc(pipeline.vocab, words=text.split()) for text in texts)
    return [
        Parse(
            [token.lemma_ for token in document],
            [token.pos_ for token in document],
            [token.tag_ for token in document],
            [token.dep_ for token in document],
            [token.head.i for token in document],
        )
        for document in pipeline.pipe(documents, batch_size=BATCH_TEXTS)
    ]
