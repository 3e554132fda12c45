"""Paths for texts whose lattice would not fit: thousands of tokens, or hundreds rewritten whole.

Transitive arcs between V vertices are up to V squared. `agreeing_path` does without them: it walks
the edges of the alignments and keeps, for each cell, the cheapest way to be there between two
edits, and inside one with so many unchanged words. Costs are those of the lattice with one list
entry an arc, in whole numbers; gold edits are jumps. What it cannot reproduce is which of several
equal paths the original takes.
"""

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.m2.gold import Gold, IntArray, are_equal, backwards, matches
from maege.analysis.metrics.m2.lattice import (
    DELETION,
    DIAGONAL,
    INSERTION,
    KINDS,
    REACHED,
    SECOND,
    UNREACHED,
)

# An edge outweighs any number of edits on a path.
EDGE_COST = 1 << 20
EDIT_COST = 1
FAR = np.int64(2**62)
NOWHERE = -(1 << 30)

Cells = NDArray[np.uint8]


@compiled()
def single_edit(source: IntArray, hypothesis: IntArray) -> IntArray:
    """Return the one edit between common beginning and common end, as a row; none if equal."""
    shorter = min(source.size, hypothesis.size)
    start = 0
    while start < shorter and source[start] == hypothesis[start]:
        start += 1
    same = 0
    while same < shorter - start and source[-1 - same] == hypothesis[-1 - same]:
        same += 1
    end, other_end = source.size - same, hypothesis.size - same
    edits = np.empty((1, 4), dtype=np.int32)
    edits[0, 0], edits[0, 1], edits[0, 2], edits[0, 3] = start, end, start, other_end
    return edits if end > start or other_end > start else edits[:0].copy()


@compiled()
def agreeing_path(
    source: IntArray,
    hypothesis: IntArray,
    cells: Cells,
    gold: Gold,
    annotation: int,
    max_unchanged: int,
) -> IntArray:
    """Return the edits, in order, of a path with most gold edits, then fewest edges, then edits.

    Columns: the span in the source, start and end, and that in the hypothesis. `cells` is what
    m2_lattice.alignment_edges returns.
    """
    n_rows, n_columns = cells.shape
    n_states = max_unchanged + 1
    reward = np.int64(2 * EDGE_COST) * (n_rows + n_columns)
    closed = np.full((n_rows, n_columns), FAR)
    opened = np.full((n_rows, n_columns, n_states), FAR)
    # Where a path came from: to a closed cell, another cell, or -1 - unchanged for the edit that
    # ends here; into an open edit, the kind of edge and the unchanged words before it.
    closed_from = np.full((n_rows, n_columns), NOWHERE, dtype=np.int32)
    opened_from = np.zeros((n_rows, n_columns, n_states), dtype=np.int16)
    closed[0, 0] = 0
    for i in range(n_rows):
        gold_here = _edits_from(gold, annotation, i)
        for j in range(n_columns):
            if not cells[i, j] >> REACHED:
                continue
            for state in range(n_states):
                if opened[i, j, state] < closed[i, j]:
                    closed[i, j] = opened[i, j, state]
                    closed_from[i, j] = -1 - state
            here = closed[i, j]
            for kind in (INSERTION, DELETION, DIAGONAL):
                row, column = i + (kind != INSERTION), j + (kind != DELETION)
                if row == n_rows or column == n_columns:
                    continue
                if not (cells[row, column] | (cells[row, column] >> SECOND)) & kind & KINDS:
                    continue
                same = kind == DIAGONAL and source[i] == hypothesis[j]
                step = 1 if same else 0
                if same and here + EDGE_COST < closed[row, column]:
                    closed[row, column] = here + EDGE_COST
                    closed_from[row, column] = i * n_columns + j
                for state in range(n_states + 1):
                    begins = state == n_states
                    cost = here + EDIT_COST if begins else opened[i, j, state]
                    after = step if begins else state + step
                    if after <= max_unchanged and cost + EDGE_COST < opened[row, column, after]:
                        opened[row, column, after] = cost + EDGE_COST
                        opened_from[row, column, after] = kind * (n_states + 1) + state
            for edit in gold_here:
                row = gold.ends[edit]
                texts = gold.corrections.starts
                for text in range(gold.alternative_starts[edit], gold.alternative_starts[edit + 1]):
                    column = j + texts[text + 1] - texts[text]
                    if (
                        column < n_columns
                        and (row > i or column > j)
                        and here - reward < closed[row, column]
                        and matches(hypothesis, j, column, gold, edit)
                        and _are_joined(source, hypothesis, cells, i, j, row, column, max_unchanged)
                    ):
                        closed[row, column] = here - reward
                        closed_from[row, column] = i * n_columns + j
    return _edits_on_path(source, hypothesis, closed_from, opened_from)


