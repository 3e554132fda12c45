"""Insertions before the first token, as older releases of the M2 scorer number them.

There the edge from (0, j) to (0, j + 1) inserts not at 0, but at j. An arc begins where its first
edge does and ends where its last does, so that those which begin at (0, j) with an insertion

- agree with gold insertions at j, where they insert that token and no more;
- agree with nothing, where they insert several tokens, or go on to later rows and j is not 0: the
  tokens between such offsets are not those that are replaced. Arcs from (0, j) to row j are read
  with the insertions at j all the same.
"""

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.m2.gold import IntArray
from maege.analysis.metrics.m2.lattice import (
    DELETION,
    DIAGONAL,
    INSERTION,
    KINDS,
    SECOND,
    ByteArray,
    Lattice,
    first_arc,
    numbered_vertices,
)

Flags = NDArray[np.bool_]

# The span of an edit that agrees with nothing.
NOWHERE = -1


@compiled()
def inserting_first(
    lattice: Lattice,
    source: IntArray,
    hypothesis: IntArray,
    edges: ByteArray,
    max_unchanged: int,
) -> Flags:
    """Return for each arc whether it begins in the first row with an insertion.

    An arc is the first one found of its length, and begins as the one that it lengthened.
    """
    flags = np.zeros(lattice.sources.size, dtype=np.bool_)
    vertices = numbered_vertices(edges)[3]
    for target in range(lattice.rows.size):
        i, j = lattice.rows[target], lattice.columns[target]
        kinds = (edges[i, j] | (edges[i, j] >> SECOND)) & KINDS
        for arc in range(lattice.arc_starts[target], lattice.arc_starts[target + 1]):
            vertex = lattice.sources[arc]
            if lattice.rows[vertex]:
                break
            flags[arc] = lattice.lengths[arc] == 1 and i == 0
            for place in range(3):
                kind = 1 << place
                if not kinds & kind:
                    continue
                before = vertices[i - (kind != INSERTION), j - (kind != DELETION)]
                shorter = first_arc(lattice, vertex, before)
                if shorter == lattice.arc_starts[before + 1] or lattice.sources[shorter] != vertex:
                    continue
                is_noop = kind == DIAGONAL and source[i - 1] == hypothesis[j - 1]
                unchanged = lattice.unchanged[shorter] + (1 if is_noop else 0)
                is_next = lattice.lengths[shorter] + 1 == lattice.lengths[arc]
                if is_next and unchanged <= max_unchanged:
                    flags[arc] = flags[shorter]
                    break
    return flags


@compiled()
def insertions_with_first_row(
    lattice: Lattice,
    listings: IntArray,
    flags: Flags,
    position: int,
    arcs: IntArray,
    targets: IntArray,
) -> tuple[IntArray, IntArray]:
    """Return the arcs that begin and end at a position, as often as listed; their targets.

    `arcs` and `targets` are those in its row. In the first row vertex j stands in column j.
    """
    n_first = lattice.row_starts[1]
    row = lattice.row_starts[position]
    n_row = lattice.row_starts[position + 1] - row if position else 0
    if not position:
        arcs, targets = arcs[:0], targets[:0]
    found = np.empty(lattice.listed.size, dtype=np.int32)
    found_targets = np.empty(lattice.listed.size, dtype=np.int32)
    n_found = 0
    for place in range(-1, n_row):
        target = row + place if place >= 0 else position + 1
        if position >= n_first or (place < 0 and target >= n_first):
            continue
        arc = first_arc(lattice, position, target)
        if arc == lattice.arc_starts[target + 1] or lattice.sources[arc] != position:
            continue
        if flags[arc]:
            for _ in range(listings[arc]):
                found[n_found] = arc
                found_targets[n_found] = target
                n_found += 1
    return _joined(found, n_found, arcs), _joined(found_targets, n_found, targets)


@compiled()
def _joined(values: IntArray, used: int, others: IntArray) -> IntArray:
    """Return the used values and then the others."""
    joined = np.empty(used + others.size, dtype=np.int32)
    for place in range(used):
        joined[place] = values[place]
    for place in range(others.size):
        joined[used + place] = others[place]
    return joined


@compiled()
def numbered(edits: IntArray, lattice: Lattice, flags: Flags) -> IntArray:
    """Return edits on a path with the spans in the source that they are compared by."""
    spans = edits.copy()
    for row in range(edits.shape[0]):
        end, first, last = edits[row, 1], edits[row, 2], edits[row, 3]
        if edits[row, 0] > 0:
            break
        target = lattice.row_starts[end]
        while lattice.columns[target] != last:
            target += 1
        if not flags[first_arc(lattice, first, target)]:
            continue
        if end == 0 and last == first + 1:
            spans[row, 0] = spans[row, 1] = first
        elif end == 0 or first > 0:
            spans[row, 0] = spans[row, 1] = NOWHERE
    return spans
