"""Bound the cost of the rest of an alignment at each cell, for all references at once, compiled.

For one reference, a recursion from the end gives the exact cost to go T of each cell. Many
references continue from a node of the graph. For each cell take the difference of T to its value at
one fixed cell of the node, the base. The same recursion, with minima and maxima over arcs, bounds
this difference over all references. Only the cells of a node's window count. Bounds are clipped by
inequalities that hold for any reference:

    T(i + a, j + b) <= T(i, j) + 4 max(a, b)
    T(i, j) <= T(i + a, j + b) + 4 (a + b)
    T(i + a, j) <= T(i, j + b) + 4 (a + b), and the other way round

They hold because a path from one cell can be followed from a cell right of it or below it as soon
as the path has passed that cell, and a window contains a path from a cell to each cell right of it
and below it. Without clipping, the distance between the bounds would grow at each step.
"""

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.cells import (
    DIAGONAL,
    DOWN,
    HYPOTHESIS,
    MISMATCH,
    RIGHT,
    SOURCE,
    I,
    J,
)
from maege.analysis.metrics.imeasure.graph import Ints
from maege.analysis.metrics.imeasure.windows import AFTER_CELL, FIRST_CELL, HIGHEST, LOWEST, SHIFT

# Three bounds: the minimum and the maximum of the cost to go, and the minimum if the next column
# has a token of the reference.
LEAST, MOST, NEXT = range(3)
FAR = 30_000
GAPS = 4  # cost of a token next to two gaps, or of two equal tokens next to a gap

Bounds = NDArray[np.int16]


@compiled()
def cost_bounds(
    cells: Ints,
    base: Ints,
    window: Ints,
    size: int,
    first_arc: Ints,
    token: Ints,
    target: Ints,
    place: Ints,
) -> Bounds:
    """Return the bounds [cell, which] for the cells of all nodes, in the layout of the windows.

    The bounds of a node are relative to the cost to go from one of its cells.
    """
    nodes, count = len(place), len(cells)
    bounds = np.empty((size, 3), np.int16)
    raw = np.empty((count + 1, 3), np.int16)
    _last_bounds(cells, window[nodes - 1], bounds)
    for node in range(nodes - 2, -1, -1):
        here = window[node]
        first, end, shift = here[FIRST_CELL], here[AFTER_CELL], here[SHIFT]
        _far_around(here, bounds, shift)
        begin = first_arc[node]
        if first_arc[node + 1] == begin + 1:
            before_arc(cells, token[begin], here, bounds, window[target[begin]], bounds, shift)
            continue
        centre = base[place[node]]
        for x in range(first, end):
            bounds[x + shift, LEAST] = FAR
            bounds[x + shift, MOST] = -FAR
            bounds[x + shift, NEXT] = FAR
        _far_around(here, raw, 0)
        for arc in range(begin, first_arc[node + 1]):
            before_arc(cells, token[arc], here, bounds, window[target[arc]], raw, 0)
            least, most = raw[centre, LEAST], raw[centre, MOST]
            for x in range(first, end):
                y = x + shift
                bounds[y, LEAST] = min(bounds[y, LEAST], raw[x, LEAST] - most)
                bounds[y, MOST] = max(bounds[y, MOST], min(raw[x, MOST] - least, FAR))
                bounds[y, NEXT] = min(bounds[y, NEXT], raw[x, NEXT] - most)
        _clip(cells, centre, here, bounds)
    return bounds


@compiled()
def _far_around(window: Ints, bounds: Bounds, shift: int) -> None:
    """Set the bounds around a window."""
    for x in range(window[LOWEST], window[FIRST_CELL]):
        for which in range(3):
            bounds[x + shift, which] = FAR
    for x in range(window[AFTER_CELL], window[HIGHEST] + 1):
        for which in range(3):
            bounds[x + shift, which] = FAR


@compiled()
def _last_bounds(cells: Ints, window: Ints, bounds: Bounds) -> None:
    """Set the bounds after all tokens of a reference: one value, and the end at the last cell."""
    last, shift = len(cells) - 1, window[SHIFT]
    _far_around(window, bounds, shift)
    for x in range(last, window[FIRST_CELL] - 1, -1):
        best = 0
        if x < last:
            both = GAPS if cells[x, SOURCE] == cells[x, HYPOTHESIS] else GAPS + MISMATCH
            best = min(
                bounds[cells[x, DIAGONAL] + shift, LEAST] + both,
                bounds[cells[x, RIGHT] + shift, LEAST] + GAPS,
                bounds[cells[x, DOWN] + shift, LEAST] + GAPS,
            )
        bounds[x + shift, LEAST] = bounds[x + shift, MOST] = min(best, FAR)
        bounds[x + shift, NEXT] = FAR if x < last else 0


@compiled()
def before_arc(
    cells: Ints, token: int, window: Ints, after: Bounds, target: Ints, raw: Bounds, own: int
) -> None:
    """Set the bounds of a window before an arc from the target's bounds after the arc.

    The bounds are stored `own` positions after each cell. Cells around the window must be set to
    far.
    """
    shift, high, own_high = target[SHIFT], target[HIGHEST], window[HIGHEST]
    for x in range(window[AFTER_CELL] - 1, window[FIRST_CELL] - 1, -1):
        right, down, diagonal = cells[x, RIGHT], cells[x, DOWN], cells[x, DIAGONAL]
        apart = 0 if cells[x, SOURCE] == cells[x, HYPOTHESIS] else MISMATCH
        here = x + shift
        if token >= 0:
            source = 0 if cells[x, SOURCE] == token else MISMATCH
            hypothesis = 0 if cells[x, HYPOTHESIS] == token else MISMATCH
            r, d, both = min(right, high) + shift, min(down, high) + shift, source + hypothesis
            across = min(diagonal, high) + shift
            both += apart
            least = min(
                min(after[across, LEAST] + both, after[d, LEAST] + source + GAPS),
                min(after[r, LEAST] + hypothesis, after[here, LEAST]) + GAPS,
            )
            most = min(
                min(after[across, MOST] + both, after[d, MOST] + source + GAPS),
                min(after[r, MOST] + hypothesis, after[here, MOST]) + GAPS,
            )
            following = least
        else:
            least, most = int(after[here, LEAST]), int(after[here, MOST])
            following = int(after[here, NEXT])
        r, d = min(right, own_high) + own, min(down, own_high) + own
        across = min(diagonal, own_high) + own
        apart += GAPS
        others = min(raw[across, LEAST] + apart, min(raw[d, LEAST], raw[r, LEAST]) + GAPS)
        raw[x + own, LEAST] = min(min(least, others), FAR)
        others = min(raw[across, MOST] + apart, min(raw[d, MOST], raw[r, MOST]) + GAPS)
        raw[x + own, MOST] = min(min(most, others), FAR)
        raw[x + own, NEXT] = min(following, FAR)


@compiled()
def _clip(cells: Ints, centre: int, window: Ints, bounds: Bounds) -> None:
    """Clip bounds by the inequalities that hold for any reference."""
    shift = window[SHIFT]
    for x in range(window[FIRST_CELL], window[AFTER_CELL]):
        a = cells[x, I] - cells[centre, I]
        b = cells[x, J] - cells[centre, J]
        more = GAPS * (abs(a) + abs(b))
        less = more
        if a * b >= 0:
            if a + b >= 0:
                more = GAPS * max(a, b)
            else:
                less = GAPS * max(-a, -b)
        bounds[x + shift, LEAST] = max(bounds[x + shift, LEAST], -less)
        bounds[x + shift, MOST] = min(bounds[x + shift, MOST], more)
