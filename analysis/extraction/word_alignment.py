"""The words of a sentence that a correction changes: Choshen and Abend 2018, 2.1 and 3.2.

Words are matched one to one. The matching first minimises the edits inside words, then the shifts
of position. Words without a partner were deleted or inserted. As in the released program, text is
split at every non-word character. Two such characters in a row give an empty word, which is aligned
as well.
"""

import re
from typing import NamedTuple

import numpy as np
import scipy
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

NO_WORD = -1


class AlignedPair(NamedTuple):
    """Positions of a source word and of its partner; NO_WORD if there is none."""

    source: int
    target: int


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, including empty ones."""
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
    """Return the positions of the changed source words, the signature of an exact index match.

    Inserted words have no position: the n-th of them gets the n-th position after the last source
    word, so only their number matters.
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
