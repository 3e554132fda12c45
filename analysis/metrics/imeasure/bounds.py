"""How much the rest of an alignment costs at each cell, for all references at once, compiled.

For one reference the cost to go T is known cell by cell from a recursion from the end. Over all
references that lead on from a node of the graph, T less its value at one cell of the node, the
base, lies between two bounds that the same recursion gives with minima and maxima over arcs. They
are clipped by what holds of any reference:

    T(i + 1, j), T(i, j + 1), T(i + 1, j + 1) <= T(i, j) + 4
    T(i, j) <= T(i + 1, j) + 4, T(i, j + 1) + 4, T(i + 1, j + 1) + 4 + 3

Without that the distance between the bounds would grow at each step.
"""

import numpy as np
from numpy.typing import NDArray

from analysis.metrics.compiled import compiled
from analysis.metrics.imeasure.cells import (
    DIAGONAL,
    DOWN,
    HYPOTHESIS,
    MISMATCH,
    RIGHT,
    SOURCE,
    I,
    J,
)
from analysis.metrics.imeasure.graph import Ints

# Three bounds a node: the least and the most that the cost to go can be, and the least where the
# next column has a token of the reference.
LEAST, MOST, NEXT = range(3)
FAR = 30_000
GAPS = 4  # of a column with a single token, or two

Bounds = NDArray[np.int16]


@compiled
def cost_bounds(
    cells: Ints, base: Ints, first_arc: Ints, token: Ints, target: Ints, place: Ints
) -> Bounds:
    """Return the bounds [node, which, cell]; beyond the last cell FAR."""
    nodes, count = len(place), len(cells)
    bounds = np.empty((nodes, 3, count + 1), np.int16)
    raw = np.empty((3, count + 1), np.int64)
    _last_bounds(cells, bounds[nodes - 1])
    for node in range(nodes - 2, -1, -1):
        here = bounds[node]
        centre = base[place[node]]
        for x in range(count):
            here[LEAST, x] = FAR
            here[MOST, x] = -FAR
            here[NEXT, x] = FAR
        for arc in range(first_arc[node], first_arc[node + 1]):
            if token[arc] < 0:
                for x in range(count):
                    for which in range(3):
                        raw[which, x] = bounds[target[arc], which, x]
            else:
                _before_token(cells, token[arc], bounds[target[arc]], raw)
            least, most = raw[LEAST, centre], raw[MOST, centre]
            for x in range(count):
                here[LEAST, x] = min(here[LEAST, x], raw[LEAST, x] - most)
                here[MOST, x] = max(here[MOST, x], min(raw[MOST, x] - least, FAR))
                here[NEXT, x] = min(here[NEXT, x], raw[NEXT, x] - most)
        _clip(cells, centre, here)
    return bounds


@compiled
def _last_bounds(cells: Ints, bounds: Bounds) -> None:
    """Set the bounds after all tokens of a reference: one value, and an end at the last cell."""
    count = len(cells)
    for which in range(3):
        for x in range(count + 1):
            bounds[which, x] = FAR
    bounds[LEAST, count - 1] = 0
    bounds[NEXT, count - 1] = 0
    for x in range(count - 2, -1, -1):
        both = GAPS if cells[x, SOURCE] == cells[x, HYPOTHESIS] else GAPS + MISMATCH
        best = min(
            int(bounds[LEAST, cells[x, DIAGONAL]]) + both,
            int(bounds[LEAST, cells[x, RIGHT]]) + GAPS,
            int(bounds[LEAST, cells[x, DOWN]]) + GAPS,
        )
        bounds[LEAST, x] = min(best, FAR)
    for x in range(count):
        bounds[MOST, x] = bounds[LEAST, x]


@compiled
def _before_token(cells: Ints, token: int, after: Bounds, raw: Ints) -> None:
    """Set the bounds before a token of the reference from those after it."""
    count = len(cells)
    for which in range(3):
        raw[which, count] = FAR
    for x in range(count - 1, -1, -1):
        right, down, diagonal = cells[x, RIGHT], cells[x, DOWN], cells[x, DIAGONAL]
        source = 0 if cells[x, SOURCE] == token else MISMATCH
        hypothesis = 0 if cells[x, HYPOTHESIS] == token else MISMATCH
        both = 0 if cells[x, SOURCE] == cells[x, HYPOTHESIS] else MISMATCH
        all_three = source + hypothesis + both
        both += GAPS
        source += GAPS
        hypothesis += GAPS
        least = min(
            min(after[LEAST, diagonal] + all_three, after[LEAST, down] + source),
            min(after[LEAST, right] + hypothesis, after[LEAST, x] + GAPS),
        )
        most = min(
            min(after[MOST, diagonal] + all_three, after[MOST, down] + source),
            min(after[MOST, right] + hypothesis, after[MOST, x] + GAPS),
        )
        raw[NEXT, x] = min(least, FAR)
        least = min(
            min(least, raw[LEAST, diagonal] + both),
            min(raw[LEAST, down], raw[LEAST, right]) + GAPS,
        )
        most = min(
            min(most, raw[MOST, diagonal] + both),
            min(raw[MOST, down], raw[MOST, right]) + GAPS,
        )
        raw[LEAST, x] = min(least, FAR)
        raw[MOST, x] = min(most, FAR)


@compiled
def _clip(cells: Ints, centre: int, bounds: Bounds) -> None:
    """Bring bounds within what holds of any reference."""
    for x in range(len(cells)):
        a = cells[x, I] - cells[centre, I]
        b = cells[x, J] - cells[centre, J]
        big, small = max(abs(a), abs(b)), min(abs(a), abs(b))
        if a * b < 0:
            more = GAPS * (big + small)
            less = more
        elif a + b >= 0:
            more = GAPS * big
            less = GAPS * big + MISMATCH * small
        else:
            more = GAPS * big + MISMATCH * small
            less = GAPS * big
        bounds[LEAST, x] = max(bounds[LEAST, x], -less)
        bounds[MOST, x] = min(bounds[MOST, x], more)
    for which in range(3):
        bounds[which, len(cells)] = FAR
