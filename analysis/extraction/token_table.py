"""The tokens of a source and a target as numbers, for ERRANT's alignment and merging."""

from collections.abc import Sequence
from itertools import accumulate
from string import punctuation
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.extraction.parses import Parse
from maege.analysis.extraction.tokens import Sentence

Int32 = NDArray[np.int32]

# Rows of a table: equal numbers for equal strings; positions of a token's characters, and of those
# of its lower case without apostrophes and hyphens; flags.
ORTH, LOWER, LEMMA, POS, FIRST_CHARACTER, FIRST_LETTER, FLAGS = range(7)

IS_OPEN = 1  # adjective, adverb, noun, verb
IS_CONTENT = 2  # these and auxiliary
IS_VERBAL = 4  # auxiliary, particle, verb
IS_DETERMINER = 8
IS_POSSESSIVE = 16
IS_CAPITALISED = 32
IS_PUNCTUATION = 64

_CLASSES = {
    "ADJ": IS_OPEN | IS_CONTENT,
    "ADV": IS_OPEN | IS_CONTENT,
    "NOUN": IS_OPEN | IS_CONTENT,
    "VERB": IS_OPEN | IS_CONTENT | IS_VERBAL,
    "AUX": IS_CONTENT | IS_VERBAL,
    "PART": IS_VERBAL,
    "DET": IS_DETERMINER,
    "PUNCT": IS_PUNCTUATION,
}
_UNREAD_LETTERS = str.maketrans("", "", "'-")


class TokenTable(NamedTuple):
    """Tokens of the source, then of the target, one per column, and a final column as an end mark.

    `characters` and `letters` are those of all tokens as code points.
    """

    tokens: Int32
    characters: Int32
    letters: Int32
    n_source: int


class ReadText(NamedTuple):
    """A text with its words as numbers, one per column, and their concatenated code points.

    The positions in `tokens` refer to the text's own `characters` and `letters`; a final column
    ends them.
    """

    sentence: Sentence
    tokens: Int32
    characters: Int32
    letters: Int32


class Reader:
    """Reads texts that will be compared with each other: equal strings get equal numbers."""

    def __init__(self) -> None:
        self._numbers: tuple[dict[str, int], ...] = ({}, {}, {}, {})

    def read(self, text: str, parse: Parse) -> ReadText:
        """Return a text in the form that ERRANT's alignment and merging need.

        Raises ValueError if the parse has another number of tokens than the text.
        """
        words = text.split()
        sentence = Sentence(words, parse)
        lowers = [word.lower() for word in words]
        letters = [lower.translate(_UNREAD_LETTERS) for lower in lowers]
        numbered = [
            [numbers.setdefault(string, len(numbers)) for string in strings]
            for numbers, strings in zip(
                self._numbers, (words, lowers, parse.lemma, parse.pos), strict=True
            )
        ]
        flags = [*map(_flags, words, parse.pos, parse.tag)]
        tokens = np.array(
            [*([*row, 0] for row in numbered), _starts(words), _starts(letters), [*flags, 0]],
            dtype=np.int32,
        )
        return ReadText(sentence, tokens, _code_points(words), _code_points(letters))


def token_table(source: ReadText, target: ReadText) -> TokenTable:
    """Return the table of two texts that one reader read."""
    n_source = source.tokens.shape[1] - 1
    tokens = np.concatenate([source.tokens[:, :n_source], target.tokens], axis=1)
    # The target begins where the source ends.
    tokens[FIRST_CHARACTER : FIRST_LETTER + 1, n_source:] += source.tokens[
        FIRST_CHARACTER : FIRST_LETTER + 1, n_source:
    ]
    return TokenTable(
        tokens,
        np.concatenate([source.characters, target.characters]),
        np.concatenate([source.letters, target.letters]),
        n_source,
    )


def _starts(strings: Sequence[str]) -> list[int]:
    return [0, *accumulate(map(len, strings))]


def _flags(word: str, pos: str, tag: str) -> int:
    flags = _CLASSES.get(pos, 0)
    if tag == "POS":
        flags |= IS_POSSESSIVE
    if word[0].isupper():
        flags |= IS_CAPITALISED
    # As in ERRANT: a run of marks counts if string.punctuation contains the same run.
    if word in punctuation:
        flags |= IS_PUNCTUATION
    return flags


def _code_points(strings: Sequence[str]) -> Int32:
    text = "".join(strings).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(text, dtype=np.int32)
