"""The edits of a hypothesis that agree best with an annotation, as the M2 scorer finds them.

The lattice has all edits that lead from a source to a hypothesis. A vertex (i, j) is between
tokens: i tokens of the source and j of the hypothesis precede it. Its edges are those of all
shortest alignments, both with substitutions of cost 1 and of cost 2. Transitive arcs join
consecutive edges into one edit with at most `max_unchanged` unchanged words. Vertices are numbered
row by row, which is a topological order. Therefore every transitive arc consists of a shorter arc
and one more edge, and the original's all-pairs loop finds the same arcs.

The original's graph is reproduced with its accidental properties, because they break ties between
paths:

- an edge in both alignments is in its list twice (it compares edges with vertices);
- an arc is listed once more for each longer arc that it replaced;
- unchanged arcs are removed from the list while it is read, so the arc after each removed one is
  skipped and stays.

Older releases of the scorer give an insertion before the first token its position j in the
hypothesis instead of 0 (`numbers_first_row`). An arc starts where its first edge starts and ends
where its last edge ends, so the span of such an arc may differ from the tokens that it replaces.

An arc costs its number of edges, plus .001 if it changes something. An arc that equals a gold edit
costs minus the number of all arcs, so that agreement has priority. The shortest path from start to
end is found as in the original, by passes over its list of arcs (Bellman and Ford), because their
order decides between equal paths. The passes end when one changes nothing.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Annotation
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

    `between` has the arc from a vertex to another one, `edge_starts` the first edge from each.
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


# Cost of an arc in addition to its edges, unless it is a gold edit: m2scorer 3.2, set_weights.
EPSILON = 0.001
# Larger lattices are approximated. The limits are 80 MB for the arcs between vertices, and about
# 100 MB for arcs.
MOST_VERTICES = 4500
MOST_ARCS = 1 << 21

Words = tuple[str, ...]


class Options(NamedTuple):
    max_unchanged_words: int
    ignore_whitespace_casing: bool = False
    numbers_first_row: bool = False


class GoldEdit(NamedTuple):
    """The source tokens from `start` to `end` (exclusive), and the texts that may replace them."""

    start: int
    end: int
    corrections: tuple[Words, ...]


class Proposed(NamedTuple):
    """An edit of a hypothesis: spans in source and hypothesis, and the matching gold correction."""

    start: int
    end: int
    other_start: int
    other_end: int
    gold_start: int
    gold_end: int


def gold_edits(source: Sequence[str], annotation: Annotation) -> list[GoldEdit]:
    """Return the edits of an annotation; ValueError for an edit outside the source."""
    for edit in annotation:
        if not 0 <= edit.start <= edit.end <= len(source):
            message = (
                f"an edit of tokens {edit.start} to {edit.end} in a sentence of {len(source)}: "
                f"{' '.join(source)!r}; correct the span or give the edit its own sentence"
            )
            raise ValueError(message)
    return [
        GoldEdit(
            edit.start,
            edit.end,
            tuple(
                tokens
                for text in edit.corrections
                if (tokens := correction_tokens(text)) is not None
            ),
        )
        for edit in annotation
    ]


# The same annotation of a sentence occurs in many groups.
@lru_cache(maxsize=4096)
def correction_tokens(text: str) -> Words | None:
    """Return the tokens of a correction; None if no tokens joined by single spaces spell it."""
    stripped = text.strip()
    tokens = tuple(stripped.split())
    return tokens if not tokens or " ".join(tokens) == stripped else None


class Gold(NamedTuple):
    """The edits of an annotation, and the arrays that `_shortest_path` reads.

    These are spans with positions of their corrections, the corrections' positions, and tokens.
    """

    edits: Sequence[GoldEdit]
    arrays: tuple[Int32, Int32, Int32]


class Source:
    def __init__(self, words: Sequence[str], options: Options) -> None:
        self._words = words
        self._options = options
        self._numbers: dict[str, int] = {}
        self._tokens = self._numbered(words)

    def gold(self, edits: Sequence[GoldEdit]) -> Gold:
        corrections = [words for edit in edits for words in edit.corrections]
        after = accumulate(len(edit.corrections) for edit in edits)
        spans = [
            (edit.start, edit.end, last - len(edit.corrections), last)
            for edit, last in zip(edits, after, strict=True)
        ]
        ends = accumulate(map(len, corrections))
        places = [(end - len(words), end) for words, end in zip(corrections, ends, strict=True)]
        arrays = (
            np.array(spans, np.int32).reshape(-1, 4),
            np.array(places, np.int32).reshape(-1, 2),
            self._numbered([word for words in corrections for word in words]),
        )
        return Gold(edits, arrays)

    def proposed(
        self, hypothesis: Sequence[str], annotations: Sequence[Gold]
    ) -> tuple[list[list[Proposed]], bool]:
        """Return the edits that agree best with each annotation, and whether they are exact.

        If the lattice is too large, the only edit is the text between common beginning and common
        end.
        """
        if self._words == hypothesis:
            return [[] for _ in annotations], True
        tokens = self._numbered(hypothesis)
        options = self._options
        lattice = build_lattice(
            self._tokens,
            tokens,
            options.max_unchanged_words,
            options.numbers_first_row,
            MOST_VERTICES,
            MOST_ARCS,
        )
        if lattice is None:
            paths = [[single_edit(self._words, hypothesis)]] * len(annotations)
        else:
            paths = [_path(lattice, tokens, *gold.arrays) for gold in annotations]
        if options.ignore_whitespace_casing:
            paths = [
                [
                    edit
                    for edit in edits
                    if _folded(self._words[edit.start : edit.end])
                    != _folded(hypothesis[edit.other_start : edit.other_end])
                ]
                for edits in paths
            ]
        return paths, lattice is not None

    def counts(
        self, hypothesis: Sequence[str], annotations: Sequence[Gold]
    ) -> list[tuple[int, int, bool]]:
        """Return for each annotation agreeing and proposed edits, and whether approximated."""
        paths, exact = self.proposed(hypothesis, annotations)
        return [
            (_n_matches(edits, gold.edits, hypothesis), len(edits), not exact)
            for edits, gold in zip(paths, annotations, strict=True)
        ]

    def _numbered(self, words: Sequence[str]) -> Int32:
        numbers = self._numbers
        return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int32)


def _n_matches(
    edits: Sequence[Proposed], gold: Sequence[GoldEdit], hypothesis: Sequence[str]
) -> int:
    """Return how many gold edits after the last matched one equal an edit.

    As in the original, an edit counts once for each duplicate in the gold.
    """
    n_matches = start = 0
    for edit in edits:
        words = tuple(hypothesis[edit.other_start : edit.other_end])
        span = edit.gold_start, edit.gold_end
        if edit.gold_end - edit.gold_start != edit.end - edit.start:
            continue
        for place in range(start, len(gold)):
            if gold[place][:2] == span and words in gold[place].corrections:
                n_matches += 1
                start = place + 1
    return n_matches


def single_edit(source: Sequence[str], hypothesis: Sequence[str]) -> Proposed:
    """Return the one edit between the common beginning and end of two different texts."""
    shorter = min(len(source), len(hypothesis))
    start = 0
    while start < shorter and source[start] == hypothesis[start]:
        start += 1
    n_after = 0
    while n_after < shorter - start and source[-1 - n_after] == hypothesis[-1 - n_after]:
        n_after += 1
    end, hypothesis_end = len(source) - n_after, len(hypothesis) - n_after
    return Proposed(start, end, start, hypothesis_end, start, end)


def _folded(words: Sequence[str]) -> str:
    """Return the text without white space, in lower case by the rules of Python 2."""
    return "".join(character.lower() for word in words for character in word)


def _path(
    lattice: Lattice, hypothesis: Int32, edits: Int32, corrections: Int32, tokens: Int32
) -> list[Proposed]:
    rows, columns, arcs, listed, insertions = lattice
    n_arcs, n_vertices = len(arcs), len(rows)
    path = np.empty(n_vertices, np.int32)
    n_edits = _shortest_path(
        rows,
        columns,
        arcs,
        listed,
        insertions,
        hypothesis,
        edits,
        corrections,
        tokens,
        np.zeros((n_arcs, len(edits)), np.uint8),
        np.empty(n_arcs),
        np.full(n_vertices, np.inf),
        np.full(n_vertices, -1, np.int32),
        path,
    )
    edges = arcs[path[:n_edits][::-1]]
    first, last = edges[:, FIRST], edges[:, LAST]
    spans = (
        rows[first],
        rows[last],
        columns[first],
        columns[last],
        edges[:, START],
        edges[:, END],
    )
    return [Proposed(*edit) for edit in zip(*(span.tolist() for span in spans), strict=True)]


@compiled(
    "i8(i4[::1], i4[::1], i4[:, ::1], i4[::1], i4[::1], i4[::1], i4[:, ::1], i4[:, ::1], i4[::1],"
    "u1[:, ::1], f8[::1], f8[::1], i4[::1], i4[::1])"
)
def _shortest_path(
    rows: Int32,
    columns: Int32,
    arcs: Int32,
    listed: Int32,
    insertions: Int32,
    hypothesis: Int32,
    edits: Int32,
    corrections: Int32,
    tokens: Int32,
    agrees: NDArray[np.uint8],
    weights: NDArray[np.float64],
    distances: NDArray[np.float64],
    arrived_by: Int32,
    path: Int32,
) -> int:
    """Write the changing arcs of the shortest path, from the end; return their number.

    `agrees` starts with zeros, `distances` with infinity, `arrived_by` with -1.
    """
    reward = -listed.size
    for arc in range(arcs.shape[0]):
        weights[arc] = arcs[arc, LENGTH]
    for place in range(listed.size):
        if arcs[listed[place], LENGTH] != arcs[listed[place], UNCHANGED]:
            weights[listed[place]] += EPSILON
    for arc in range(arcs.shape[0]):
        start, size = (
            columns[arcs[arc, FIRST]],
            columns[arcs[arc, LAST]] - columns[arcs[arc, FIRST]],
        )
        replaced = rows[arcs[arc, LAST]] - rows[arcs[arc, FIRST]]
        for edit in range(edits.shape[0]):
            if edits[edit, 0] != arcs[arc, START] or edits[edit, 1] != arcs[arc, END]:
                continue
            if edits[edit, 1] - edits[edit, 0] != replaced:
                continue
            for text in range(edits[edit, 2], edits[edit, 3]):
                token = corrections[text, 0]
                if corrections[text, 1] - token != size:
                    continue
                n_equal = 0
                while n_equal < size and tokens[token + n_equal] == hypothesis[start + n_equal]:
                    n_equal += 1
                if n_equal == size:
                    agrees[arc, edit] = 1
                    if arcs[arc, START] != arcs[arc, END]:
                        weights[arc] = reward
    # Each position of the source is read from both ends in turn. Several insertions at the same
    # position are therefore matched with several gold edits in order, each once.
    first = last = 0
    while last < insertions.size:
        first = last
        while last < insertions.size and (
            arcs[insertions[last], START] == arcs[insertions[first], START]
        ):
            weights[insertions[last]] = arcs[insertions[last], LENGTH]
            last += 1
        left, right, place = first, last - 1, first
        gold_left, gold_right = 0, edits.shape[0] - 1
        while left <= right:
            is_left = place == left
            arc = insertions[place]
            match = -1
            for step in range(gold_right - gold_left + 1):
                edit = gold_left + step if is_left else gold_right - step
                if agrees[arc, edit]:
                    match = edit
                    break
            weights[arc] = reward if match >= 0 else weights[arc] + EPSILON
            # Insertions that overlap a matched one are skipped: the next one starts where it ends.
            if is_left:
                left += 1
                if match >= 0:
                    gold_left = match + 1
                    while left < last and arcs[insertions[left], FIRST] != arcs[arc, LAST]:
                        weights[insertions[left]] += EPSILON
                        left += 1
                place = left if match >= 0 else right
            else:
                right -= 1
                if match >= 0:
                    gold_right = match - 1
                    while right >= first and arcs[insertions[right], LAST] != arcs[arc, FIRST]:
                        weights[insertions[right]] += EPSILON
                        right -= 1
                place = right if match >= 0 else left
    distances[0] = 0
    is_changed = True
    while is_changed:
        is_changed = False
        for place in range(listed.size):
            arc = listed[place]
            distance = distances[arcs[arc, FIRST]] + weights[arc]
            if distance < distances[arcs[arc, LAST]]:
                distances[arcs[arc, LAST]] = distance
                arrived_by[arcs[arc, LAST]] = arc
                is_changed = True
    vertex, n_edits = rows.size - 1, 0
    while arrived_by[vertex] >= 0:
        arc = arrived_by[vertex]
        if arcs[arc, LENGTH] != arcs[arc, UNCHANGED]:
            path[n_edits] = arc
            n_edits += 1
        vertex = arcs[arc, FIRST]
    return n_edits
