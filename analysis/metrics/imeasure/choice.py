"""Find the best path of a graph of states, with the I-measure program's tie-breaking, compiled.

The criteria are, in this order: weighted accuracy of correction, improvement on the source,
accuracy; the same three for detection; then the first path. Each criterion is a ratio of sums along
a path. The largest ratio is found by fractional programming (Dinkelbach 1967, "On Nonlinear
Fractional Programming"): with the best ratio so far, N / D, find the path with the largest sum of D
* numerator - N * denominator, and repeat until this sum is not positive. The paths with the best
ratio consist of the edges on such paths, and the next criterion decides between them. All numbers
are integers, so the result is exact.
"""

from typing import NamedTuple

import numpy as np

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.graph import Ints
from maege.analysis.metrics.imeasure.states import (
    BITS,
    EDGE,
    FROM,
    LABEL,
    NODE,
    TO,
    States,
    longer_rows,
)

# Counts of an edge: five of the hypothesis, then two of the source (all texts agree, and all
# others).
AGREED, MISSED, HIT, FALSE, OTHER, BASE_AGREED, BASE_MISSED = range(7)
WIDTH = 7

# The maximised quantities: for correction and for detection, and the negative accuracy of the
# source.
CORRECTION, CORRECTION_ACCURACY, DETECTION, DETECTION_ACCURACY, BASE = range(5)

UNREACHED = -(1 << 60)


class Paths(NamedTuple):
    """Paths from first node (0) to last node: edges in the order of states, and their counts.

    `first` holds the first edge of each node, `start` the counts at the beginning of all paths.
    `left` is 1 for edges that are still allowed.
    """

    edges: Ints
    first: Ints
    counts: Ints
    start: Ints
    left: Ints
    last: int


@compiled()
def best_arcs(hypothesis: States, first_arc: Ints, weight: int) -> Ints:
    """Return 1 for each arc on a path with the highest accuracy, and 0 for other arcs."""
    paths = _most_accurate(hypothesis, 0, weight)
    arcs = np.zeros(first_arc[-1], np.int64)
    for edge in range(len(paths.left)):
        if paths.left[edge] == 1:
            state = paths.edges[edge, FROM]
            place = edge - paths.first[state]
            arcs[first_arc[hypothesis.states[state, NODE]] + place] = 1
    return arcs


@compiled()
def best_counts(hypothesis: States, base: States, weight: int) -> Ints:
    """Return the seven counts of the best path.

    `hypothesis` holds the states of the hypothesis, `base` the states with the source as
    hypothesis. Both have the same references.
    """
    alone = _most_accurate(hypothesis, base.start, weight)
    paths = _pairs(alone, base)
    left = paths.left
    before = np.empty(len(left), np.int64)
    for which in range(CORRECTION, BASE, 2):
        right, total = _largest(paths, which, weight)
        # Improvement falls as the accuracy of the source rises. In two cases this does not matter:
        # if the accuracy is 1, everything is improved; if it is 0, everything is lost unless the
        # source has nothing correct either.
        if right < total:
            for edge in range(len(left)):
                before[edge] = left[edge]
            base_right, _ = _largest(paths, BASE, weight)
            if right == 0 and base_right != 0:
                for edge in range(len(left)):
                    left[edge] = before[edge]
        _largest(paths, which + 1, weight)
    return _first_path(paths, left)


@compiled()
def _most_accurate(hypothesis: States, base_start: int, weight: int) -> Paths:
    """Return the paths of a hypothesis, reduced to those with the highest accuracy."""
    edges, states = hypothesis.edges, hypothesis.states
    counts = np.empty((len(edges), WIDTH), np.int64)
    for edge in range(len(edges)):
        _unpack(edges[edge, LABEL], 0, counts[edge])
    start = np.empty(WIDTH, np.int64)
    _unpack(hypothesis.start, base_start, start)
    first = np.empty(len(states), np.int64)
    for state in range(len(states)):
        first[state] = states[state, EDGE]
    # No path passes through a discarded state.
    ends, left = np.zeros(len(states), np.int64), np.empty(len(edges), np.int64)
    ends[hypothesis.last] = 1
    for edge in range(len(edges) - 1, -1, -1):
        left[edge] = ends[edges[edge, TO]]
        ends[edges[edge, FROM]] |= left[edge]
    alone = Paths(edges, first, counts, start, left, hypothesis.last)
    _largest(alone, CORRECTION, weight)
    return alone


@compiled()
def _unpack(packed: int, base: int, counts: Ints) -> None:
    """Set the counts of an edge from those of hypothesis and source. Counts may be negative."""
    half = 1 << (BITS - 1)
    for place in range(WIDTH):
        if place == BASE_AGREED:
            packed = base
        count = ((packed + half) & (2 * half - 1)) - half
        counts[place] = count
        packed = (packed - count) >> BITS


def unpacked(packed: int) -> Ints:
    """Return the seven counts of a hypothesis, with 0 for the source."""
    counts = np.empty(WIDTH, np.int64)
    _unpack(packed, 0, counts)
    return counts


