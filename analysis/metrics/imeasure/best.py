"""The counts of hypotheses beside the best of many references.

Exact, whatever the number of references, but for two limits: MOST_WORK for the states of one
hypothesis, and alignments of more than MOST_COLUMNS columns.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import islice, product, zip_longest

import numpy as np

from maege.analysis.metrics.imeasure.bounds import cost_bounds
from maege.analysis.metrics.imeasure.cells import near_cells
from maege.analysis.metrics.imeasure.choice import best_arcs, best_counts
from maege.analysis.metrics.imeasure.gold import GoldError, Tokens, corrected
from maege.analysis.metrics.imeasure.graph import Graph, Ints, encoded, mixed, separate, subgraph
from maege.analysis.metrics.imeasure.search import search
from maege.analysis.metrics.imeasure.states import MOST_COLUMNS, States
from maege.analysis.metrics.imeasure.windows import longest_reference, row_slack, windows

# Cells of all planes that the states of one hypothesis may take: a second or two.
MOST_WORK = 5_000_000
# As many are found without looking ahead, which takes about as long for each cell.
FEW_WORK, FEW_WORK_A_CELL = 10_000, 3
# The same of the source as hypothesis, which only decides between references of equal accuracy:
# where it takes more, it is compared with these alone.
MOST_BASE_WORK = 500_000
# Cells of all nodes, for the bounds: 96 MB.
MOST_CELLS = 16_000_000
# References of a source without any token.
MOST_INSERTED = 10_000

# As in Paths: all agree, source and hypothesis, hypothesis and reference, source and reference,
# none; then of the source as hypothesis all, and source and hypothesis.
Seven = list[int]


class References:
    """References of one source, and the source's own alignment with each of them."""

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
        """Return the counts beside the best reference; None where that takes too much."""
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
        """Return the counts beside the references of largest accuracy alone."""
        if self._few:
            return None
        arcs = best_arcs(states, self._graph.first_arc, self._weight)
        fewer = subgraph(self._graph, arcs)
        compared = References(self._text, fewer, self._numbers, self._weight, few=True)
        return compared.counts(hypothesis)

    def _states(self, hypothesis: Ints, few_work: int, most_work: int) -> States | None:
        """Return the states of a hypothesis that matter; None where there are too many.

        All where they take no more than `few_work` steps and some for each cell.
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


def best_of_separate(
    source: Tokens, references: Sequence[Tokens], hypotheses: Iterable[Tokens], weight: int
) -> list[tuple[Seven, bool]]:
    """Return the counts of each hypothesis beside the best reference, and whether they are exact.

    Of texts too long even for one reference the tokens are put side by side in order.
    """
    if not source:
        return [
            (_beside_nothing(references, hypothesis, weight), True) for hypothesis in hypotheses
        ]
    numbers: dict[str, int] = {}
    compared = References(source, separate(source, references, numbers), numbers, weight)
    found = []
    for hypothesis in hypotheses:
        counts = compared.counts(hypothesis)
        if counts is None:
            found.append(one_by_one(source, references, hypothesis, weight))
        else:
            found.append((counts, True))
    return found


def best_of_mixed(
    source: Tokens,
    errors: Sequence[GoldError],
    references: Sequence[Tokens],
    hypotheses: Iterable[Tokens],
    weight: int,
) -> list[tuple[Seven, bool]]:
    """Return the counts of each hypothesis beside the best mixture, and whether they are exact.

    Where that takes too much, beside the best of `references`, which are some of the mixtures.
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


def _beside_nothing(references: Sequence[Tokens], hypothesis: Tokens, weight: int) -> Seven:
    """Return the counts beside the best reference of a source without tokens.

    There no other reference equals one without tokens for a hypothesis without any, and each other
    one is better for a hypothesis with some, as the source is then not all right.
    """
    texts = [text for text in references if bool(text) == bool(hypothesis)]
    if not hypothesis and texts:
        return [0] * 7
    numbers: dict[str, int] = {}
    compared = References((), separate((), texts or references, numbers), numbers, weight)
    return compared.counts(hypothesis) or [0] * 7


def _side_by_side(source: Tokens, hypothesis: Tokens, reference: Tokens) -> Seven:
    counts = [0] * 7
    for s, h, r in zip_longest(source, hypothesis, reference, fillvalue=None):
        if s == h:
            counts[0 if h == r else 1] += 1
        elif h == r:
            counts[2] += 1
        else:
            counts[3 if s == r else 4] += 1
        if s is not None or r is not None:
            counts[5 if s == r else 6] += 1
    return counts


def one_by_one(
    source: Tokens, references: Sequence[Tokens], hypothesis: Tokens, weight: int
) -> tuple[Seven, bool]:
    """Return the counts beside the best of references that are too much together."""
    rows, exact = [], True
    for reference in references:
        numbers: dict[str, int] = {}
        alone = References(source, separate(source, [reference], numbers), numbers, weight)
        counts = alone.counts(hypothesis)
        exact = exact and counts is not None
        rows.append(counts or _side_by_side(source, hypothesis, reference))
    return max(rows, key=lambda row: _measures(row, weight)), exact


def _measures(counts: Seven, weight: int) -> list[Fraction]:
    """Return what decides between references, one after the other, of a source with tokens."""
    agreed, missed, hit, false, other, base, base_missed = counts
    by_source = Fraction(base, base + base_missed)
    chain = []
    # Tokens on which all differ are wrong for correction, and right for detection.
    for right, wrong in ((hit, other), (hit + other, 0)):
        good = Fraction(weight * right + agreed)
        bad = weight * false + missed + Fraction(weight + 1, 2) * wrong
        weighted = good / (good + bad)
        if weighted > by_source:
            improved = (weighted - by_source) / (1 - by_source)
        elif weighted < by_source:
            improved = weighted / by_source - 1
        else:
            improved = Fraction(weighted // 1)
        columns = right + agreed + missed + false + wrong
        chain += [weighted, improved, Fraction(right + agreed, columns)]
    return chain


def _array(tokens: Sequence[int]) -> Ints:
    return np.array(tokens, np.int64)
