"""A plain port of the M2 scorer with lists and dictionaries, step by step like the original.

It is the baseline for speed and tests of analysis/metrics/m2.py. It builds the same graph
by three nested loops over the vertices, and finds the shortest path by one pass over all arcs per
vertex. It is slow, and the warehouse does not import it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from maege.analysis.edits import Annotation, Edit

EPSILON = 0.001

Vertex = tuple[int, int]
Arc = tuple[Vertex, Vertex]


class Step(NamedTuple):
    """The change by an arc; `length` is the number of edges, `unchanged` that of unchanging ones.

    `replaced` is the number of replaced source tokens, which can differ from `end` - `start`.
    """

    start: int
    end: int
    replaced: int
    correction: str
    length: int
    unchanged: int

    @property
    def is_noop(self) -> bool:
        return self.length == self.unchanged


class Graph(NamedTuple):
    """Vertices in order, the change by each arc, and the list of arcs with repetitions."""

    vertices: list[Vertex]
    steps: dict[Arc, Step]
    listed: list[Arc]


def counts(
    source: str,
    hypothesis: str,
    annotations: Sequence[Annotation],
    max_unchanged: int = 2,
    numbers_first_row: bool = False,
) -> list[tuple[int, int, int]]:
    """Return agreeing, proposed and gold edits for each annotation."""
    graph = edit_graph(source.split(), hypothesis.split(), max_unchanged, numbers_first_row)
    result = []
    for annotation in annotations:
        proposed = shortest_path(graph, weights(graph, annotation))
        result.append((n_matches(proposed, annotation), len(proposed), len(annotation)))
    return result


def edit_graph(
    source: Sequence[str],
    hypothesis: Sequence[str],
    max_unchanged: int,
    numbers_first_row: bool = False,
) -> Graph:
    """Return both alignments as one graph, with transitive arcs."""
    edges = [edge for cost in (1, 2) for edge in alignment_edges(source, hypothesis, cost)]
    vertices = sorted({vertex for edge in edges for vertex in edge} | {(0, 0)})
    steps = {edge: _edge_step(edge, source, hypothesis, numbers_first_row) for edge in edges}
    listed = sorted(edges)
    for middle in vertices:
        for first in vertices:
            if (first, middle) not in steps:
                continue
            before = steps[first, middle]
            for last in vertices:
                if (middle, last) not in steps:
                    continue
                after = steps[middle, last]
                length = before.length + after.length
                unchanged = before.unchanged + after.unchanged
                is_new = (first, last) not in steps or length < steps[first, last].length
                if is_new and unchanged <= max_unchanged:
                    correction = " ".join(hypothesis[first[1] : last[1]])
                    steps[first, last] = Step(
                        before.start, after.end, last[0] - first[0], correction, length, unchanged
                    )
                    listed.append((first, last))
    # The list loses elements while it is read, so that some unchanged arcs stay.
    for arc in listed:
        if steps[arc].is_noop and steps[arc].length > 1:
            listed.remove(arc)
    return Graph(vertices, steps, listed)


def alignment_edges(
    source: Sequence[str], hypothesis: Sequence[str], substitution: int
) -> Iterator[Arc]:
    """Yield the edges of all shortest alignments, once each."""
    distances: dict[Vertex, int] = {(0, 0): 0}
    origins: dict[Vertex, list[Vertex]] = {(0, 0): []}
    for i in range(len(source) + 1):
        for j in range(len(hypothesis) + 1):
            if not i and not j:
                continue
            candidates: dict[Vertex, int] = {}
            if i and j:
                changed = 0 if source[i - 1] == hypothesis[j - 1] else substitution
                candidates[i - 1, j - 1] = distances[i - 1, j - 1] + changed
            if i:
                candidates[i - 1, j] = distances[i - 1, j] + 1
            if j:
                candidates[i, j - 1] = distances[i, j - 1] + 1
            distances[i, j] = min(candidates.values())
            origins[i, j] = [v for v, cost in candidates.items() if cost == distances[i, j]]
    waiting = [(len(source), len(hypothesis))]
    seen = set()
    while waiting:
        vertex = waiting.pop()
        if vertex in seen:
            continue
        seen.add(vertex)
        for origin in origins[vertex]:
            yield origin, vertex
            waiting.append(origin)


def _edge_step(
    edge: Arc, source: Sequence[str], hypothesis: Sequence[str], numbers_first_row: bool
) -> Step:
    (i, j), (row, column) = edge
    same = row > i and column > j and source[i] == hypothesis[j]
    start, end = (j, j) if numbers_first_row and row == 0 else (i, row)
    return Step(start, end, row - i, " ".join(hypothesis[j:column]), 1, int(same))


def weights(graph: Graph, annotation: Annotation) -> dict[Arc, float]:
    result: dict[Arc, float] = {arc: graph.steps[arc].length for arc in graph.listed}
    by_span: dict[tuple[int, int], list[Arc]] = {}
    for arc in graph.listed:
        by_span.setdefault((graph.steps[arc].start, graph.steps[arc].end), []).append(arc)
    for span, arcs in by_span.items():
        gold = [edit for edit in annotation if (edit.start, edit.end) == span]
        if span[0] == span[1]:
            _weigh_insertions(graph, result, sorted(arcs), gold)
            continue
        for arc in arcs:
            if any(agrees(graph.steps[arc], edit) for edit in gold):
                result[arc] = -len(graph.listed)
            elif not graph.steps[arc].is_noop:
                result[arc] += EPSILON
    return result


def _weigh_insertions(
    graph: Graph, result: dict[Arc, float], arcs: list[Arc], gold: list[Edit]
) -> None:
    """Read the insertions at one position from both ends in turn, each gold edit used once."""
    left, right, place = 0, len(arcs) - 1, 0
    while left <= right:
        arc, at_left = arcs[place], place == left
        order = range(len(gold)) if at_left else range(len(gold) - 1, -1, -1)
        match = next((i for i in order if agrees(graph.steps[arc], gold[i])), None)
        if match is None:
            result[arc] += EPSILON
            left, right = (left + 1, right) if at_left else (left, right - 1)
            place = right if at_left else left
            continue
        result[arc] = -len(graph.listed)
        if at_left:
            gold = gold[match + 1 :]
            left += 1
            while left < len(arcs) and arcs[left][0] != arc[1]:
                result[arcs[left]] += EPSILON
                left += 1
            place = left
        else:
            gold = gold[:match]
            right -= 1
            while right >= 0 and arcs[right][1] != arc[0]:
                result[arcs[right]] += EPSILON
                right -= 1
            place = right


def agrees(step: Step, edit: Edit) -> bool:
    corrections = [text.strip() for text in edit.corrections]
    is_there = (step.start, step.end) == (edit.start, edit.end)
    return is_there and step.replaced == edit.end - edit.start and step.correction in corrections


def shortest_path(graph: Graph, costs: dict[Arc, float]) -> list[Step]:
    distances = dict.fromkeys(graph.vertices, float("inf"))
    distances[0, 0] = 0
    origins: dict[Vertex, Vertex] = {}
    for _ in graph.vertices[1:]:
        for arc in graph.listed:
            distance = distances[arc[0]] + costs[arc]
            if distance < distances[arc[1]]:
                distances[arc[1]] = distance
                origins[arc[1]] = arc[0]
    path = []
    vertex = graph.vertices[-1]
    while vertex in origins:
        path.append(graph.steps[origins[vertex], vertex])
        vertex = origins[vertex]
    return [step for step in reversed(path) if not step.is_noop]


def n_matches(proposed: Sequence[Step], annotation: Annotation) -> int:
    matches = start = 0
    for step in proposed:
        for place in range(start, len(annotation)):
            if agrees(step, annotation[place]):
                matches += 1
                start = place + 1
    return matches