@compiled()
def _pairs(paths: Paths, base: States) -> Paths:
    """Return the remaining paths with the counts of the source on them.

    Nodes are pairs of states.
    """
    edges, counts = np.empty((64, 3), np.int64), np.empty((64, WIDTH), np.int64)
    # Columns of a pair: the state of the source, its first edge, the previous pair with the same
    # node.
    pairs = np.empty((64, 3), np.int64)
    latest = np.full(len(paths.first), -1, np.int64)
    pairs[0, 0], pairs[0, 1], pairs[0, 2] = 0, 0, -1
    latest[0] = 0
    n_pairs, n_edges = 1, 0
    edge = 0
    while edge < len(paths.edges):
        node = paths.edges[edge, FROM]
        after = edge
        while after < len(paths.edges) and paths.edges[after, FROM] == node:
            after += 1
        pair = latest[node]
        while pair >= 0:
            pairs[pair, 1] = n_edges
            for arc in range(edge, after):
                if paths.left[arc] == 0:
                    continue
                other = base.states[pairs[pair, 0], EDGE] + arc - edge
                end, base_end = paths.edges[arc, TO], base.edges[other, TO]
                found = latest[end]
                while found >= 0 and pairs[found, 0] != base_end:
                    found = pairs[found, 2]
                if found < 0:
                    found = n_pairs
                    if n_pairs == len(pairs):
                        pairs = longer_rows(pairs)
                    pairs[found, 0], pairs[found, 1], pairs[found, 2] = base_end, 0, latest[end]
                    latest[end] = found
                    n_pairs += 1
                if n_edges == len(edges):
                    edges, counts = longer_rows(edges), longer_rows(counts)
                edges[n_edges, FROM], edges[n_edges, TO] = pair, found
                _unpack(0, base.edges[other, LABEL], counts[n_edges])
                for place in range(BASE_AGREED):
                    counts[n_edges, place] = paths.counts[arc, place]
                n_edges += 1
            pair = pairs[pair, 2]
        edge = after
    first = np.empty(n_pairs, np.int64)
    for pair in range(n_pairs):
        first[pair] = pairs[pair, 1]
    left = np.full(n_edges, 1, np.int64)
    return Paths(edges, first, counts, paths.start, left, latest[paths.last])


@compiled()
def terms_of(which: int, weight: int) -> Ints:
    """Return the coefficient of each count in numerator and denominator.

    WAcc is (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2), here doubled. A token on which
    all three texts differ is FP, FN and FPN of correction, and TP of detection.
    """
    terms = np.zeros((2, WIDTH), np.int64)
    if which == BASE:
        terms[0, BASE_AGREED] = -1
        terms[1, BASE_AGREED] = 1
        terms[1, BASE_MISSED] = 1
        return terms
    accurate = which in (CORRECTION_ACCURACY, DETECTION_ACCURACY)
    w = 1 if accurate else weight
    terms[1, AGREED] = 2
    terms[1, HIT] = 2 * w
    terms[1, MISSED] = 2
    terms[1, FALSE] = 2 * w
    terms[0, AGREED] = 2
    terms[0, HIT] = 2 * w
    if which >= DETECTION:
        terms[0, OTHER] = 2 * w
        terms[1, OTHER] = 2 * w
    else:
        terms[1, OTHER] = w + 1
    return terms


@compiled()
def _largest(paths: Paths, which: int, weight: int) -> tuple[int, int]:
    """Keep only the edges of paths with the largest ratio, and return the ratio."""
    terms = terms_of(which, weight)
    n_edges = len(paths.left)
    values = np.empty(len(paths.first), np.int64)
    gains = np.empty(n_edges, np.int64)
    factors = np.empty(WIDTH, np.int64)
    tight = np.empty(n_edges, np.int64)
    for edge in range(n_edges):
        tight[edge] = paths.left[edge]
    while True:
        path = _first_path(paths, tight)
        numerator, denominator = 0, 0
        for place in range(WIDTH):
            numerator += terms[0, place] * path[place]
            denominator += terms[1, place] * path[place]
        best = 0
        for place in range(WIDTH):
            factors[place] = terms[0, place] * denominator - terms[1, place] * numerator
            best += factors[place] * paths.start[place]
        for node in range(len(values)):
            values[node] = UNREACHED
        values[paths.last] = 0
        for edge in range(n_edges - 1, -1, -1):
            if paths.left[edge] == 1:
                gain = values[paths.edges[edge, TO]]
                for place in range(WIDTH):
                    gain += factors[place] * paths.counts[edge, place]
                gains[edge] = gain
                node = paths.edges[edge, FROM]
                values[node] = max(values[node], gain)
        for edge in range(n_edges):
            tight[edge] = 0
            if paths.left[edge] == 1 and gains[edge] == values[paths.edges[edge, FROM]]:
                tight[edge] = 1
        if best + values[0] <= 0:
            break
    # Keep the tight edges that a path from the first node uses.
    for node in range(len(values)):
        values[node] = 0
    values[0] = 1
    for edge in range(n_edges):
        paths.left[edge] = tight[edge] * values[paths.edges[edge, FROM]]
        if paths.left[edge] == 1:
            values[paths.edges[edge, TO]] = 1
    return numerator, denominator


@compiled()
def _first_path(paths: Paths, left: Ints) -> Ints:
    """Return the sum of counts along the first remaining path."""
    counts = np.empty(WIDTH, np.int64)
    for place in range(WIDTH):
        counts[place] = paths.start[place]
    node = 0
    while node != paths.last:
        edge = paths.first[node]
        while left[edge] == 0:
            edge += 1
        for place in range(WIDTH):
            counts[place] += paths.counts[edge, place]
        node = paths.edges[edge, TO]
    return counts
