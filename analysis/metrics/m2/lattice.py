"""The lattice of edits that lead from a source to a hypothesis, as the M2 scorer builds it.

A vertex (i, j) is between tokens: i tokens of the source and j of the hypothesis precede it. Its
edges are those of all shortest alignments, both with substitutions of cost 1 and of cost 2.
Transitive arcs join consecutive edges into one edit with at most `max_unchanged` unchanged words.
Vertices are numbered row by row, which is a topological order. Therefore every transitive arc
consists of a shorter arc and one more edge, and the original's all-pairs loop finds the same arcs.

The original's graph is reproduced with its accidental properties, because they break ties between
paths:

- an edge in both alignments is in its list twice (it compares edges with vertices);
- an arc is listed once more for each longer arc that it replaced;
- unchanged arcs are removed from the list while it is read, so the arc after each removed one is
  skipped and stays.

Older releases of the scorer give an insertion before the first token its position j in the
hypothesis instead of 0 (`numbers_first_row`). An arc starts where its first edge starts and ends
where its last edge ends, so the span of such an arc may differ from the tokens that it replaces.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled

Int32 = NDArray[np.int32]

# Bits for the kinds of edges that enter a vertex; those of the second alignment are shifted.
DIAGONAL, DELETION, INSERTION = 1, 2, 4
SECOND = 3
# Bits for vertices on a shortest path of the first or second alignment.
REACHED = 6

# Columns of arcs: first and last vertex, numbers of edges and of unchanged words, span in the
# source.
FIRST, LAST, LENGTH, UNCHANGED, START, END = range(6)


class Lattice(NamedTuple):
    """Positions of the vertices in source and hypothesis, and the arcs.

    `listed` has arcs in the order of the original's list, some repeatedly. `insertions` has the
    listed arcs that replace no token, sorted by position and vertices.
    """

    rows: Int32
    columns: Int32
    arcs: Int32
    listed: Int32
    insertions: Int32


def build_lattice(
    source: Int32,
    hypothesis: Int32,
    max_unchanged: int,
    numbers_first_row: bool,
    most_vertices: int,
    most_arcs: int,
) -> Lattice | None:
    """Return the lattice; None if it has more vertices or arcs than the given maxima."""
    shape = source.size + 1, hypothesis.size + 1
    if max(shape) > most_vertices:
        return None
    edges = np.zeros(shape, np.int32)
    _mark_edges(source, hypothesis, np.empty(shape, np.int32), edges)
    rows, columns = (places.astype(np.int32) for places in np.nonzero(edges >> REACHED))
    n_vertices = len(rows)
    if n_vertices > most_vertices:
        return None
    vertices = np.full(shape, -1, np.int32)
    vertices[rows, columns] = np.arange(n_vertices)
    size = 32 * n_vertices
    sizes = np.zeros(2, np.int64)
    while size <= most_arcs:
        arcs, listed = np.empty((size, 6), np.int32), np.empty(size, np.int32)
        between = np.full((n_vertices, n_vertices), -1, np.int32)
        _join_edges(
            source,
            hypothesis,
            edges,
            vertices,
            rows,
            columns,
            max_unchanged,
            int(numbers_first_row),
            between,
            arcs,
            listed,
            np.empty(n_vertices + 1, np.int32),
            sizes,
        )
        if sizes[0] >= 0:
            break
        size *= 4
    else:
        return None
    arcs, listed = arcs[: sizes[0]], listed[: sizes[1]]
    places = arcs[listed]
    inserting = np.flatnonzero(places[:, START] == places[:, END])
    order = np.lexsort(places[inserting][:, [LAST, FIRST, START]].T)
    return Lattice(rows, columns, arcs, listed, listed[inserting[order]])


@compiled("void(i4[::1], i4[::1], i4[:, ::1], i4[:, ::1])")
def _mark_edges(source: Int32, hypothesis: Int32, distances: Int32, edges: Int32) -> None:
    """Write for each cell the edges that enter it in each alignment, and whether it is reached."""
    n, m = source.size, hypothesis.size
    for alignment in range(2):
        for i in range(n + 1):
            for j in range(m + 1):
                best = i + j
                if i and j:
                    changed = 0 if source[i - 1] == hypothesis[j - 1] else 1 + alignment
                    best = min(distances[i - 1, j], distances[i, j - 1]) + 1
                    best = min(best, distances[i - 1, j - 1] + changed)
                distances[i, j] = best
        shift, mark = SECOND * alignment, 1 << (REACHED + alignment)
        edges[n, m] |= mark
        for i in range(n, -1, -1):
            for j in range(m, -1, -1):
                if not edges[i, j] & mark:
                    continue
                if i and j:
                    changed = 0 if source[i - 1] == hypothesis[j - 1] else 1 + alignment
                    if distances[i, j] == distances[i - 1, j - 1] + changed:
                        edges[i, j] |= DIAGONAL << shift
                        edges[i - 1, j - 1] |= mark
                if i and distances[i, j] == distances[i - 1, j] + 1:
                    edges[i, j] |= DELETION << shift
                    edges[i - 1, j] |= mark
                if j and distances[i, j] == distances[i, j - 1] + 1:
                    edges[i, j] |= INSERTION << shift
                    edges[i, j - 1] |= mark


@compiled(
    "void(i4[::1], i4[::1], i4[:, ::1], i4[:, ::1], i4[::1], i4[::1], i8, i8, i4[:, ::1],"
    "i4[:, ::1], i4[::1], i4[::1], i8[::1])"
)
def _join_edges(
    source: Int32,
    hypothesis: Int32,
    edges: Int32,
    vertices: Int32,
    rows: Int32,
    columns: Int32,
    max_unchanged: int,
    numbers_first_row: int,
    between: Int32,
    arcs: Int32,
    listed: Int32,
    edge_starts: Int32,
    sizes: NDArray[np.int64],
) -> None:
    """Write all arcs and their list; return the number of both, or -1 if there is too little space.

    `between` has the arc from a vertex to another one, -1 if there is none. `edge_starts` has the
    first edge that leaves each vertex.
    """
    capacity = listed.size
    n_arcs = n_listed = 0
    sizes[0] = -1
    for first in range(rows.size):
        edge_starts[first] = n_arcs
        for place in range(2, -1, -1):
            kind = 1 << place
            row = rows[first] + (0 if kind == INSERTION else 1)
            column = columns[first] + (0 if kind == DELETION else 1)
            if row > source.size or column > hypothesis.size:
                continue
            if not (edges[row, column] | edges[row, column] >> SECOND) & kind:
                continue
            if n_arcs + 1 > capacity or n_listed + 2 > capacity:
                return
            is_same = kind == DIAGONAL and source[row - 1] == hypothesis[column - 1]
            is_numbered = numbers_first_row == 1 and row == 0
            arcs[n_arcs, FIRST] = first
            arcs[n_arcs, LAST] = vertices[row, column]
            arcs[n_arcs, LENGTH] = 1
            arcs[n_arcs, UNCHANGED] = 1 if is_same else 0
            arcs[n_arcs, START] = columns[first] if is_numbered else rows[first]
            arcs[n_arcs, END] = columns[first] if is_numbered else row
            between[first, vertices[row, column]] = n_arcs
            for alignment in range(2):
                if edges[row, column] >> (SECOND * alignment) & kind:
                    listed[n_listed] = n_arcs
                    n_listed += 1
            n_arcs += 1
    edge_starts[rows.size] = n_arcs
    for middle in range(rows.size):
        for first in range(middle):
            before = between[first, middle]
            if before < 0:
                continue
            for edge in range(edge_starts[middle], edge_starts[middle + 1]):
                last = arcs[edge, LAST]
                length = arcs[before, LENGTH] + 1
                unchanged = arcs[before, UNCHANGED] + arcs[edge, UNCHANGED]
                arc = between[first, last]
                if unchanged > max_unchanged or (arc >= 0 and arcs[arc, LENGTH] <= length):
                    continue
                if n_arcs + 1 > capacity or n_listed + 1 > capacity:
                    return
                if arc < 0:
                    arc = between[first, last] = n_arcs
                    n_arcs += 1
                arcs[arc, FIRST] = first
                arcs[arc, LAST] = last
                arcs[arc, LENGTH] = length
                arcs[arc, UNCHANGED] = unchanged
                arcs[arc, START] = arcs[before, START]
                arcs[arc, END] = arcs[edge, END]
                listed[n_listed] = arc
                n_listed += 1
    n_left = place = 0
    while place < n_listed:
        arc = listed[place]
        if arcs[arc, LENGTH] > 1 and arcs[arc, LENGTH] == arcs[arc, UNCHANGED]:
            place += 1
            if place == n_listed:
                break
            arc = listed[place]
        listed[n_left] = arc
        n_left += 1
        place += 1
    sizes[0], sizes[1] = n_arcs, n_left
