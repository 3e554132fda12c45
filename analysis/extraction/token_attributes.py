"""Parts of speech and lemmas, cached for words with the same tag and dependency.

spaCy's attribute ruler tries about 180 patterns on every token, which takes a quarter of the
parsing time. Its result and the lemmatizer's depend only on the token's form, tag and dependency,
unless a pattern of several tokens matches. Both components therefore run only on texts in which
such a pattern matches, and on new tokens without their context. All other tokens are in the cache.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

# The components that are removed from the pipeline, in order, and their attributes of tokens.
COMPONENTS = ("attribute_ruler", "lemmatizer")
ASKED = {"LOWER", "TAG", "DEP", "IS_SPACE"}


class Attributes(NamedTuple):
    """The attributes of a parsed token that are needed."""

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
        """Return whether the pipeline ends with these components and attributes can be cached."""
        if tuple(pipeline.pipe_names[-2:]) != COMPONENTS:
            return False
        ruler: Any = pipeline.get_pipe(COMPONENTS[0])
        lemmatizer: Any = pipeline.get_pipe(COMPONENTS[1])
        alone = [
            token
            for rule in ruler.patterns
            for pattern in rule["patterns"]
            for token in pattern
            if len(pattern) == 1
        ]
        return lemmatizer.mode == "rule" and all(set(token) <= ASKED for token in alone)

    def of(self, document: "Doc") -> list[Attributes]:
        """Return the attributes of all tokens of a text that the parser has seen."""
        if self._together(document, allow_missing=True):
            return self._made(document)
        # spaCy's own types declare that these are no integers.
        rows: Any = document.to_array(self._read)
        keys = [tuple(key) for key in rows.tolist()]
        unknown = {key: place for place, key in enumerate(keys) if key not in self._known}
        if unknown:
            made = self._made_alone(document, rows, [*unknown.values()])
            self._known.update(zip(unknown, made, strict=True))
        return [self._known[key] for key in keys]

    def _made_alone(
        self,
        document: "Doc",
        rows: Any,  # noqa: ANN401 - as above
        places: list[int],
    ) -> list[Attributes]:
        """Return the attributes of some tokens, without context if no pattern joins them."""
        from spacy.tokens import Doc

        alone = Doc(document.vocab, words=[document[place].text for place in places])
        alone.from_array(self._read[1:], rows[places, 1:])
        if self._together(alone, allow_missing=True):
            made = self._made(document)
            return [made[place] for place in places]
        return self._made(alone)

    def _made(self, document: "Doc") -> list[Attributes]:
        for component in self._components:
            document = component(document)
        return [attributes_of(token) for token in document]


def attributes_of(token: "Token") -> Attributes:
    """Return the attributes of a token from the complete pipeline."""
    return Attributes(token.lemma_, token.pos_, token.tag_, token.dep_)
