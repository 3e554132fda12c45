"""Annotations as numbers, and how edits are compared with them.

Tokens are numbered, so that two texts are equal where their numbers are. The M2 scorer's rule for
counting agreement is `count_matches`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled

IntArray = NDArray[np.int32]


class Texts(NamedTuple):
    """Token numbers of many texts; `starts` holds the first of each, and their number."""

    tokens: IntArray
    starts: IntArray


class Gold(NamedTuple):
    """The edits of many annotations.

    Annotation a has edits `edit_starts[a]` to before `edit_starts[a + 1]` and counts `totals[a]`
    of them; edit e replaces tokens `starts[e]` to before `ends[e]` by one of the texts
    `alternative_starts[e]` to before `alternative_starts[e + 1]` of `corrections`.
    """

    edit_starts: IntArray
    totals: IntArray
    starts: IntArray
    ends: IntArray
    alternative_starts: IntArray
    corrections: Texts


@compiled()
def are_equal(tokens: IntArray, others: IntArray) -> bool:
    """Return whether two texts are the same."""
    if tokens.size != others.size:
        return False
    for place in range(tokens.size):  # noqa: SIM110 - numba compiles no generators
        if tokens[place] != others[place]:
            return False
    return True


@compiled()
def backwards(edits: IntArray, n_edits: int) -> IntArray:
    """Return the first edits, rows of four, in the opposite order."""
    turned = np.empty((n_edits, 4), dtype=np.int32)
    for row in range(n_edits):
        for column in range(4):
            turned[row, column] = edits[n_edits - 1 - row, column]
    return turned


@compiled()
def matches(hypothesis: IntArray, start: int, end: int, gold: Gold, edit: int) -> bool:
    """Return whether tokens `start` to before `end` are one of the edit's corrections."""
    texts = gold.corrections
    for text in range(gold.alternative_starts[edit], gold.alternative_starts[edit + 1]):
        token = texts.starts[text]
        if texts.starts[text + 1] - token != end - start:
            continue
        is_equal = True
        for place in range(start, end):
            if texts.tokens[token + place - start] != hypothesis[place]:
                is_equal = False
                break
        if is_equal:
            return True
    return False


@compiled()
def count_matches(edits: IntArray, hypothesis: IntArray, gold: Gold, annotation: int) -> int:
    """Return how often an edit equals a gold edit after the last that matched.

    The original does not stop at an edit's first match, so that an edit counts once for each of
    its duplicates in the gold.
    """
    n_matches = 0
    start, stop = gold.edit_starts[annotation], gold.edit_starts[annotation + 1]
    for row in range(edits.shape[0]):
        for edit in range(start, stop):
            if (
                edits[row, 0] == gold.starts[edit]
                and edits[row, 1] == gold.ends[edit]
                and matches(hypothesis, edits[row, 2], edits[row, 3], gold, edit)
            ):
                n_matches += 1
                start = edit + 1
    return n_matches


@compiled()
def without_trivial_edits(
    edits: IntArray, source: IntArray, hypothesis: IntArray, folded: Texts
) -> IntArray:
    """Return the edits that change more than case and white space; all if `folded` is empty.

    `folded` holds the characters of each token, without case.
    """
    if folded.starts.size == 0:
        return edits
    kept = np.empty((edits.shape[0], 4), dtype=np.int32)
    n_kept = 0
    for row in range(edits.shape[0]):
        old = _characters(source[edits[row, 0] : edits[row, 1]], folded)
        new = _characters(hypothesis[edits[row, 2] : edits[row, 3]], folded)
        if not are_equal(old, new):
            for column in range(4):
                kept[n_kept, column] = edits[row, column]
            n_kept += 1
    return kept[:n_kept].copy()


@compiled()
def _characters(tokens: IntArray, folded: Texts) -> IntArray:
    size = 0
    for token in tokens:
        size += folded.starts[token + 1] - folded.starts[token]
    characters = np.empty(size, dtype=np.int32)
    size = 0
    for token in tokens:
        for place in range(folded.starts[token], folded.starts[token + 1]):
            characters[size] = folded.tokens[place]
            size += 1
    return characters