@compiled()
def _edits_from(gold: Gold, annotation: int, start: int) -> IntArray:
    """Return the edits of an annotation that start at a token."""
    first, last = gold.edit_starts[annotation], gold.edit_starts[annotation + 1]
    found = np.empty(last - first, dtype=np.int32)
    n_found = 0
    for edit in range(first, last):
        if gold.starts[edit] == start:
            found[n_found] = edit
            n_found += 1
    return found[:n_found].copy()


@compiled()
def _are_joined(
    source: IntArray,
    hypothesis: IntArray,
    cells: Cells,
    first_row: int,
    first_column: int,
    last_row: int,
    last_column: int,
    max_unchanged: int,
) -> bool:
    """Return whether the lattice would have an arc between two cells."""
    n_rows, n_columns = last_row - first_row + 1, last_column - first_column + 1
    shortest = np.full((n_rows, n_columns), UNREACHED, dtype=np.int32)
    fewest = np.zeros((n_rows, n_columns), dtype=np.int32)
    shortest[0, 0] = 0
    for i in range(n_rows):
        for j in range(n_columns):
            cell = cells[first_row + i, first_column + j]
            kinds = (cell | (cell >> SECOND)) & KINDS
            for kind in (DIAGONAL, DELETION, INSERTION):
                row, column = i - (kind != INSERTION), j - (kind != DELETION)
                if not kinds & kind or row < 0 or column < 0:
                    continue
                if shortest[row, column] == UNREACHED:
                    continue
                same = (
                    kind == DIAGONAL
                    and source[first_row + row] == hypothesis[first_column + column]
                )
                unchanged = fewest[row, column] + (1 if same else 0)
                # A single edge is in the lattice whatever the limit.
                allowed = unchanged <= max_unchanged or shortest[row, column] == 0
                if allowed and shortest[row, column] + 1 < shortest[i, j]:
                    shortest[i, j] = shortest[row, column] + 1
                    fewest[i, j] = unchanged
    return bool(shortest[n_rows - 1, n_columns - 1] < UNREACHED)


@compiled()
def _edits_on_path(
    source: IntArray,
    hypothesis: IntArray,
    closed_from: IntArray,
    opened_from: NDArray[np.int16],
) -> IntArray:
    n_rows, n_columns, n_states = opened_from.shape
    edits = np.empty((n_rows + n_columns, 4), dtype=np.int32)
    n_edits = 0
    i, j = n_rows - 1, n_columns - 1
    while i or j:
        origin = closed_from[i, j]
        row, column = i, j
        if origin >= 0:
            row, column = origin // n_columns, origin % n_columns
        else:
            state = -1 - origin
            while state < n_states:
                kind, before = divmod(opened_from[row, column, state], n_states + 1)
                row -= kind != INSERTION
                column -= kind != DELETION
                state = before
        if not are_equal(source[row:i], hypothesis[column:j]):
            edits[n_edits, 0], edits[n_edits, 1] = row, i
            edits[n_edits, 2], edits[n_edits, 3] = column, j
            n_edits += 1
        i, j = row, column
    return backwards(edits, n_edits)
