"""All references of a sentence as one graph: every path from first to last node is a reference.

An arc emits one token of a reference, or none. A node is determined by the remaining tokens. Two
references therefore share the rest of their paths as soon as their remaining tokens are equal, and
the number of nodes grows with the sum of the alternatives, not with their product. Paths in the
order of a node's arcs are the references in the order in which the I-measure's program would try
them.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.imeasure.gold import GoldError, Option, Replacement, Tokens

Ints = NDArray[np.int64]

NO_TOKEN = -1


class Graph(NamedTuple):
    """Nodes in topological order: every arc leads to a later node.

    The arcs of a node begin at its entry of `first_arc` and end before the next entry. `place` is
    the number of source tokens that a node's references have most likely processed.
    """

    first_arc: Ints
    token: Ints
    target: Ints
    place: Ints


class _Node(NamedTuple):
    """A node between source tokens: before `level`, with `position` tokens processed.

    `pending` holds the replacements that are still to be applied. `begun` says whether a token was
    emitted.
    """

    level: int
    position: int
    pending: Option
    begun: bool


class _Rest(NamedTuple):
    """A node inside a replacement: the remaining tokens, and the node after them."""

    tokens: tuple[int, ...]
    end: _Node


class _Builder:
    """Builds the arcs of a graph; tokens are numbers."""

    def __init__(self) -> None:
        self.arcs: dict[_Node | _Rest, dict[tuple[int, _Node | _Rest], None]] = {}

    def emit(self, node: _Node, tokens: tuple[int, ...], end: _Node) -> None:
        """Add the arcs that lead from one node to another and emit the tokens."""
        at: _Node | _Rest = node
        for place, token in enumerate(tokens, 1):
            following = end if place == len(tokens) else _Rest(tokens[place:], end)
            self.arcs.setdefault(at, {})[token, following] = None
            at = following
        if not tokens:
            self.arcs.setdefault(node, {})[NO_TOKEN, end] = None

    def graph(self, last: _Node) -> Graph:
        """Return the graph, whose references all end at `last`."""
        nodes = sorted([*self.arcs, last], key=_order)
        numbers: dict[Hashable, int] = {node: number for number, node in enumerate(nodes)}
        outgoing = [self.arcs.get(node, {}) for node in nodes]
        arcs = [arc for each in outgoing for arc in each]
        return Graph(
            np.cumsum([0, *map(len, outgoing)]).astype(np.int64),
            np.array([token for token, _ in arcs], np.int64),
            np.array([numbers[node] for _, node in arcs], np.int64),
            np.array([_place(node) for node in nodes], np.int64),
        )


def mixed(source: Tokens, errors: Sequence[GoldError], numbers: dict[str, int]) -> Graph:
    """Return the graph of all combinations of the options of a sentence's errors.

    `numbers` maps tokens to numbers, and new tokens are added. Replacements that start before an
    earlier one has ended are skipped. If the result would be empty, the source is used.
    """
    text = encoded(source, numbers)
    beginning: list[list[GoldError]] = [[] for _ in range(len(source) + 2)]
    for error in errors:
        beginning[error.start].append(error)
    builder = _Builder()
    last = _Node(len(source) + 1, len(source), (), begun=True)
    levels: list[dict[_Node, None]] = [{} for _ in range(len(source) + 2)]
    levels[0][_Node(0, 0, (), begun=False)] = None
    for level in range(len(source) + 1):
        for node in levels[level]:
            for chosen in product(*(error.options for error in beginning[level])):
                made = (*node.pending, *(each for option in chosen for each in option))
                now, pending = _due(made, level)
                tokens, position = _emitted(node.position, level, now, text, numbers)
                begun = node.begun or bool(tokens)
                if level == len(source):
                    builder.emit(node, tokens if begun else text, last)
                    continue
                following = level + 1
                while following < position and not beginning[following]:
                    following += 1
                position = max(position, following)
                left = tuple(each for each in pending if each.start >= position)
                end = _Node(following, position, left, begun)
                builder.emit(node, tokens, end)
                levels[following][end] = None
    return builder.graph(last)


def subgraph(graph: Graph, arcs: Ints) -> Graph:
    """Return the graph of the arcs that are not 0.

    All of them are on paths from first to last node.
    """
    kept = arcs != 0
    outgoing = np.add.reduceat(kept, graph.first_arc[:-2], dtype=np.int64)
    nodes = np.append(outgoing > 0, [True])
    numbers = np.cumsum(nodes) - 1
    first_arc = np.concatenate([[0], np.cumsum(outgoing[outgoing > 0])]).astype(np.int64)
    return Graph(
        np.append(first_arc, first_arc[-1:]),
        graph.token[kept],
        numbers[graph.target[kept]],
        graph.place[nodes],
    )


def encoded(tokens: Iterable[str], numbers: dict[str, int]) -> tuple[int, ...]:
    """Return the tokens' numbers; new ones are added."""
    return tuple([numbers.setdefault(token, len(numbers)) for token in tokens])


def _due(made: Option, level: int) -> tuple[Option, Option]:
    """Return the replacements that start at `level`, and the others, each sorted by span."""
    if not made:
        return (), ()
    ordered = sorted(made, key=lambda each: (each.start, each.end))
    now = sum(each.start <= level for each in ordered)
    return tuple(ordered[:now]), tuple(ordered[now:])


def _emitted(
    position: int,
    level: int,
    made: Iterable[Replacement],
    text: tuple[int, ...],
    numbers: dict[str, int],
) -> tuple[tuple[int, ...], int]:
    """Return the tokens that replace the source token at `level`, and the position after it."""
    tokens: tuple[int, ...] = ()
    for each in made:
        if each.start >= position:
            tokens += encoded(each.tokens, numbers)
            position = each.end
    if position <= level < len(text):
        return (*tokens, text[level]), level + 1
    return tokens, position


def _order(node: _Node | _Rest) -> tuple[int, int]:
    if isinstance(node, _Node):
        return node.level, 0
    return node.end.level, -len(node.tokens)


def _place(node: _Node | _Rest) -> int:
    if isinstance(node, _Node):
        return node.position
    return max(0, node.end.position - len(node.tokens))
