"""Find the cells in which source and hypothesis can be aligned for any reference, compiled.

A cell (i, j) is a cut before token i of the source and token j of the hypothesis. One cheapest
alignment of the two texts is the spine. Suppose that the alignment with a reference leaves the
spine and returns to it; let d be the cost of the spine in between. This part could also be aligned
around the source (both other texts aligned with the source) or around the hypothesis. By the
triangle inequality these two alignments together cost at most 2 d more than twice the sum of the
three pairs' distances. The better one, and so the cheapest alignment, costs at most d more than the
sum (the argument of Carrillo and Lipman 1988). The detour therefore costs source and hypothesis at
most 2 d, for any reference. In the same way, the whole alignment costs source and hypothesis at
most their distance plus the distance of source and reference.
"""

from typing import NamedTuple

import numpy as np

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.graph import NO_TOKEN, Ints

GAP, MISMATCH = 2, 3

# Columns of the table of cells: source position, hypothesis position, the tokens there, and the
# next cells after the token of the hypothesis, of the source, of both (the number of cells if there
# is none).
I, J, SOURCE, HYPOTHESIS, RIGHT, DOWN, DIAGONAL = range(7)  # noqa: E741 - as in the formulas
COLUMNS = 7

OFF = 1 << 40


class Cells(NamedTuple):
    """The table of cells, sorted by row; row i starts at `rows[i]`.

    `base` holds for each row a cell on the spine, `distance` the cost of the spine.
    """

    table: Ints
    rows: Ints
    base: Ints
    distance: int


@compiled()
def near_cells(source: Ints, hypothesis: Ints, most: int) -> Cells:
    """Return the cells near the spine, for references at most `most` from the source."""
    n, m = len(source), len(hypothesis)
    forth, back, base, cost = _detours(source, hypothesis)
    if cost[n, m] > most:
        _leave_out(source, hypothesis, cost, most, forth)
    first = np.empty(n + 2, np.int64)
    after = np.empty(n + 2, np.int64)
    below = np.empty(n + 2, np.int64)
    count = 0
    for i in range(n + 1):
        first[i], after[i] = -1, 0
        for j in range(m + 1):
            if forth[i, j] + back[i, j] <= 0:
                if first[i] < 0:
                    first[i] = j
                after[i] = j + 1
        # No row begins or ends before an earlier row.
        if i > 0:
            after[i] = max(after[i], after[i - 1])
    for i in range(n - 1, -1, -1):
        first[i] = min(first[i], first[i + 1])
    rows = np.empty(n + 2, np.int64)
    for i in range(n + 1):
        rows[i] = count
        # Positions within a row, from its first cell on.
        below[i] = count - first[i]
        base[i] += below[i]
        count += after[i] - first[i]
    rows[n + 1] = count
    first[n + 1], after[n + 1], below[n + 1] = 0, 0, 0
    cells = np.empty((count, COLUMNS), np.int64)
    for i in range(n + 1):
        for j in range(first[i], after[i]):
            x = below[i] + j
            cells[x, I], cells[x, J] = i, j
            cells[x, SOURCE] = source[i] if i < n else NO_TOKEN
            cells[x, HYPOTHESIS] = hypothesis[j] if j < m else NO_TOKEN
            cells[x, RIGHT] = x + 1 if j + 1 < after[i] else count
            inside = first[i + 1] <= j < after[i + 1]
            cells[x, DOWN] = below[i + 1] + j if inside else count
            inside = first[i + 1] <= j + 1 < after[i + 1]
            cells[x, DIAGONAL] = below[i + 1] + j + 1 if inside else count
    return Cells(cells, rows, base, cost[n, m])


@compiled()
def _leave_out(source: Ints, hypothesis: Ints, cost: Ints, most: int, forth: Ints) -> None:
    """Remove the cells whose alignments cost more than the distance plus `most`."""
    n, m = len(source), len(hypothesis)
    after = np.empty((n + 1, m + 1), np.int64)
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            best = GAP * (n - i + m - j)
            if i < n and j < m:
                best = after[i + 1, j + 1]
                if source[i] != hypothesis[j]:
                    best += MISMATCH
                best = min(best, min(after[i + 1, j], after[i, j + 1]) + GAP)
            after[i, j] = best
            if cost[i, j] + best > cost[n, m] + most:
                forth[i, j] = OFF


@compiled()
def _detours(source: Ints, hypothesis: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the spine, and the costs of detours from it to each cell and from each cell back.

    The costs to a cell include twice the cost of the spine up to where the detour leaves it. The
    costs back are reduced by twice the cost of the spine up to where the detour returns. The spine
    is one cell of each row, with the cost of the cheapest alignment of the tokens before each cell.
    """
    n, m = len(source), len(hypothesis)
    cost = np.empty((n + 1, m + 1), np.int64)
    for i in range(n + 1):
        for j in range(m + 1):
            best = GAP * (i + j)
            if i > 0 and j > 0:
                best = cost[i - 1, j - 1]
                if source[i - 1] != hypothesis[j - 1]:
                    best += MISMATCH
                best = min(best, min(cost[i - 1, j], cost[i, j - 1]) + GAP)
            cost[i, j] = best
    forth, back = np.full((n + 1, m + 1), OFF, np.int64), np.full((n + 1, m + 1), OFF, np.int64)
    spine = np.empty(n + 1, np.int64)
    i, j = n, m
    spine[n] = m
    while i + j > 0:
        forth[i, j] = 2 * cost[i, j]
        if i < n:
            spine[i] = j
        apart = 0
        if i > 0 and j > 0 and source[i - 1] != hypothesis[j - 1]:
            apart = MISMATCH
        if i > 0 and j > 0 and cost[i, j] == cost[i - 1, j - 1] + apart:
            i -= 1
            j -= 1
        elif i > 0 and cost[i, j] == cost[i - 1, j] + GAP:
            i -= 1
        else:
            j -= 1
    forth[0, 0] = 0
    if n > 0:
        spine[0] = 0
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            if forth[i, j] < OFF:
                back[i, j] = -forth[i, j]
                continue
            best = OFF
            if i < n:
                best = back[i + 1, j] + GAP
            if j < m:
                best = min(best, back[i, j + 1] + GAP)
            if i < n and j < m:
                apart = 0 if source[i] == hypothesis[j] else MISMATCH
                best = min(best, back[i + 1, j + 1] + apart)
            back[i, j] = best
    for i in range(n + 1):
        for j in range(m + 1):
            if forth[i, j] < OFF:
                continue
            best = OFF
            if i > 0:
                best = forth[i - 1, j] + GAP
            if j > 0:
                best = min(best, forth[i, j - 1] + GAP)
            if i > 0 and j > 0:
                apart = 0 if source[i - 1] == hypothesis[j - 1] else MISMATCH
                best = min(best, forth[i - 1, j - 1] + apart)
            forth[i, j] = best
    return forth, back, spine, cost
