"""Find the source tokens that can be next at each node of a graph of references, compiled.

An alignment of the three texts can be built around each of them by aligning both others with it. By
the triangle inequality, the alignment around the source costs at most twice the distances of source
and hypothesis and of source and reference. The better of the alignments around source and
hypothesis exceeds the sum of all three pairs by at most the distance of these two texts, and so
does the cheapest alignment (Carrillo and Lipman 1988). The same holds for source and reference. In
the cheapest alignment, source and reference therefore cost at most their distance plus the smaller
of the two bounds. The slack of a row i at a node is the additional cost, over the best alignment,
of any alignment of source and reference that has i source tokens before the node. It is at most
this bound.

Over all references through a node, slack has a lower bound. It comes from the parts before and
after the node, each relative to the node's own position and between two bounds, which differ by at
most a gap from row to row.
"""

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.cells import GAP, MISMATCH, Cells
from maege.analysis.metrics.imeasure.graph import Ints

# Columns of a node: its first and last row, its first cell and the one after its last. There is
# space for the cells from LOWEST to HIGHEST (exclusive), that is, all cells that a step to the node
# or within it leads to, and for one that represents no cell. SHIFT is added for the position among
# all nodes' cells.
FIRST_ROW, LAST_ROW, FIRST_CELL, AFTER_CELL, LOWEST, HIGHEST, SHIFT = range(7)
LEAST, MOST = range(2)
FAR = 1 << 14

Slack = NDArray[np.int16]


@compiled()
def longest_reference(first_arc: Ints, token: Ints, target: Ints) -> int:
    """Return the largest number of tokens of a reference."""
    longest = np.zeros(first_arc.size - 1, np.int64)
    for node in range(longest.size - 1, -1, -1):
        for arc in range(first_arc[node], first_arc[node + 1]):
            length = longest[target[arc]] + (token[arc] >= 0)
            longest[node] = max(longest[node], length)
    return int(longest[0])


@compiled()
def row_slack(
    source: Ints, first_arc: Ints, token: Ints, target: Ints, place: Ints
) -> tuple[Slack, Ints]:
    """Return the minimum slack of rows beyond each row, as seen from the node: [node, row].

    Also return the largest distance of a reference through the node from the source.
    """
    nodes, n = len(place), len(source)
    distance = np.zeros((2, nodes), np.int64)
    forth, back = _unknown(nodes, n), _unknown(nodes, n)
    raw = np.empty((2, n + 1), np.int64)
    for i in range(n + 1):
        for which in range(2):
            forth[0, which, i] = GAP * (i - place[0])
            back[nodes - 1, which, i] = GAP * (place[nodes - 1] - i)
    for node in range(nodes):
        _limit(forth[node], place[node])
        for arc in range(first_arc[node], first_arc[node + 1]):
            end = target[arc]
            _append(forth[node], source, token[arc], 1, raw)
            cost = distance[0, node] + _widen(forth[end], raw, place[end])
            distance[0, end] = max(distance[0, end], cost)
    for node in range(nodes - 1, -1, -1):
        for arc in range(first_arc[node], first_arc[node + 1]):
            end = target[arc]
            _append(back[end], source, token[arc], -1, raw)
            cost = distance[1, end] + _widen(back[node], raw, place[node])
            distance[1, node] = max(distance[1, node], cost)
        _limit(back[node], place[node])
    slack = forth[:, LEAST]
    for node in range(nodes):
        best = FAR
        for i in range(n + 1):
            best = min(best, forth[node, MOST, i] + back[node, MOST, i])
        for i in range(n + 1):
            slack[node, i] += back[node, LEAST, i] - best
        for i in range(1, place[node]):
            slack[node, i] = min(slack[node, i], slack[node, i - 1])
        for i in range(n - 1, place[node], -1):
            slack[node, i] = min(slack[node, i], slack[node, i + 1])
    for node in range(nodes):
        distance[0, node] += distance[1, node]
    return slack, distance[0]


