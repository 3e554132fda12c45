"""How much a correction changes: words, their order, and sentence boundaries.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 3.2. Words are
aligned one to one; WORDCHANGE counts the pairs of different words and the words without a partner,
ignoring everything that is not alphanumeric.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from maege.analysis.extraction.word_alignment import NO_WORD, AlignedPair, align_words, split_words

# The released program treats words as equal if they differ by fewer characters than these.
LONG_WORD, OF_LONG, OF_SHORT = 4, 2, 1
# WordNet's rules for the plural of nouns, without its lexicon: singular words with endings in -s
# are unchanged, and of the other rules the first matching one is used.
PLURALS = (
    (re.compile(r"(?<=..)ies$"), "y"),
    (re.compile(r"(?<=ss|ch|sh)es$|(?<=[xz])es$"), ""),
    (re.compile(r"(?<=.)men$"), "man"),
    (re.compile(r"(?<=..)(?<![sui])s$"), ""),
)
# Marks that end a sentence if a letter or digit follows.
SENTENCE_END = re.compile(r"""[.!?]["')\]]*(?=\s+\S*\w)""")


class Changes(NamedTuple):
    """The changes of a correction to a source.

    `order` is Spearman's rho between the positions of words that have a partner, None with fewer
    than two of them; `sentences` is the number of added sentences.
    """

    words: int
    unlike_words: int
    order: float | None
    sentences: int


def changes(source: str, target: str) -> Changes:
    """Return the changes from source to target.

    `words` counts as the paper defines it; `unlike_words` as its program did, which treats words as
    equal if their singulars differ by at most two characters, or one if either has four or fewer.
    """
    before, after = split_words(source), split_words(target)
    if before == after:
        return Changes(0, 0, None if len(before) < 2 else 1.0, _added_sentences(source, target))
    pairs = align_words(before, after)
    words = unlike = 0
    for pair in pairs:
        old = before[pair.source] if pair.source != NO_WORD else None
        new = after[pair.target] if pair.target != NO_WORD else None
        # Most words are equal; an empty one without a partner does not count.
        if old == new or not (old or new):
            continue
        words += 1
        unlike += old is None or new is None or not _are_alike(old, new)
    kept = [p for p in pairs if NO_WORD not in p and before[p.source] and after[p.target]]
    return Changes(words, unlike, word_order(kept), _added_sentences(source, target))


def word_order(pairs: Sequence[AlignedPair]) -> float | None:
    """Return Spearman's rho between the positions that words have in both texts.

    1 - 6 sum d^2 / (n (n^2 - 1)) over words with a partner; None with fewer than two of them.
    """
    targets = [pair.target for pair in sorted(pairs) if NO_WORD not in pair]
    n = len(targets)
    if n < 2:
        return None
    in_order = sorted(targets)
    if in_order == targets:
        return 1.0
    places = {target: place for place, target in enumerate(in_order)}
    squares = sum((places[target] - place) ** 2 for place, target in enumerate(targets))
    return 1 - 6 * squares / (n * (n * n - 1))


# Corrections of a sentence share most of their words.
@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """Return the singular of the word, assuming that it is a noun."""
    for ending, replacement in PLURALS:
        if ending.search(word):
            return ending.sub(replacement, word)
    return word


def _are_alike(old: str, new: str) -> bool:
    one, other = singular(old), singular(new)
    are_long = min(len(one), len(other)) > LONG_WORD
    return Levenshtein.distance(one, other) <= (OF_LONG if are_long else OF_SHORT)


def _added_sentences(source: str, target: str) -> int:
    return len(SENTENCE_END.findall(target)) - len(SENTENCE_END.findall(source))
