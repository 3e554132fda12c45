"""All distinct intermediate results of aligning references, as a graph of states, compiled.

For the rest of a reference, only two things matter about its beginning: the plane of minimum costs
of aligning it with the first i tokens of the source and j of the hypothesis, and the counts of the
alignments with these costs. Ties between alignments of equal cost are broken from the end: first a
column without a gap, then a gap in the reference, in the hypothesis, in the source, then a column
with only a token of the source, of the hypothesis, of the reference. Only costs decide, so each
cell has one alignment.

A cell counts only under two conditions: its cost with the minimum cost to go is at most the cost of
any other cell with the maximum cost to go, and the next token of the reference can be aligned from
it. Costs and counts are relative to those of the first such cell. Beginnings with equal results at
the same node of the graph are one state. An edge between states has the counts in between. The sum
of counts along a path is the counts of its reference.
"""

from typing import NamedTuple

import numpy as np

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.bounds import GAPS, LEAST, MOST, NEXT, Bounds
from maege.analysis.metrics.imeasure.cells import (
    DIAGONAL,
    DOWN,
    HYPOTHESIS,
    MISMATCH,
    RIGHT,
    SOURCE,
)
from maege.analysis.metrics.imeasure.graph import Ints
from maege.analysis.metrics.imeasure.windows import AFTER_CELL, FIRST_CELL, SHIFT

# Numbers of columns by which texts agree, twelve bits each: all three; source and hypothesis;
# hypothesis and reference; source and reference; none. A gap is treated as a token.
BITS = 12
ALL, SOURCE_HYPOTHESIS, HYPOTHESIS_REFERENCE, SOURCE_REFERENCE, NONE = (
    1 << (BITS * number) for number in range(5)
)
CLASSES = 5
MOST_COLUMNS = (1 << (BITS - 1)) - 1

# Columns of a state: its node, its first word, the word after its last, its hash, its first edge,
# and the previous state at the same node. A state's words are pairs of a cell with its cost, and
# its counts.
NODE, FIRST, AFTER, HASH, EDGE, BEFORE = range(6)
# Columns of an edge: both states, and the counts.
FROM, TO, LABEL = range(3)

COST_BITS = 16
NEVER = 1 << 40


class States(NamedTuple):
    """States and the edges between them. In the first state no token of a reference is processed.

    Edges into a state precede edges out of it. Edges out of a state have the order of its node's
    arcs. `start` holds the counts at the beginning of all paths. `last` is the state after the last
    token, -1 if not all states were found.
    """

    states: Ints
    edges: Ints
    start: int
    last: int


@compiled()
def explore(
    cells: Ints,
    bounds: Bounds,
    window: Ints,
    first_arc: Ints,
    token: Ints,
    target: Ints,
    most_work: int,
    hoped: Ints,
    factors: Ints,
) -> States:
    """Return all states; incomplete if they take more than `most_work` steps.

    With bounds (hopes.py), a state is discarded if its sum of counts times factors cannot reach 0.
    """
    nodes, count = len(first_arc) - 1, len(cells)
    costs = np.full(count + 1, NEVER, np.int64)
    counts = np.zeros(count + 1, np.int64)
    words = np.empty((2 * count + 64, 2), np.int64)
    states = np.empty((64, 6), np.int64)
    edges = np.empty((64, 3), np.int64)
    table = np.full(256, -1, np.int64)
    latest = np.full(nodes, -1, np.int64)
    order = np.empty((64, 1), np.int64)
    gains = np.empty((64, 1), np.int64)
    n_states = n_words = n_edges = 0
    work = 0

    costs[0] = 0
    length, start = _settle(cells, bounds, window[0], costs, counts, True, 0, 0, words, 0)
    _keep(states, words, table, latest, n_states, n_words, length)
    n_states += 1
    n_words = length
    if len(hoped) > 0:
        gains[0, 0] = _gain(start, factors)
    for node in range(nodes - 1):
        # The states of a node, from the first to the latest.
        here = 0
        state = latest[node]
        while state >= 0:
            if here == len(order):
                order = longer_rows(order)
            order[here, 0] = state
            here += 1
            state = states[state, BEFORE]
        for place in range(here - 1, -1, -1):
            state = order[place, 0]
            states[state, EDGE] = n_edges
            if len(hoped) > 0:
                gain = _hope(states[state], words, hoped, window[node, SHIFT], factors)
                work += states[state, AFTER] - states[state, FIRST]
                if gains[state, 0] + gain < 0:
                    continue
            for arc in range(first_arc[node], first_arc[node + 1]):
                end = target[arc]
                while n_words + count + 1 > len(words):
                    words = longer_rows(words)
                if n_states == len(states):
                    states = longer_rows(states)
                    table = np.full(4 * len(states), -1, np.int64)
                    _rehash(states, n_states, table)
                if n_edges == len(edges):
                    edges = longer_rows(edges)
                lowest, highest = _advance(cells, token[arc], states[state], words, costs, counts)
                work += highest - lowest + 8
                spread = token[arc] >= 0
                length, label = _settle(
                    cells,
                    bounds,
                    window[end],
                    costs,
                    counts,
                    spread,
                    lowest,
                    highest,
                    words,
                    n_words,
                )
                found = _keep(states, words, table, latest, n_states, end, n_words + length)
                new = found == n_states
                if new:
                    n_states += 1
                    n_words += length
                edges[n_edges, FROM] = state
                edges[n_edges, TO] = found
                edges[n_edges, LABEL] = label
                n_edges += 1
                if len(hoped) > 0:
                    if len(gains) < len(states):
                        gains = longer_rows(gains)
                    gain = gains[state, 0] + _gain(label, factors)
                    if new:
                        gains[found, 0] = gain
                    else:
                        gains[found, 0] = max(gains[found, 0], gain)
            if work > most_work:
                return States(states[:n_states], edges[:n_edges], start, -1)
    return States(states[:n_states], edges[:n_edges], start, latest[nodes - 1])


