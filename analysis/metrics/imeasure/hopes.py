"""The most that what follows can add to a sum of counts, whatever the reference, compiled.

The states of some sentences are too many, and all but a few lead to worse references than one that
is easily found. With N / D the weighted accuracy of a reference, a path through a state is as good
or better only if its sum of D * numerator - N * denominator is not negative (choice.py). How much
of that sum can still follow from a cell is bounded by the best of all ways to the end, those of the
cheapest alignments and those of others: a step counts unless the bounds of costs show that it is on
no cheapest alignment from there. The reference that the bound itself takes is the one to begin with
and, as long as it is better than the last one, to go on with.
"""

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.bounds import FAR, GAPS, LEAST, MOST, Bounds, before_arc
from maege.analysis.metrics.imeasure.cells import (
    DIAGONAL,
    DOWN,
    HYPOTHESIS,
    MISMATCH,
    RIGHT,
    SOURCE,
)
from maege.analysis.metrics.imeasure.graph import Ints
from maege.analysis.metrics.imeasure.windows import AFTER_CELL, FIRST_CELL, HIGHEST, SHIFT

# As in the counts of an edge.
AGREED, MISSED, HIT, FALSE, OTHER = range(5)
# Steps that may be on a cheapest alignment. If the column has a token of the reference, the step
# leads to the next cell. Otherwise the reference has a gap there.
WITH_BOTH, WITH_SOURCE, WITH_HYPOTHESIS, ALONE, BOTH, OF_SOURCE, OF_HYPOTHESIS = (
    1 << bit for bit in range(7)
)
# Of a cell: the most that can follow, the arc that it follows by, and the cell after that.
GAIN, ARC, EXIT = range(3)
HOPELESS = -(1 << 60)

Steps = NDArray[np.uint8]


@compiled()
def possible_steps(
    cells: Ints, bounds: Bounds, window: Ints, first_arc: Ints, token: Ints, target: Ints
) -> tuple[Steps, Ints]:
    """Return the steps by each arc from the cells of its window, and where those of an arc are."""
    nodes, count = len(window), len(cells)
    place = np.empty(len(token), np.int64)
    total = 0
    for node in range(nodes - 1):
        for arc in range(first_arc[node], first_arc[node + 1]):
            place[arc] = total - window[node, FIRST_CELL]
            total += window[node, AFTER_CELL] - window[node, FIRST_CELL]
    steps = np.empty(total, np.uint8)
    raw = np.empty((count + 1, 3), np.int16)
    for node in range(nodes - 1):
        first, end = window[node, FIRST_CELL], window[node, AFTER_CELL]
        for x in range(end, window[node, HIGHEST] + 1):
            for which in range(3):
                raw[x, which] = FAR
        for arc in range(first_arc[node], first_arc[node + 1]):
            following = window[target[arc]]
            before_arc(cells, token[arc], window[node], bounds, following, raw, 0)
            for x in range(first, end):
                steps[x + place[arc]] = _steps(
                    cells[x], token[arc], x, window[node, HIGHEST], bounds, following, raw
                )
    return steps, place


@compiled()
def _steps(
    cell: Ints, token: int, x: int, own_high: int, after: Bounds, target: Ints, before: Bounds
) -> int:
    """Return the steps from a cell by an arc, from the bounds after the arc and before it."""
    right, down, diagonal = cell[RIGHT], cell[DOWN], cell[DIAGONAL]
    shift, high = target[SHIFT], target[HIGHEST]
    # Not beyond a window, where all is as far.
    most = min(int(before[x, MOST]), FAR - 1)
    apart = 0 if cell[SOURCE] == cell[HYPOTHESIS] else MISMATCH
    steps = 0
    if token >= 0:
        source = 0 if cell[SOURCE] == token else MISMATCH
        hypothesis = 0 if cell[HYPOTHESIS] == token else MISMATCH
        if source + hypothesis + apart + after[min(diagonal, high) + shift, LEAST] <= most:
            steps |= WITH_BOTH
        if source + GAPS + after[min(down, high) + shift, LEAST] <= most:
            steps |= WITH_SOURCE
        if hypothesis + GAPS + after[min(right, high) + shift, LEAST] <= most:
            steps |= WITH_HYPOTHESIS
        if GAPS + after[x + shift, LEAST] <= most:
            steps |= ALONE
    elif after[x + shift, LEAST] <= most:
        steps |= ALONE
    if GAPS + apart + before[min(diagonal, own_high), LEAST] <= most:
        steps |= BOTH
    if GAPS + before[min(down, own_high), LEAST] <= most:
        steps |= OF_SOURCE
    if GAPS + before[min(right, own_high), LEAST] <= most:
        steps |= OF_HYPOTHESIS
    return steps


