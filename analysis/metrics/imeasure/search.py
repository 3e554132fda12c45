"""Search the states that may be on the path of the best reference.

If there are few states, all of them are kept. Otherwise, looking ahead gives a good reference.
States that cannot lead to an equally good or better reference are discarded (hopes.py).
"""

import numpy as np

from maege.analysis.metrics.imeasure.bounds import Bounds
from maege.analysis.metrics.imeasure.choice import CORRECTION, terms_of, unpacked
from maege.analysis.metrics.imeasure.graph import Graph, Ints
from maege.analysis.metrics.imeasure.hopes import hoped_arcs, hopes, possible_steps
from maege.analysis.metrics.imeasure.states import LABEL, States, explore

# The assumed accuracy of a good reference at the start. The results do not depend on it.
LIKELY, LIKELY_OF = 9, 10

# Discard no states.
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
    """Return the states on paths of the highest accuracy; incomplete if there are too many.

    All states are returned if they take at most `few_work` steps.
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