@compiled()
def _hope(state: Ints, words: Ints, hoped: Ints, shift: int, factors: Ints) -> int:
    """Return the bound of what can follow from a state."""
    most = -NEVER
    for word in range(state[FIRST], state[AFTER]):
        x = words[word, 0] >> COST_BITS
        most = max(most, hoped[x + shift, 0] + _gain(words[word, 1], factors))
    return most


@compiled()
def _gain(packed: int, factors: Ints) -> int:
    """Return the sum of counts (which may be negative) times their factors."""
    half = 1 << (BITS - 1)
    total = 0
    for place in range(CLASSES):
        count = ((packed + half) & (2 * half - 1)) - half
        total += factors[place] * count
        packed = (packed - count) >> BITS
    return total


@compiled()
def longer_rows(rows: Ints) -> Ints:
    """Return a copy with space for twice the number of rows."""
    longer = np.empty((2 * len(rows), rows.shape[1]), np.int64)
    for row in range(len(rows)):
        for column in range(rows.shape[1]):
            longer[row, column] = rows[row, column]
    return longer


@compiled()
def _offer(costs: Ints, counts: Ints, x: int, cost: int, count: int) -> None:
    """Keep the cheapest path to a cell. The last three bits of a cost encode the path."""
    if cost < costs[x]:
        costs[x] = cost
        counts[x] = count


@compiled()
def _advance(
    cells: Ints, token: int, state: Ints, words: Ints, costs: Ints, counts: Ints
) -> tuple[int, int]:
    """Set the cells that a token of the reference leads to; return the first and the last cell."""
    none = len(cells)
    lowest, highest = none, -1
    for word in range(state[FIRST], state[AFTER]):
        x = words[word, 0] >> COST_BITS
        cost = ((words[word, 0] & 0xFFFF) - 0x8000) * 8
        count = words[word, 1]
        if token < 0:
            costs[x] = cost
            counts[x] = count
            lowest, highest = min(lowest, x), max(highest, x)
            continue
        right, down, diagonal = cells[x, RIGHT], cells[x, DOWN], cells[x, DIAGONAL]
        source = cells[x, SOURCE] == token
        hypothesis = cells[x, HYPOTHESIS] == token
        both = cells[x, SOURCE] == cells[x, HYPOTHESIS]
        with_source = 0 if source else MISMATCH
        with_hypothesis = 0 if hypothesis else MISMATCH
        if source and hypothesis:
            column = ALL
        elif both:
            column = SOURCE_HYPOTHESIS
        elif hypothesis:
            column = HYPOTHESIS_REFERENCE
        elif source:
            column = SOURCE_REFERENCE
        else:
            column = NONE
        apart = 0 if both else MISMATCH
        step = cost + 8 * (with_source + with_hypothesis + apart)
        _offer(costs, counts, diagonal, step, count + column)
        column = SOURCE_REFERENCE if source else NONE
        _offer(costs, counts, down, cost + 8 * (with_source + GAPS) + 2, count + column)
        column = HYPOTHESIS_REFERENCE if hypothesis else NONE
        _offer(costs, counts, right, cost + 8 * (with_hypothesis + GAPS) + 3, count + column)
        _offer(costs, counts, x, cost + 8 * GAPS + 6, count + SOURCE_HYPOTHESIS)
        lowest = min(lowest, x)
        highest = max(highest, x)
        for reached in (right, down, diagonal):
            if reached < none:
                highest = max(highest, reached)
    return lowest, highest