@compiled()
def _unknown(nodes: int, n: int) -> Slack:
    bounds = np.empty((nodes, 2, n + 1), np.int16)
    for node in range(nodes):
        for i in range(n + 1):
            bounds[node, LEAST, i], bounds[node, MOST, i] = FAR, -FAR
    return bounds


@compiled()
def _append(bounds: Slack, source: Ints, token: int, step: int, raw: Ints) -> None:
    """Set the bounds after appending a reference token (step 1) or prepending one (step -1)."""
    n = len(source)
    for which in range(2):
        i = 0 if step > 0 else n
        raw[which, i] = bounds[which, i] + (GAP if token >= 0 else 0)
        for _ in range(n):
            best = int(bounds[which, i + step])
            if token >= 0:
                apart = 0 if source[min(i, i + step)] == token else MISMATCH
                best = min(best + GAP, bounds[which, i] + apart, raw[which, i] + GAP)
            i += step
            raw[which, i] = best


@compiled()
def _widen(bounds: Slack, raw: Ints, centre: int) -> int:
    """Extend bounds to one more arc; return the maximum cost of the centre."""
    least, most = raw[LEAST, centre], raw[MOST, centre]
    for i in range(bounds.shape[1]):
        bounds[LEAST, i] = min(bounds[LEAST, i], raw[LEAST, i] - most)
        bounds[MOST, i] = max(bounds[MOST, i], raw[MOST, i] - least)
    return int(most)


@compiled()
def _limit(bounds: Slack, centre: int) -> None:
    """Clip bounds by the inequalities that hold for any reference."""
    for i in range(bounds.shape[1]):
        most = GAP * abs(i - centre)
        bounds[LEAST, i] = max(bounds[LEAST, i], -most)
        bounds[MOST, i] = min(bounds[MOST, i], most)


@compiled()
def windows(
    cells: Cells, slack: Slack, distance: Ints, first_arc: Ints, target: Ints, place: Ints
) -> tuple[Ints, int]:
    """Return the window of each node, and the number of cells to allocate.

    A window consists of all cells of some rows. No window begins or ends before an earlier one on
    the same path. Therefore any continuation from an upper cell can also be followed from a cell
    below it, as soon as the continuation has reached that cell.
    """
    nodes, n = slack.shape[0], slack.shape[1] - 1
    window = np.empty((nodes, 7), np.int64)
    for node in range(nodes):
        first = last = place[node]
        most = min(cells.distance, distance[node])
        while first > 0 and slack[node, first - 1] <= most:
            first -= 1
        while last < n and slack[node, last + 1] <= most:
            last += 1
        window[node, FIRST_ROW], window[node, LAST_ROW] = first, last
    for node in range(nodes - 1):
        for arc in range(first_arc[node], first_arc[node + 1]):
            after = target[arc]
            last = max(window[after, LAST_ROW], window[node, LAST_ROW])
            window[after, LAST_ROW] = last
    for node in range(nodes - 1, -1, -1):
        for arc in range(first_arc[node], first_arc[node + 1]):
            first = min(window[node, FIRST_ROW], window[target[arc], FIRST_ROW])
            window[node, FIRST_ROW] = first
        first, last = window[node, FIRST_ROW], window[node, LAST_ROW]
        window[node, FIRST_CELL] = window[node, LOWEST] = cells.rows[first]
        window[node, AFTER_CELL] = cells.rows[last + 1]
        window[node, HIGHEST] = cells.rows[min(last + 2, n + 1)]
    total = 0
    for node in range(nodes):
        for arc in range(first_arc[node], first_arc[node + 1]):
            after = target[arc]
            lowest = min(window[after, LOWEST], window[node, FIRST_CELL])
            last = window[node, LAST_ROW]
            highest = max(window[after, HIGHEST], cells.rows[min(last + 2, n + 1)])
            window[after, LOWEST], window[after, HIGHEST] = lowest, highest
        window[node, SHIFT] = total - window[node, LOWEST]
        total += window[node, HIGHEST] - window[node, LOWEST] + 1
    return window, total
