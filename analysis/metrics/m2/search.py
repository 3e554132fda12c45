"""The path through the lattice that agrees best with an annotation, and its counts.

An arc costs its number of edges and .001 more unless it changes nothing; an arc equal to a gold
edit costs minus the number of all arcs, so that agreement comes before everything else. The
shortest path from the start to the end is found as the original finds it, by passes over its list
of arcs in their order (Bellman and Ford), because that order decides between equal paths; they end
as soon as one changes nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.m2.first_row import (
    Flags,
    inserting_first,
    insertions_with_first_row,
    numbered,
)
from maege.analysis.metrics.m2.gold import (
    Gold,
    IntArray,
    Texts,
    are_equal,
    backwards,
    count_matches,
    matches,
    without_trivial_edits,
)
from maege.analysis.metrics.m2.lattice import Lattice, alignment_edges, build_lattice, first_arc
from maege.analysis.metrics.m2.long import agreeing_path, single_edit

# What an arc costs besides its edges, where it is no gold edit: m2scorer 3.2, set_weights.
EPSILON = 0.001

Weights = NDArray[np.float64]


class Limits(NamedTuple):
    """What an edit may hold, and how large a lattice may become before it is approximated.

    `numbers_first_row` is the rule of older releases for insertions before the first token.
    """

    max_unchanged: int
    max_arcs: int
    max_cells: int
    numbers_first_row: bool


@compiled()
def count_requests(
    sources: Texts,
    hypotheses: Texts,
    gold: Gold,
    requests: IntArray,
    folded: Texts,
    limits: Limits,
) -> NDArray[np.int32]:
    """Return correct, proposed, gold and approximated for each annotation of each request.

    A request is a row: source, hypothesis, first annotation, the one after its last. The counts
    come in the order of requests and of annotations. `folded` holds for each token its characters
    without case where edits of case and white space alone are to be left out, nothing elsewhere.
    """
    n_rows = 0
    for request in range(requests.shape[0]):
        n_rows += requests[request, 3] - requests[request, 2]
    counts = np.zeros((n_rows, 4), dtype=np.int32)
    row = 0
    for request in range(requests.shape[0]):
        text, other = requests[request, 0], requests[request, 1]
        first, last = requests[request, 2], requests[request, 3]
        source = sources.tokens[sources.starts[text] : sources.starts[text + 1]]
        hypothesis = hypotheses.tokens[hypotheses.starts[other] : hypotheses.starts[other + 1]]
        for annotation in range(first, last):
            counts[row + annotation - first, 2] = gold.totals[annotation]
        if are_equal(source, hypothesis):
            row += last - first
            continue
        search = _prepare(source, hypothesis, limits)
        for annotation in range(first, last):
            edits = _annotated_path(search, gold, annotation)
            edits = without_trivial_edits(edits, source, hypothesis, folded)
            spans = (
                numbered(edits, search.lattice, search.inserting) if search.is_numbered else edits
            )
            counts[row, 0] = count_matches(spans, hypothesis, gold, annotation)
            counts[row, 1] = edits.shape[0]
            counts[row, 3] = 0 if search.is_exact else 1
            row += 1
    return counts


@compiled()
def proposed_edits(
    source: IntArray,
    hypothesis: IntArray,
    gold: Gold,
    annotation: int,
    folded: Texts,
    limits: Limits,
) -> IntArray:
    """Return the edits that agree best with an annotation, in order, one a row.

    Columns: the span in the source, start and end, and that in the hypothesis.
    """
    search = _prepare(source, hypothesis, limits)
    edits = _annotated_path(search, gold, annotation)
    return without_trivial_edits(edits, source, hypothesis, folded)


class _Search(NamedTuple):
    """What all annotations of a source and a hypothesis share.

    `weights` are those without gold, `listings` says how often each arc is listed. The lattice
    counts only if `is_exact`; `cells` are empty where the alignment, too, would be too large.
    `inserting` says which arcs begin with insertions before the first token, if `is_numbered`.
    """

    source: IntArray
    hypothesis: IntArray
    cells: NDArray[np.uint8]
    lattice: Lattice
    weights: Weights
    listings: IntArray
    inserting: Flags
    max_unchanged: int
    is_exact: bool
    is_numbered: bool


@compiled()
def _prepare(source: IntArray, hypothesis: IntArray, limits: Limits) -> _Search:
    if (source.size + 1) * (hypothesis.size + 1) <= limits.max_cells:
        cells = alignment_edges(source, hypothesis)
    else:
        cells = np.zeros((0, 0), dtype=np.uint8)
    lattice = build_lattice(source, hypothesis, cells, limits.max_unchanged, limits.max_arcs)
    weights = lattice.lengths.astype(np.float64)
    listings = np.zeros(weights.size, dtype=np.int32)
    for arc in lattice.listed:
        listings[arc] += 1
        if lattice.lengths[arc] != lattice.unchanged[arc]:
            weights[arc] += EPSILON
    is_exact = lattice.listed.size > 0 or source.size + hypothesis.size == 0
    is_numbered = limits.numbers_first_row and is_exact
    inserting = (
        inserting_first(lattice, source, hypothesis, cells, limits.max_unchanged)
        if is_numbered
        else np.zeros(0, dtype=np.bool_)
    )
    return _Search(
        source,
        hypothesis,
        cells,
        lattice,
        weights,
        listings,
        inserting,
        limits.max_unchanged,
        is_exact,
        is_numbered,
    )


@compiled()
def _annotated_path(search: _Search, gold: Gold, annotation: int) -> IntArray:
    if search.is_exact:
        weights = search.weights.copy()
        _reward_replacements(weights, search, gold, annotation)
        _reward_insertions(weights, search, gold, annotation)
        return _shortest_path(search.lattice, weights)
    if search.cells.size:
        return agreeing_path(
            search.source,
            search.hypothesis,
            search.cells,
            gold,
            annotation,
            search.max_unchanged,
        )
    return single_edit(search.source, search.hypothesis)


@compiled()
def _reward_replacements(weights: Weights, search: _Search, gold: Gold, annotation: int) -> None:
    """Set the weights of arcs equal to gold substitutions and deletions."""
    lattice, hypothesis = search.lattice, search.hypothesis
    for edit in range(gold.edit_starts[annotation], gold.edit_starts[annotation + 1]):
        start, end = gold.starts[edit], gold.ends[edit]
        if start == end:
            continue
        for target in range(lattice.row_starts[end], lattice.row_starts[end + 1]):
            arc = first_arc(lattice, lattice.row_starts[start], target)
            while (
                arc < lattice.arc_starts[target + 1]
                and lattice.sources[arc] < lattice.row_starts[start + 1]
            ):
                column = lattice.columns[lattice.sources[arc]]
                is_elsewhere = search.is_numbered and column > 0 and search.inserting[arc]
                if not is_elsewhere and matches(
                    hypothesis, column, lattice.columns[target], gold, edit
                ):
                    weights[arc] = -lattice.listed.size
                arc += 1


@compiled()
def _reward_insertions(weights: Weights, search: _Search, gold: Gold, annotation: int) -> None:
    """Set the weights of arcs equal to gold insertions.

    Each position of the source is read from both ends in turn, so that several insertions there
    are matched with several gold edits in order, each once.
    """
    lattice = search.lattice
    first, last = gold.edit_starts[annotation], gold.edit_starts[annotation + 1]
    for edit in range(first, last):
        position = gold.starts[edit]
        if gold.ends[edit] != position:
            continue
        is_first = True
        for other in range(first, edit):
            if gold.starts[other] == position and gold.ends[other] == position:
                is_first = False
                break
        if not is_first:
            continue
        arcs, targets = _insertion_arcs(lattice, search.listings, position)
        if search.is_numbered:
            arcs, targets = insertions_with_first_row(
                lattice, search.listings, search.inserting, position, arcs, targets
            )
        if not arcs.size:
            continue
        inserted = np.empty(last - edit, dtype=np.int32)
        n_inserted = 0
        for other in range(edit, last):
            if gold.starts[other] == position and gold.ends[other] == position:
                inserted[n_inserted] = other
                n_inserted += 1
        for arc in arcs:
            weights[arc] = lattice.lengths[arc]
        _reward_from_both_ends(
            weights, lattice, arcs, targets, search.hypothesis, gold, inserted[:n_inserted]
        )


@compiled()
def _insertion_arcs(
    lattice: Lattice, listings: IntArray, position: int
) -> tuple[IntArray, IntArray]:
    """Return the arcs that insert at a position, as often as listed, by vertices; their targets."""
    start, stop = lattice.row_starts[position], lattice.row_starts[position + 1]
    n_arcs = 0
    for target in range(start, stop):
        for arc in range(first_arc(lattice, start, target), lattice.arc_starts[target + 1]):
            n_arcs += listings[arc]
    arcs = np.empty(n_arcs, dtype=np.int32)
    targets = np.empty(n_arcs, dtype=np.int32)
    if not n_arcs:
        return arcs, targets
    n_arcs = 0
    for source in range(start, stop):
        for target in range(source + 1, stop):
            arc = first_arc(lattice, source, target)
            if arc < lattice.arc_starts[target + 1] and lattice.sources[arc] == source:
                for _ in range(listings[arc]):
                    arcs[n_arcs] = arc
                    targets[n_arcs] = target
                    n_arcs += 1
    return arcs, targets


@compiled()
def _reward_from_both_ends(
    weights: Weights,
    lattice: Lattice,
    arcs: IntArray,
    targets: IntArray,
    hypothesis: IntArray,
    gold: Gold,
    inserted: IntArray,
) -> None:
    left, right = 0, arcs.size - 1
    gold_left, gold_right = 0, inserted.size - 1
    place = 0
    while left <= right:
        at_left = place == left
        arc = arcs[place]
        start = lattice.columns[lattice.sources[arc]]
        end = lattice.columns[targets[place]]
        match = -1
        inserts = lattice.rows[lattice.sources[arc]] == lattice.rows[targets[place]]
        for step in range(gold_right - gold_left + 1 if inserts else 0):
            candidate = gold_left + step if at_left else gold_right - step
            if matches(hypothesis, start, end, gold, inserted[candidate]):
                match = candidate
                break
        if match < 0:
            weights[arc] += EPSILON
            if at_left:
                left += 1
                place = right
            else:
                right -= 1
                place = left
            continue
        weights[arc] = -lattice.listed.size
        # What overlaps the matched insertion is passed over: the next one starts where it ends.
        if at_left:
            gold_left = match + 1
            left += 1
            while left < arcs.size and lattice.sources[arcs[left]] != targets[place]:
                weights[arcs[left]] += EPSILON
                left += 1
            place = left
        else:
            gold_right = match - 1
            right -= 1
            while right >= 0 and targets[right] != lattice.sources[arc]:
                weights[arcs[right]] += EPSILON
                right -= 1
            place = right


@compiled()
def _shortest_path(lattice: Lattice, weights: Weights) -> IntArray:
    """Return the edits on the shortest path, in order: spans in source and hypothesis."""
    n_vertices = lattice.rows.size
    targets = np.empty(weights.size, dtype=np.int32)
    for vertex in range(n_vertices):
        for arc in range(lattice.arc_starts[vertex], lattice.arc_starts[vertex + 1]):
            targets[arc] = vertex
    distances = np.full(n_vertices, np.inf)
    distances[0] = 0
    arc_into = np.full(n_vertices, -1, dtype=np.int32)
    for _ in range(n_vertices - 1):
        changed = False
        for place in range(lattice.listed.size):
            arc = lattice.listed[place]
            distance = distances[lattice.sources[arc]] + weights[arc]
            target = targets[arc]
            if distance < distances[target]:
                distances[target] = distance
                arc_into[target] = arc
                changed = True
        if not changed:
            break
    edits = np.empty((n_vertices, 4), dtype=np.int32)
    n_edits = 0
    vertex = n_vertices - 1
    while arc_into[vertex] >= 0:
        arc = arc_into[vertex]
        before = lattice.sources[arc]
        if lattice.lengths[arc] != lattice.unchanged[arc]:
            edits[n_edits, 0], edits[n_edits, 1] = lattice.rows[before], lattice.rows[vertex]
            edits[n_edits, 2], edits[n_edits, 3] = lattice.columns[before], lattice.columns[vertex]
            n_edits += 1
        vertex = before
    return backwards(edits, n_edits)
