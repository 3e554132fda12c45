"""Which words of a sentence a correction changes: Choshen and Abend 2018, sections 2.1 and 3.2.

Words are matched one to one so that the edits inside them, and after these the distances that they
move, are fewest. Words that find no partner were deleted or inserted. As in the released program,
text is split at every character that is not of a word, so that two of them in a row make an empty
word, which takes part.
"""

import re
from typing import NamedTuple

import numpy as np
import scipy
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

NO_WORD = -1


class AlignedPair(NamedTuple):
    """Positions of a source word and of its partner; NO_WORD where there is none."""

    source: int
    target: int


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, empty ones included."""
    return re.split(r"\W", text.lower().strip())


def align_words(source: list[str], target: list[str]) -> list[AlignedPair]:
    """Return all words of both texts in pairs, in the order of the source."""
    size = max(len(source), len(target))
    costs = np.zeros((size, size))
    moved = np.abs(np.arange(len(source))[:, None] - np.arange(len(target))[None, :]) / size
    costs[: len(source), : len(target)] = (
        cdist(source, target, scorer=Levenshtein.distance, dtype=np.int32) + moved
    )
    rows, columns = scipy.optimize.linear_sum_assignment(costs)
    rows[rows >= len(source)] = NO_WORD
    columns[columns >= len(target)] = NO_WORD
    return list(map(AlignedPair, rows.tolist(), columns.tolist()))


def changed_places(source: str, correction: str) -> tuple[int, ...]:
    """Return the signature of an exact index match: the positions of source words that change.

    Words that are inserted have no position: the n-th of them counts as the n-th place behind the
    last source word, so that only their number matters.
    """
    before, after = split_words(source), split_words(correction)
    places, inserted = [], 0
    for pair in align_words(before, after):
        if pair.source == NO_WORD:
            places.append(len(before) + inserted)
            inserted += 1
        elif pair.target == NO_WORD or before[pair.source] != after[pair.target]:
            places.append(pair.source)
    return tuple(sorted(places))