@compiled()
def _settle(
    cells: Ints,
    bounds: Bounds,
    window: Ints,
    costs: Ints,
    counts: Ints,
    spread: bool,
    lowest: int,
    highest: int,
    words: Ints,
    first: int,
) -> tuple[int, int]:
    """Advance by tokens of source and hypothesis, and write the rest of the plane as words.

    Clears the plane. Returns the number of words and the counts of the first cell.
    """
    none = len(cells)
    shift, begin, end = window[SHIFT], window[FIRST_CELL], window[AFTER_CELL]
    best = NEVER
    for x in range(lowest, min(begin, highest + 1)):
        costs[x] = NEVER
    for x in range(max(end, lowest), highest + 1):
        costs[x] = NEVER
    lowest, highest = max(lowest, begin), min(highest, end - 1)
    x = lowest
    while x <= highest:
        if costs[x] < NEVER:
            cost = costs[x] >> 3
            if cost + bounds[x + shift, LEAST] > best:
                costs[x] = NEVER
            else:
                best = min(best, cost + bounds[x + shift, MOST])
                if not spread:
                    x += 1
                    continue
                count = counts[x]
                right, down, diagonal = cells[x, RIGHT], cells[x, DOWN], cells[x, DIAGONAL]
                if cells[x, SOURCE] == cells[x, HYPOTHESIS]:
                    step, column = cost + GAPS, SOURCE_HYPOTHESIS
                else:
                    step, column = cost + GAPS + MISMATCH, NONE
                _offer(costs, counts, diagonal, 8 * step + 1, count + column)
                step = 8 * (cost + GAPS)
                _offer(costs, counts, down, step + 4, count + HYPOTHESIS_REFERENCE)
                _offer(costs, counts, right, step + 5, count + SOURCE_REFERENCE)
                for reached in (right, down, diagonal):
                    if reached < end:
                        highest = max(highest, reached)
                    else:
                        costs[reached] = NEVER
        x += 1
    costs[none] = NEVER
    length = 0
    first_cost, first_count = 0, 0
    for x in range(lowest, highest + 1):
        if costs[x] < NEVER:
            cost = costs[x] >> 3
            costs[x] = NEVER
            if cost + bounds[x + shift, NEXT] <= best:
                if length == 0:
                    first_cost, first_count = cost, counts[x]
                words[first + length, 0] = (x << COST_BITS) | (cost - first_cost + 0x8000)
                words[first + length, 1] = counts[x] - first_count
                length += 1
    return length, first_count


@compiled()
def _keep(
    states: Ints,
    words: Ints,
    table: Ints,
    latest: Ints,
    n_states: int,
    node: int,
    after: int,
) -> int:
    """Return the state with the words that were written last; it is new if it equals `n_states`."""
    first = 0
    if n_states > 0:
        first = states[n_states - 1, AFTER]
    mixed = np.int64(node)
    for word in range(first, after):
        mixed = (mixed ^ words[word, 0]) * 0x9E3779B97F4A7C1
        mixed = (mixed ^ (mixed >> 29) ^ words[word, 1]) * 0x3F58476D1CE4E5B
        mixed ^= mixed >> 32
    slot = mixed & (len(table) - 1)
    while table[slot] >= 0:
        other = table[slot]
        if states[other, HASH] == mixed and states[other, NODE] == node:
            start = states[other, FIRST]
            length = states[other, AFTER] - start
            equal = length == after - first
            word = 0
            while equal and word < length:
                equal = (
                    words[start + word, 0] == words[first + word, 0]
                    and words[start + word, 1] == words[first + word, 1]
                )
                word += 1
            if equal:
                return int(other)
        slot = (slot + 1) & (len(table) - 1)
    table[slot] = n_states
    states[n_states, NODE] = node
    states[n_states, FIRST] = first
    states[n_states, AFTER] = after
    states[n_states, HASH] = mixed
    states[n_states, EDGE] = 0
    states[n_states, BEFORE] = latest[node]
    latest[node] = n_states
    return n_states


@compiled()
def _rehash(states: Ints, n_states: int, table: Ints) -> None:
    for state in range(n_states):
        slot = states[state, HASH] & (len(table) - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = state
