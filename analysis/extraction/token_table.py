"""The tokens of a source and a target as numbers: all that ERRANT's alignment and merging read."""

from collections.abc import Sequence
from string import punctuation
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.extraction.parses import Parse

Int32 = NDArray[np.int32]

# Rows of a table: equal numbers stand for equal strings; the places of a token's characters, and
# of those of its lower case less apostrophes and hyphens; flags.
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
    """Tokens of the source, then of the target, a column each, and one that ends the last.

    `characters` and `letters` are those of all tokens as code points.
    """

    tokens: Int32
    characters: Int32
    letters: Int32
    n_source: int


def token_table(
    source: Sequence[str], target: Sequence[str], source_parse: Parse, target_parse: Parse
) -> TokenTable:
    """Return the table of two texts, given as words and parses."""
    words = [*source, *target]
    pos = [*source_parse.pos, *target_parse.pos]
    tags = [*source_parse.tag, *target_parse.tag]
    lowers = [word.lower() for word in words]
    letters = [lower.translate(_UNREAD_LETTERS) for lower in lowers]
    tokens = np.array(
        [
            _numbers(words),
            _numbers(lowers),
            _numbers([*source_parse.lemma, *target_parse.lemma]),
            _numbers(pos),
            _starts(words),
            _starts(letters),
            [*map(_flags, words, pos, tags), 0],
        ],
        dtype=np.int32,
    )
    return TokenTable(tokens, _code_points(words), _code_points(letters), len(source))


def _numbers(strings: Sequence[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [*(numbers.setdefault(string, len(numbers)) for string in strings), 0]


def _starts(strings: Sequence[str]) -> list[int]:
    starts = [0]
    for string in strings:
        starts.append(starts[-1] + len(string))
    return starts


def _flags(word: str, pos: str, tag: str) -> int:
    flags = _CLASSES.get(pos, 0)
    if tag == "POS":
        flags |= IS_POSSESSIVE
    if word[0].isupper():
        flags |= IS_CAPITALISED
    # As ERRANT has it, so that a run of marks counts where string.punctuation holds the same run.
    if word in punctuation:
        flags |= IS_PUNCTUATION
    return flags


def _code_points(strings: Sequence[str]) -> Int32:
    text = "".join(strings).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(text, dtype=np.int32)
