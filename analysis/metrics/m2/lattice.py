"""The lattice of edits that lead from a source to a hypothesis, as the M2 scorer builds it.

A vertex (i, j) stands between token i of the source and token j of the hypothesis. Its edges are
those of ALL shortest alignments, once with substitutions of cost 1 and once of cost 2. Transitive
arcs join consecutive edges into one edit with at most `max_unchanged` unchanged words. Vertices
are numbered row by row, which is a topological order, so that every transitive arc is a shorter
arc and one more edge: the all-pairs loop of the original does no more than that.

The original's graph is reproduced with its accidents, because they break ties between paths:

- edges in both alignments stand in its list twice (it compares edges with vertices);
- an arc stands there once more for each longer arc that it replaced;
- removing unchanged arcs from the list that is being read spares the one after each removed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.m2.gold import IntArray

ByteArray = NDArray[np.uint8]

# Kinds of edges by where they come from, in the order of their first vertices.
DIAGONAL, DELETION, INSERTION = 1, 2, 4
KINDS = DIAGONAL | DELETION | INSERTION
# The edges of the second alignment, and the marks of both, stand above those of the first.
SECOND = 3
REACHED = 6

UNREACHED = np.int32(2**31 - 1)


class Lattice(NamedTuple):
    """Vertices by row and column; arcs by target, then source; the order of the original's list.

    `row_starts` holds the first vertex of each row, `arc_starts` the first arc into each vertex.
    `lengths` counts the edges in an arc, `unchanged` those that change nothing. `listed` holds
    arcs, some repeatedly; it is empty where there would be more than `max_arcs`.
    """

    rows: IntArray
    columns: IntArray
    row_starts: IntArray
    arc_starts: IntArray
    sources: IntArray
    lengths: IntArray
    unchanged: IntArray
    listed: IntArray


@compiled()
def alignment_edges(source: IntArray, hypothesis: IntArray) -> ByteArray:
    """Return for each cell which edges enter it in either alignment, and which reach it.

    Shape (source tokens + 1, hypothesis tokens + 1); bits 0-2 are the kinds of the alignment with
    substitution cost 1, bits 3-5 those with cost 2, bits 6 and 7 say that a shortest path runs
    through the cell.
    """
    n_rows, n_columns = source.size + 1, hypothesis.size + 1
    edges = np.zeros((n_rows, n_columns), dtype=np.uint8)
    distances = np.empty((n_rows, n_columns), dtype=np.int32)
    for alignment in range(2):
        shift = SECOND * alignment
        for i in range(n_rows):
            distances[i, 0] = i
        for j in range(n_columns):
            distances[0, j] = j
        for i in range(1, n_rows):
            for j in range(1, n_columns):
                changed = 0 if source[i - 1] == hypothesis[j - 1] else 1 + alignment
                best = min(distances[i - 1, j], distances[i, j - 1]) + 1
                distances[i, j] = min(best, distances[i - 1, j - 1] + changed)
        mark = np.uint8(1 << (REACHED + alignment))
        edges[n_rows - 1, n_columns - 1] |= mark
        for i in range(n_rows - 1, -1, -1):
            for j in range(n_columns - 1, -1, -1):
                if not edges[i, j] & mark:
                    continue
                distance = distances[i, j]
                if i and j:
                    changed = 0 if source[i - 1] == hypothesis[j - 1] else 1 + alignment
                    if distance == distances[i - 1, j - 1] + changed:
                        edges[i, j] |= np.uint8(DIAGONAL << shift)
                        edges[i - 1, j - 1] |= mark
                if i and distance == distances[i - 1, j] + 1:
                    edges[i, j] |= np.uint8(DELETION << shift)
                    edges[i - 1, j] |= mark
                if j and distance == distances[i, j - 1] + 1:
                    edges[i, j] |= np.uint8(INSERTION << shift)
                    edges[i, j - 1] |= mark
    return edges


@compiled()
def build_lattice(
    source: IntArray,
    hypothesis: IntArray,
    edges: ByteArray,
    max_unchanged: int,
    max_arcs: int,
) -> Lattice:
    """Return the lattice with its transitive arcs; `listed` is empty if there are too many."""
    rows, columns, row_starts, vertices = numbered_vertices(edges)
    n_vertices = rows.size
    followers, out_degrees = _followers(edges, rows, columns, vertices)

    arc_starts = np.zeros(n_vertices + 1, dtype=np.int32)
    sources = np.empty(4 * n_vertices + 16, dtype=np.int32)
    lengths = np.empty(sources.size, dtype=np.int32)
    unchanged = np.empty(sources.size, dtype=np.int32)
    # A slot for each arc and each edge that could lengthen it, in the order of the original's
    # loops; it holds the lengthened arc where that was new or shorter.
    slot_starts = np.zeros(n_vertices + 1, dtype=np.int32)
    slots = np.full(8 * n_vertices + 16, -1, dtype=np.int32)
    edge_arcs = np.full((n_vertices, 3), -1, dtype=np.int32)

    shortest = np.full(n_vertices, UNREACHED, dtype=np.int32)
    fewest = np.zeros(n_vertices, dtype=np.int32)
    arc_from = np.zeros(n_vertices, dtype=np.int32)
    found_slots = np.empty(3 * n_vertices, dtype=np.int32)
    found_sources = np.empty(3 * n_vertices, dtype=np.int32)
    n_arcs = n_found_in_all = 0

    for target in range(n_vertices):
        i, j = rows[target], columns[target]
        kinds = (edges[i, j] | (edges[i, j] >> SECOND)) & KINDS
        first = target
        n_found = 0
        for place in range(3):
            kind = 1 << place
            if kinds & kind:
                before = vertices[i - (kind != INSERTION), j - (kind != DELETION)]
                is_noop = kind == DIAGONAL and source[i - 1] == hypothesis[j - 1]
                shortest[before] = 1
                fewest[before] = 1 if is_noop else 0
                first = min(first, before)
        for place in range(3):
            kind = 1 << place
            if not kinds & kind:
                continue
            before = vertices[i - (kind != INSERTION), j - (kind != DELETION)]
            is_noop = kind == DIAGONAL and source[i - 1] == hypothesis[j - 1]
            step = 1 if is_noop else 0
            slot = slot_starts[before] + _rank(followers[before], kind)
            for arc in range(arc_starts[before], arc_starts[before + 1]):
                vertex = sources[arc]
                is_shorter = lengths[arc] + 1 < shortest[vertex]
                if is_shorter and unchanged[arc] + step <= max_unchanged:
                    shortest[vertex] = lengths[arc] + 1
                    fewest[vertex] = unchanged[arc] + step
                    found_slots[n_found] = slot
                    found_sources[n_found] = vertex
                    n_found += 1
                    first = min(first, vertex)
                slot += out_degrees[before]

        if n_arcs + target - first > sources.size:
            size = 2 * sources.size + target - first
            sources = _grown(sources, n_arcs, size, 0)
            lengths = _grown(lengths, n_arcs, size, 0)
            unchanged = _grown(unchanged, n_arcs, size, 0)
        for vertex in range(first, target):
            if shortest[vertex] < UNREACHED:
                sources[n_arcs] = vertex
                lengths[n_arcs] = shortest[vertex]
                unchanged[n_arcs] = fewest[vertex]
                arc_from[vertex] = n_arcs
                shortest[vertex] = UNREACHED
                n_arcs += 1
        if n_arcs > max_arcs:
            nothing = np.empty(0, dtype=np.int32)
            return Lattice(
                rows, columns, row_starts, arc_starts, nothing, nothing, nothing, nothing
            )
        arc_starts[target + 1] = n_arcs
        for found in range(n_found):
            slots[found_slots[found]] = arc_from[found_sources[found]]
        for place in range(3):
            kind = 1 << place
            if kinds & kind:
                before = vertices[i - (kind != INSERTION), j - (kind != DELETION)]
                edge_arcs[before, _rank(followers[before], kind)] = arc_from[before]
        n_found_in_all += n_found
        n_slots = slot_starts[target] + (n_arcs - arc_starts[target]) * out_degrees[target]
        if n_slots > slots.size:
            slots = _grown(slots, slot_starts[target], 2 * n_slots, -1)
        slot_starts[target + 1] = n_slots

    listed = _listed(edges, rows, columns, edge_arcs, followers, slots, n_found_in_all)
    return Lattice(
        rows,
        columns,
        row_starts,
        arc_starts,
        sources[:n_arcs].copy(),
        lengths[:n_arcs].copy(),
        unchanged[:n_arcs].copy(),
        _without_unchanged_arcs(listed, lengths, unchanged),
    )


@compiled()
def first_arc(lattice: Lattice, vertex: int, target: int) -> int:
    """Return the first arc into `target` that comes from `vertex` or a later one."""
    low, high = lattice.arc_starts[target], lattice.arc_starts[target + 1]
    while low < high:
        middle = (low + high) // 2
        if lattice.sources[middle] < vertex:
            low = middle + 1
        else:
            high = middle
    return int(low)


@compiled()
def numbered_vertices(edges: ByteArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return row and column of each vertex, the first of each row, and the number of each cell."""
    n_rows, n_columns = edges.shape
    vertices = np.full((n_rows, n_columns), -1, dtype=np.int32)
    row_starts = np.zeros(n_rows + 1, dtype=np.int32)
    n_vertices = 0
    for i in range(n_rows):
        for j in range(n_columns):
            if edges[i, j] >> REACHED:
                vertices[i, j] = n_vertices
                n_vertices += 1
        row_starts[i + 1] = n_vertices
    rows = np.empty(n_vertices, dtype=np.int32)
    columns = np.empty(n_vertices, dtype=np.int32)
    for i in range(n_rows):
        for j in range(n_columns):
            if vertices[i, j] >= 0:
                rows[vertices[i, j]] = i
                columns[vertices[i, j]] = j
    return rows, columns, row_starts, vertices