@compiled()
def hopes(
    cells: Ints,
    steps: Steps,
    place: Ints,
    window: Ints,
    first_arc: Ints,
    token: Ints,
    target: Ints,
    factors: Ints,
) -> Ints:
    """Return the hopes [cell of a window, which]; `factors` are what a column of each kind adds."""
    nodes, count = len(window), len(cells)
    size = window[nodes - 1, SHIFT] + window[nodes - 1, HIGHEST] + 1
    found = np.empty((size, 3), np.int64)
    ways = np.empty((count, 3), np.int64)
    shift = window[nodes - 1, SHIFT]
    for x in range(count - 1, window[nodes - 1, FIRST_CELL] - 1, -1):
        found[x + shift, ARC], found[x + shift, EXIT] = -1, -1
        _at_last(cells, x, count, shift, factors, found)
    for node in range(nodes - 2, -1, -1):
        first, end, shift = window[node, FIRST_CELL], window[node, AFTER_CELL], window[node, SHIFT]
        for x in range(first, end):
            found[x + shift, GAIN] = HOPELESS
        for arc in range(first_arc[node], first_arc[node + 1]):
            other = window[target[arc], SHIFT]
            for x in range(end - 1, first - 1, -1):
                ways[x, GAIN] = HOPELESS
                taken = steps[x + place[arc]]
                _by_token(cells[x], x, taken, token[arc], arc, found, other, factors, ways)
                _by_others(cells[x], x, taken, factors, ways)
                if ways[x, GAIN] > found[x + shift, GAIN]:
                    for which in range(3):
                        found[x + shift, which] = ways[x, which]
    return found


@compiled()
def _at_last(cells: Ints, x: int, count: int, shift: int, factors: Ints, found: Ints) -> None:
    """Set the hope of a cell after the last token of the reference."""
    if x == count - 1:
        found[x + shift, GAIN] = 0
        return
    right, down, diagonal = cells[x, RIGHT], cells[x, DOWN], cells[x, DIAGONAL]
    best = HOPELESS
    if diagonal < count:
        both = MISSED if cells[x, SOURCE] == cells[x, HYPOTHESIS] else OTHER
        best = found[diagonal + shift, GAIN] + factors[both]
    if down < count:
        best = max(best, found[down + shift, GAIN] + factors[HIT])
    if right < count:
        best = max(best, found[right + shift, GAIN] + factors[FALSE])
    found[x + shift, GAIN] = best


@compiled()
def _by_token(
    cell: Ints,
    x: int,
    steps: int,
    token: int,
    arc: int,
    found: Ints,
    shift: int,
    factors: Ints,
    ways: Ints,
) -> None:
    """Set the hope of a cell by way of a token of the reference, or of an arc without any."""
    if token < 0:
        if steps & ALONE:
            _offer(ways, x, found[x + shift, GAIN], arc, x)
        return
    source, hypothesis = cell[SOURCE] == token, cell[HYPOTHESIS] == token
    if steps & WITH_BOTH:
        if source and hypothesis:
            column = AGREED
        elif cell[SOURCE] == cell[HYPOTHESIS]:
            column = MISSED
        elif hypothesis:
            column = HIT
        elif source:
            column = FALSE
        else:
            column = OTHER
        after = cell[DIAGONAL]
        _offer(ways, x, found[after + shift, GAIN] + factors[column], arc, after)
    if steps & WITH_SOURCE:
        after = cell[DOWN]
        column = FALSE if source else OTHER
        _offer(ways, x, found[after + shift, GAIN] + factors[column], arc, after)
    if steps & WITH_HYPOTHESIS:
        after = cell[RIGHT]
        column = HIT if hypothesis else OTHER
        _offer(ways, x, found[after + shift, GAIN] + factors[column], arc, after)
    if steps & ALONE:
        _offer(ways, x, found[x + shift, GAIN] + factors[MISSED], arc, x)


@compiled()
def _by_others(cell: Ints, x: int, steps: int, factors: Ints, ways: Ints) -> None:
    """Better the hope of a cell by way of tokens of source and hypothesis alone."""
    if steps & BOTH:
        after = cell[DIAGONAL]
        column = MISSED if cell[SOURCE] == cell[HYPOTHESIS] else OTHER
        _offer(ways, x, ways[after, GAIN] + factors[column], ways[after, ARC], ways[after, EXIT])
    if steps & OF_SOURCE:
        after = cell[DOWN]
        _offer(ways, x, ways[after, GAIN] + factors[HIT], ways[after, ARC], ways[after, EXIT])
    if steps & OF_HYPOTHESIS:
        after = cell[RIGHT]
        _offer(ways, x, ways[after, GAIN] + factors[FALSE], ways[after, ARC], ways[after, EXIT])


@compiled()
def _offer(ways: Ints, x: int, gain: int, arc: int, after: int) -> None:
    if gain > ways[x, GAIN]:
        ways[x, GAIN], ways[x, ARC], ways[x, EXIT] = gain, arc, after


@compiled()
def hoped_arcs(found: Ints, window: Ints, first_arc: Ints, target: Ints) -> Ints:
    """Return for each node an arc: on the most hopeful path that path's own."""
    nodes = len(window)
    arcs = np.empty(nodes - 1, np.int64)
    for node in range(nodes - 1):
        arcs[node] = first_arc[node]
    node, x = 0, 0
    while node < nodes - 1:
        at = x + window[node, SHIFT]
        arcs[node] = found[at, ARC]
        x = found[at, EXIT]
        node = target[arcs[node]]
    return arcs
