"""The states that may be on the path of the best reference.

All of them where they are few. Else a reference that is as good as can be found by looking ahead,
and the states from which no better one, nor one as good, can follow are given up (hopes.py).
"""

import numpy as np

from maege.analysis.metrics.imeasure.bounds import Bounds
from maege.analysis.metrics.imeasure.choice import CORRECTION, terms_of, unpacked
from maege.analysis.metrics.imeasure.graph import Graph, Ints
from maege.analysis.metrics.imeasure.hopes import hoped_arcs, hopes, possible_steps
from maege.analysis.metrics.imeasure.states import LABEL, States, explore

# An accuracy that a good reference may have, to begin with; no result depends on it.
LIKELY, LIKELY_OF = 9, 10

# Nothing is given up.
NO_HOPES = np.empty((0, 3), np.int64)
NO_FACTORS = np.empty(0, np.int64)


def search(
    cells: Ints,
    bounds: Bounds,
    window: Ints,
    graph: Graph,
    weight: int,
    few_work: int,
    most_work: int,
) -> States:
    """Return the states that paths of the largest accuracy go by; not complete if too many.

    These are all states if they take at most `few_work` steps.
    """
    arcs = graph.first_arc, graph.token, graph.target
    states = explore(cells, bounds, window, *arcs, few_work, NO_HOPES, NO_FACTORS)
    if states.last >= 0 or few_work >= most_work:
        return states
    terms = terms_of(CORRECTION, weight)
    factors = LIKELY_OF * terms[0] - LIKELY * terms[1]
    steps, places = possible_steps(cells, bounds, window, *arcs)
    nodes = len(window)
    single = np.minimum(np.arange(nodes + 1), nodes - 1)
    best, of = -1, 1
    while True:
        hoped = hopes(cells, steps, places, window, *arcs, factors)
        chosen = hoped_arcs(hoped, window, graph.first_arc, graph.target)
        path = single, graph.token[chosen], graph.target[chosen]
        alone = explore(cells, bounds, window, *path, most_work, NO_HOPES, NO_FACTORS)
        if alone.last < 0:
            return alone
        counts = unpacked(alone.start + int(alone.edges[:, LABEL].sum()))
        numerator, denominator = (terms @ counts).tolist()
        if numerator * of <= best * denominator:
            return explore(cells, bounds, window, *arcs, most_work, hoped, factors)
        best, of = numerator, denominator
        factors = of * terms[0] - best * terms[1]
