"""The three-way alignment behind the I-measure, and how its columns count.

The alignment of source, hypothesis and reference minimises the sum of the costs of the three pairs:
0 for equal tokens, 3 for different ones, 2 for a token aligned with a gap, 0 for two gaps (Felice
and Briscoe 2015, section 2.2, their program's costs). Ties are broken from the end: first a column
without a gap, then a gap in the reference, in the hypothesis, in the source, then a column with
only a token of the source, of the hypothesis, of the reference.

Each column counts as in Table 6 of the paper, once for detection and once for correction. The
program also scores the source as a hypothesis, in an alignment with only the reference.

This module aligns one reference, column by column. Scores need only the counts. For the best of
many references, states.py computes the counts without aligning each reference.
"""

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np

from maege.analysis.metrics.imeasure.cells import GAP, MISMATCH
from maege.analysis.metrics.imeasure.graph import NO_TOKEN, Ints

# Positions of the counts: five each (tp, tn, fp, fn, fpn) for correction, for correction with the
# source as hypothesis, for detection, and for detection with the source as hypothesis.
TP, TN, FP, FN, FPN = range(5)
CORRECTION, BASE_CORRECTION, DETECTION, BASE_DETECTION = 0, 5, 10, 15
COUNTS = 20

# The texts that supply a token to a column, in the order of preference.
_STEPS = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))

Column = tuple[str, str, str]


def classify(
    source: int, hypothesis: int, reference: int, counts: Ints, correction: int, detection: int
) -> None:
    """Add one column of the alignment to the counts."""
    if source == hypothesis:
        if hypothesis == reference:
            if source != NO_TOKEN:
                counts[correction + TN] += 1
                counts[detection + TN] += 1
        else:
            counts[correction + FN] += 1
            counts[detection + FN] += 1
    elif hypothesis == reference:
        counts[correction + TP] += 1
        counts[detection + TP] += 1
    elif source == reference:
        counts[correction + FP] += 1
        counts[detection + FP] += 1
    else:
        counts[detection + TP] += 1
        counts[correction + FP] += 1
        counts[correction + FN] += 1
        counts[correction + FPN] += 1


def align(
    source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]
) -> tuple[list[Column], int]:
    """Return the columns of the alignment, with '' for a gap, and its cost."""
    texts = (source, hypothesis, reference)
    cost = np.zeros([len(text) + 1 for text in texts], np.int64)
    taken: dict[tuple[int, ...], Column] = {}
    for cell in product(*(range(size) for size in cost.shape)):
        ways = []
        for step in _STEPS:
            before = tuple(place - one for place, one in zip(cell, step, strict=True))
            if min(before) >= 0:
                first, second, third = (
                    text[place] if one else ""
                    for text, place, one in zip(texts, before, step, strict=True)
                )
                column = first, second, third
                ways.append((int(cost[before]) + _cost(column), column))
        if ways:
            # The first alignment with the lowest cost.
            cost[cell], taken[cell] = min(ways, key=lambda way: way[0])
    columns = []
    cell = tuple(len(text) for text in texts)
    while any(cell):
        column = taken[cell]
        columns.append(column)
        cell = tuple(place - bool(token) for place, token in zip(cell, column, strict=True))
    return columns[::-1], int(cost[-1, -1, -1])


def _cost(column: Column) -> int:
    pairs = pairwise((*column, column[0]))
    return sum((MISMATCH if one and other else GAP) for one, other in pairs if one != other)
