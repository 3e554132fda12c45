"""Tokens for ERRANT's classifier, created from a stored parse instead of a spaCy document.

The classifier reads only attributes with spaCy's names and slices with a `text`. Plain objects with
these attributes let ERRANT's own rules run on stored parses.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import SupportsIndex, overload

from maege.analysis.extraction.parses import Parse

# Word, lemma, part of speech, tag, relation.
Attributes = tuple[str, str, str, str, str]

_APOSTROPHES_AND_HYPHENS = str.maketrans("", "", "'-")


@cache
def _symbols() -> Mapping[str, int]:
    """Return the number that spaCy has for each of its names."""
    from spacy.symbols import IDS

    return dict(IDS)


class Token:
    """One token of a sentence.

    spaCy has some attributes both as a number and as a string. Here a string serves for both. The
    exception is `pos`, which ERRANT compares with spaCy's numeric constants.
    """

    __slots__ = ("_index", "_sentence", "dep_", "lemma", "lower", "pos", "tag_", "text")

    def __init__(self, sentence: "Sentence", index: int) -> None:
        parse = sentence.parse
        self._sentence = sentence
        self._index = index
        self.text = sentence.words[index]
        self.lower = self.text.lower()
        self.lemma = parse.lemma[index]
        self.pos = _symbols()[parse.pos[index]]
        self.tag_ = parse.tag[index]
        self.dep_ = parse.dep[index]

    @property
    def lower_(self) -> str:
        """The token in lower case."""
        return self.lower

    @property
    def head(self) -> "Token":
        """The token that this one depends on, itself at the root."""
        self._sentence.tree_is_read = True
        return self._sentence.token(self._sentence.parse.head[self._index])

    @property
    def children(self) -> list["Token"]:
        """The tokens that depend on this one, from left to right."""
        self._sentence.tree_is_read = True
        return [
            self._sentence.token(child)
            for child, head in enumerate(self._sentence.parse.head)
            if head == self._index != child
        ]


class Span(list[Token]):
    """Tokens that follow each other."""

    @overload
    def __getitem__(self, position: SupportsIndex) -> Token: ...
    @overload
    def __getitem__(self, position: slice) -> "Span": ...
    def __getitem__(self, position: SupportsIndex | slice) -> "Token | Span":
        if isinstance(position, slice):
            return Span(list.__getitem__(self, position))
        return list.__getitem__(self, position)

    @property
    def text(self) -> str:
        """The tokens joined by spaces."""
        return " ".join(token.text for token in self)


class Sentence:
    """A text with its words and their parse; a slice of it is a Span.

    `attributes` are the attributes that ERRANT's types depend on, except the tree. `tree_is_read`
    says whether the classifier has read the tree.
    """

    def __init__(self, words: Sequence[str], parse: Parse) -> None:
        if len(words) != len(parse.lemma):
            raise ValueError(f"expected a parse of {len(words)} tokens, found {len(parse.lemma)}")
        self.words = words
        self.lowers = [word.lower() for word in words]
        self.parse = parse
        self.attributes = [*zip(words, parse.lemma, parse.pos, parse.tag, parse.dep, strict=True)]
        self.tree_is_read = False
        self._tokens: dict[int, Token] = {}
        self._letters: tuple[str, list[int]] | None = None

    def token(self, index: int) -> Token:
        """Return a token, created at its first use."""
        token = self._tokens.get(index)
        if token is None:
            token = self._tokens[index] = Token(self, index)
        return token

    def letters(self, start: int, end: int) -> str:
        """Return some tokens in lower case, without apostrophes, hyphens and spaces."""
        if self._letters is None:
            letters = [lower.translate(_APOSTROPHES_AND_HYPHENS) for lower in self.lowers]
            self._letters = "".join(letters), [0, *accumulate(map(len, letters))]
        text, starts = self._letters
        return text[starts[start] : starts[end]]

    def __getitem__(self, span: slice) -> Span:
        return Span(self.token(index) for index in range(*span.indices(len(self.words))))
