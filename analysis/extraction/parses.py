"""Parses by a spaCy pipeline as plain lists, and the tokens that ERRANT reads from them."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

from maege.analysis.extraction.pipeline import load_pipeline

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken

# The components that are removed from the pipeline, in order, and their attributes of tokens.
COMPONENTS = ("attribute_ruler", "lemmatizer")
ASKED = {"LOWER", "TAG", "DEP", "IS_SPACE"}


class Attributes(NamedTuple):
    lemma: str
    pos: str
    tag: str
    dep: str


class TokenAttributes:
    """The last components of a pipeline, with a cache."""

    def __init__(self, pipeline: "Language") -> None:
        from spacy.attrs import DEP, ORTH, TAG
        from spacy.matcher import Matcher

        self._read = [ORTH, TAG, DEP]
        self._components: list[Any] = [pipeline.get_pipe(name) for name in COMPONENTS]
        self._together = Matcher(pipeline.vocab)
        for number, rule in enumerate(self._components[0].patterns):
            several = [pattern for pattern in rule["patterns"] if len(pattern) > 1]
            if several:
                self._together.add(str(number), several)
        self._known: dict[tuple[int, ...], Attributes] = {}

    @staticmethod
    def follow_from_tokens(pipeline: "Language") -> bool:
        if tuple(pipeline.pipe_names[-2:]) != COMPONENTS:
            return False
        components: list[Any] = [pipeline.get_pipe(name) for name in COMPONENTS]
        ruler, lemmatizer = components
        patterns = [pattern for rule in ruler.patterns for pattern in rule["patterns"]]
        return lemmatizer.mode == "rule" and all(
            set(pattern[0]) <= ASKED for pattern in patterns if len(pattern) == 1
        )

    def read(self, document: "Doc") -> list[Attributes]:
        if self._together(document, allow_missing=True):
            return self._made(document)
        # spaCy's own types declare that these are no integers.
        rows: Any = document.to_array(self._read)
        keys = [tuple(key) for key in rows.tolist()]
        unknown = {key: place for place, key in enumerate(keys) if key not in self._known}
        if unknown:
            attributes = self._made_alone(document, rows, [*unknown.values()])
            self._known.update(zip(unknown, attributes, strict=True))
        return [self._known[key] for key in keys]

    def _made_alone(
        self,
        document: "Doc",
        rows: Any,  # noqa: ANN401 - as above
        places: list[int],
    ) -> list[Attributes]:
        """Return the attributes of some tokens, without context if no pattern joins them."""
        from spacy.tokens import Doc

        without_context = Doc(document.vocab, words=[document[place].text for place in places])
        without_context.from_array(self._read[1:], rows[places, 1:])
        if self._together(without_context, allow_missing=True):
            attributes = self._made(document)
            return [attributes[place] for place in places]
        return self._made(without_context)

    def _made(self, document: "Doc") -> list[Attributes]:
        for component in self._components:
            document = component(document)
        return [attributes_of(token) for token in document]


def attributes_of(token: "SpacyToken") -> Attributes:
    return Attributes(token.lemma_, token.pos_, token.tag_, token.dep_)


# --- Parses ---
#
# Texts are split only at white space, as ERRANT does with tokenised text.

BATCH_TEXTS = 64


class Parse(NamedTuple):
    """Lists of one entry per token; `head` is the index of a token, its own at the root."""

    lemma: list[str]
    pos: list[str]
    tag: list[str]
    dep: list[str]
    head: list[int]


def parse_texts(texts: Sequence[str]) -> list[Parse]:
    """Return the parse of every text; raise RuntimeError if there is no pipeline."""
    from spacy.tokens import Doc

    pipeline = load_pipeline()
    remembered = _remembered()
    left_out = COMPONENTS if remembered else ()
    documents = (Doc(pipeline.vocab, words=text.split()) for text in texts)
    parses = []
    for document in pipeline.pipe(documents, batch_size=BATCH_TEXTS, disable=left_out):
        attributes = (
            remembered.read(document)
            if remembered
            else [attributes_of(token) for token in document]
        )
        lemma, pos, tag, dep = ([token[place] for token in attributes] for place in range(4))
        parses.append(Parse(lemma, pos, tag, dep, [token.head.i for token in document]))
    return parses


@cache
def _remembered() -> TokenAttributes | None:
    pipeline = load_pipeline()
    return TokenAttributes(pipeline) if TokenAttributes.follow_from_tokens(pipeline) else None


# --- Tokens for ERRANT's classifier, created from a stored parse instead of a spaCy document ---
#
# The classifier reads only attributes with spaCy's names and slices with a `text`.

# Word, lemma, part of speech, tag, relation.
TokenKey = tuple[str, str, str, str, str]

_APOSTROPHES_AND_HYPHENS = str.maketrans("", "", "'-")


@cache
def _symbols() -> Mapping[str, int]:
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
        return self.lower

    @property
    def head(self) -> "Token":
        self._sentence.tree_is_read = True
        return self._sentence.token(self._sentence.parse.head[self._index])

    @property
    def children(self) -> list["Token"]:
        self._sentence.tree_is_read = True
        return [
            self._sentence.token(child)
            for child, head in enumerate(self._sentence.parse.head)
            if head == self._index != child
        ]


class Span(list[Token]):
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
        return " ".join(token.text for token in self)


class Sentence:
    """A text with its words and their parse; a slice of it is a Span.

    ERRANT's types depend on `attributes`, and on the tree if `tree_is_read`.
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