@compiled()
def _followers(
    edges: ByteArray, rows: IntArray, columns: IntArray, vertices: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the kinds of edges that leave each vertex, and how many they are."""
    followers = np.zeros(rows.size, dtype=np.int32)
    out_degrees = np.zeros(rows.size, dtype=np.int32)
    for target in range(rows.size):
        i, j = rows[target], columns[target]
        kinds = (edges[i, j] | (edges[i, j] >> SECOND)) & KINDS
        for place in range(3):
            kind = 1 << place
            if kinds & kind:
                before = vertices[i - (kind != INSERTION), j - (kind != DELETION)]
                followers[before] |= kind
                out_degrees[before] += 1
    return followers, out_degrees


@compiled()
def _rank(kinds: int, kind: int) -> int:
    """Return how many of the kinds come before this one in the order of their last vertices."""
    rank = 0
    for place in range(3):
        if (1 << place) > kind and kinds & (1 << place):
            rank += 1
    return rank


@compiled()
def _listed(
    edges: ByteArray,
    rows: IntArray,
    columns: IntArray,
    edge_arcs: IntArray,
    followers: IntArray,
    slots: IntArray,
    n_found: int,
) -> IntArray:
    """Return edges in the order of their vertices, then arcs in the order of their discovery."""
    listed = np.empty(6 * rows.size + n_found, dtype=np.int32)
    n_listed = 0
    for vertex in range(rows.size):
        for place in range(2, -1, -1):
            kind = 1 << place
            if not followers[vertex] & kind:
                continue
            arc = edge_arcs[vertex, _rank(followers[vertex], kind)]
            i = rows[vertex] + (kind != INSERTION)
            j = columns[vertex] + (kind != DELETION)
            for alignment in range(2):
                if (edges[i, j] >> (SECOND * alignment)) & kind:
                    listed[n_listed] = arc
                    n_listed += 1
    for slot in range(slots.size):
        if slots[slot] >= 0:
            listed[n_listed] = slots[slot]
            n_listed += 1
    return listed[:n_listed].copy()


@compiled()
def _without_unchanged_arcs(listed: IntArray, lengths: IntArray, unchanged: IntArray) -> IntArray:
    """Return the list without the transitive arcs that change nothing, but for those spared."""
    kept = np.empty(listed.size, dtype=np.int32)
    n_kept = 0
    place = 0
    while place < listed.size:
        arc = listed[place]
        if lengths[arc] > 1 and lengths[arc] == unchanged[arc]:
            place += 1
            if place == listed.size:
                break
            arc = listed[place]
        kept[n_kept] = arc
        n_kept += 1
        place += 1
    return kept[:n_kept].copy()


@compiled()
def _grown(values: IntArray, used: int, size: int, fill: int) -> IntArray:
    """Return a larger array that begins with the used values."""
    larger = np.full(size, fill, dtype=np.int32)
    for place in range(used):
        larger[place] = values[place]
    return larger
