"""Bound the sum of counts that the rest of a path can add, for any reference, compiled.

Some sentences have too many states, and nearly all of them lead to references that are worse than
one that is easily found. Let N / D be the weighted accuracy of that reference. A path through a
state is at least as good only if its sum of D * numerator - N * denominator is not negative
(choice.py). The best continuation bounds how much the rest can add from a cell. It may use steps of
cheapest alignments and others: a step counts unless the bounds of costs show that it is on no
cheapest alignment from there. The search starts with the reference that attains the bound, and
repeats with better references as long as one is found.
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

# The same layout as the counts of an edge.
AGREED, MISSED, HIT, FALSE, OTHER = range(5)
# Steps that may be on a cheapest alignment. If the column has a token of the reference, the step
# leads to the next cell. Otherwise the reference has a gap there.
WITH_BOTH, WITH_SOURCE, WITH_HYPOTHESIS, ALONE, BOTH, OF_SOURCE, OF_HYPOTHESIS = (
    1 << bit for bit in range(7)
)
# Columns of a cell: the maximum that can follow, the arc that attains it, and the next cell.
GAIN, ARC, EXIT = range(3)
HOPELESS = -(1 << 60)

Steps = NDArray[np.uint8]


@compiled()
def possible_steps(
    cells: Ints, bounds: Bounds, window: Ints, first_arc: Ints, token: Ints, target: Ints
) -> tuple[Steps, Ints]:
    """Return the possible steps of each arc from its window's cells, and their positions."""
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
    """Return the steps from a cell by an arc, given the bounds after and before the arc."""
    right, down, diagonal = cell[RIGHT], cell[DOWN], cell[DIAGONAL]
    shift, high = target[SHIFT], target[HIGHEST]
    # Cells beyond a window are skipped, because all of them are far.
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
    """Return the bounds [cell of a window, which]; `factors` are contributions by column."""
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
    """Set the bound of a cell after the last token of the reference."""
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
    """Set the bound of a cell by a reference token, or by an arc without one."""
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
    """Improve the bound of a cell by steps with tokens of source and hypothesis only."""
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
    """Return an arc for each node.

    On the path with the highest bound, it is the arc of that path.
    """
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
