"""Count the tokens of hypotheses with the best mixture of the annotators' corrections.

The result is exact, whatever the number of mixtures, within two limits: MOST_WORK for the states of
one hypothesis, and MOST_COLUMNS for the columns of an alignment.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, product

import numpy as np

from maege.analysis.metrics.imeasure.best_reference import Seven, best_of_separate
from maege.analysis.metrics.imeasure.bounds import cost_bounds
from maege.analysis.metrics.imeasure.cells import near_cells
from maege.analysis.metrics.imeasure.choice import best_arcs, best_counts
from maege.analysis.metrics.imeasure.gold import GoldError, Tokens, corrected
from maege.analysis.metrics.imeasure.graph import Graph, Ints, encoded, mixed, subgraph
from maege.analysis.metrics.imeasure.search import search
from maege.analysis.metrics.imeasure.states import MOST_COLUMNS, States
from maege.analysis.metrics.imeasure.windows import longest_reference, row_slack, windows

# Maximum number of cells of all planes for the states of one hypothesis: one or two seconds.
MOST_WORK = 5_000_000
# Maximum number of steps without look-ahead: a constant, plus some steps per cell of the bounds,
# because looking ahead takes about that time per cell.
FEW_WORK, FEW_WORK_A_CELL = 10_000, 3
# Maximum number of steps for the source as hypothesis, which only decides between references of
# equal accuracy. Beyond it, the source is compared with these references only.
MOST_BASE_WORK = 500_000
# Maximum number of cells of all nodes for the bounds: 96 MB.
MOST_CELLS = 16_000_000
# The mixtures of a source without tokens.
MOST_INSERTED = 10_000


class References:
    """The references of one source, and the alignment of the source with each of them."""

    def __init__(
        self,
        source: Tokens,
        graph: Graph,
        numbers: dict[str, int],
        weight: int,
        *,
        few: bool = False,
    ) -> None:
        self._text = source
        self._numbers = numbers
        self._weight = weight
        self._graph = graph
        self._source = _array(encoded(source, numbers))
        self._longest = longest_reference(*graph[:3])
        self._few = few
        self._too_long = (
            2 * len(source) + self._longest > MOST_COLUMNS
            or (len(source) + 1) * len(graph.place) > MOST_CELLS
        )
        if self._too_long:
            return
        self._slack, self._distance = row_slack(self._source, *graph)
        most_work = MOST_WORK if few else MOST_BASE_WORK
        self._base = self._states(self._source, most_work, most_work)

    def counts(self, hypothesis: Tokens) -> Seven | None:
        """Return the counts for the best reference; None if the search would take too long."""
        if self._too_long:
            return None
        states = self._states(_array(encoded(hypothesis, self._numbers)), FEW_WORK, MOST_WORK)
        if states is None:
            return None
        if self._base is None:
            return self._fewer_counts(states, hypothesis)
        counts: Seven = best_counts(states, self._base, self._weight).tolist()
        return counts

    def _fewer_counts(self, states: States, hypothesis: Tokens) -> Seven | None:
        """Return the counts, considering only the references with the highest accuracy."""
        if self._few:
            return None
        arcs = best_arcs(states, self._graph.first_arc, self._weight)
        fewer = subgraph(self._graph, arcs)
        compared = References(self._text, fewer, self._numbers, self._weight, few=True)
        return compared.counts(hypothesis)

    def _states(self, hypothesis: Ints, few_work: int, most_work: int) -> States | None:
        """Return the states of a hypothesis that matter; None if there are too many.

        Return all states if they take at most `few_work` steps plus some steps per cell.
        """
        if len(self._source) + len(hypothesis) + self._longest > MOST_COLUMNS:
            return None
        graph = self._graph
        cells = near_cells(self._source, hypothesis, self._distance[0])
        window, size = windows(
            cells, self._slack, self._distance, graph.first_arc, graph.target, graph.place
        )
        if size > MOST_CELLS:
            return None
        bounds = cost_bounds(cells.table, cells.base, window, size, *graph)
        states = search(
            cells.table,
            bounds,
            window,
            graph,
            self._weight,
            min(few_work + FEW_WORK_A_CELL * size, most_work),
            most_work,
        )
        return states if states.last >= 0 else None


def best_of_mixed(
    source: Tokens,
    errors: Sequence[GoldError],
    references: Sequence[Tokens],
    hypotheses: Iterable[Tokens],
    weight: int,
) -> list[tuple[Seven, bool]]:
    """Return the counts of each hypothesis for the best mixture, and whether they are exact.

    If the search would take too long, use the best of `references`, which are some of the mixtures.
    """
    if not source:
        options = product(*(error.options for error in errors))
        texts = (
            corrected(source, [made for option in chosen for made in option]) for chosen in options
        )
        some = list(dict.fromkeys(islice(texts, MOST_INSERTED)))
        complete = next(options, None) is None
        rows = best_of_separate(source, some, hypotheses, weight)
        return [(counts, exact and complete) for counts, exact in rows]
    numbers: dict[str, int] = {}
    compared = References(source, mixed(source, errors, numbers), numbers, weight)
    found = []
    for hypothesis in hypotheses:
        counts = compared.counts(hypothesis)
        if counts is None:
            ((counts, _),) = best_of_separate(source, references, [hypothesis], weight)
            found.append((counts, False))
        else:
            found.append((counts, True))
    return found


def _array(tokens: Sequence[int]) -> Ints:
    return np.array(tokens, np.int64)
