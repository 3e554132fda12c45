"""The three-way alignment behind the I-measure, and what it counts, compiled.

Source, hypothesis and reference are aligned at the least sum of the costs of the three pairs: 0 for
equal tokens, 3 for different ones, 2 for a token beside a gap, 0 for two gaps (Felice and Briscoe
2015, section 2.2, their program's costs). Of equally cheap alignments that one is taken which, read
from the end, has no gap, or else a gap in the reference, the hypothesis, the source, two gaps
beside the source, beside the hypothesis, beside the reference, in this order.

Only what lies near the diagonal is computed, in a band that grows until nothing outside it could
cost as little.

Each column counts as Table 6 of the paper has it, once for detection and once for correction. The
program scores the source as a hypothesis of its own, in an alignment with the reference alone.
"""

import numpy as np
from numpy.typing import NDArray

from analysis.metrics.compiled import compiled

Ints = NDArray[np.int32]

GAP, MISMATCH = 2, 3
NO_TOKEN = -1

# Where counts stand: five each of correction, of correction by the source, of detection, of
# detection by the source; of each tp, tn, fp, fn, fpn.
TP, TN, FP, FN, FPN = range(5)
CORRECTION, BASE_CORRECTION, DETECTION, BASE_DETECTION = 0, 5, 10, 15
COUNTS = 20

OUT_OF_REACH = np.int32(2**29)

# Beyond this many cells (120 MB) the middle of a sentence is not aligned token by token.
MOST_CELLS = 30_000_000


@compiled
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


@compiled
def fill(source: Ints, hypothesis: Ints, reference: Ints, band: int) -> NDArray[np.int32]:
    """Return the least cost of aligning i, j, k first tokens, at [i, j - i + band, k - i + band].

    j and k are at most `band` away from i; the last row and column on each side stay out of reach.
    """
    n, m, q = len(source), len(hypothesis), len(reference)
    width = 2 * band + 1
    cost = np.full((n + 1, width + 1, width + 1), OUT_OF_REACH, np.int32)
    for i in range(n + 1):
        for j in range(max(0, i - band), min(m, i + band) + 1):
            both = 0
            if i > 0 and j > 0 and source[i - 1] != hypothesis[j - 1]:
                both = MISMATCH
            y = j - i + band
            for k in range(max(0, i - band), min(q, i + band) + 1):
                z = k - i + band
                if i + j + k == 0:
                    cost[0, y, z] = 0
                    continue
                best = OUT_OF_REACH
                if i > 0:
                    with_source = 0
                    if k > 0 and source[i - 1] != reference[k - 1]:
                        with_source = MISMATCH
                    if j > 0 and k > 0:
                        with_hypothesis = 0
                        if hypothesis[j - 1] != reference[k - 1]:
                            with_hypothesis = MISMATCH
                        column = both + with_source + with_hypothesis
                        best = min(best, cost[i - 1, y, z] + column)
                    if j > 0:
                        best = min(best, cost[i - 1, y, z + 1] + both + 2 * GAP)
                    if k > 0:
                        best = min(best, cost[i - 1, y + 1, z] + with_source + 2 * GAP)
                    best = min(best, cost[i - 1, y + 1, z + 1] + 2 * GAP)
                if j > 0 and k > 0 and y > 0 and z > 0:
                    with_hypothesis = 0
                    if hypothesis[j - 1] != reference[k - 1]:
                        with_hypothesis = MISMATCH
                    best = min(best, cost[i, y - 1, z - 1] + with_hypothesis + 2 * GAP)
                if j > 0 and y > 0:
                    best = min(best, cost[i, y - 1, z] + 2 * GAP)
                if k > 0 and z > 0:
                    best = min(best, cost[i, y, z - 1] + 2 * GAP)
                cost[i, y, z] = best
    return cost


@compiled
def sufficient_band(n: int, m: int, q: int, cost: int, band: int) -> bool:
    """Return whether every alignment outside the band costs more than `cost`.

    To get out and back to the ends takes so many columns with a gap, which cost 4 or more.
    """
    furthest = max(abs(m - n), abs(q - n))
    return 2 * GAP * (2 * (band + 1) - furthest) > cost or band >= max(n, m, q)


@compiled
def columns_of(source: Ints, hypothesis: Ints, reference: Ints) -> tuple[Ints, int]:
    """Return the columns of the alignment, last one first, as rows of three; and its cost."""
    i, j, k = len(source), len(hypothesis), len(reference)
    band = max(abs(j - i), abs(k - i)) + 2
    cost = fill(source, hypothesis, reference, band)
    total = cost[i, j - i + band, k - i + band]
    while not sufficient_band(i, j, k, total, band):
        band *= 2
        cost = fill(source, hypothesis, reference, band)
        total = cost[i, j - i + band, k - i + band]
    columns = np.full((i + j + k, 3), NO_TOKEN, np.int32)
    count = 0
    while i + j + k > 0:
        y, z = j - i + band, k - i + band
        both = MISMATCH
        if i > 0 and j > 0 and source[i - 1] == hypothesis[j - 1]:
            both = 0
        with_source = MISMATCH
        if i > 0 and k > 0 and source[i - 1] == reference[k - 1]:
            with_source = 0
        with_hypothesis = MISMATCH
        if j > 0 and k > 0 and hypothesis[j - 1] == reference[k - 1]:
            with_hypothesis = 0
        here = cost[i, y, z]
        step = (0, 0, 1)
        if (
            i > 0
            and j > 0
            and k > 0
            and here == cost[i - 1, y, z] + both + with_source + with_hypothesis
        ):
            step = (1, 1, 1)
        elif i > 0 and j > 0 and here == cost[i - 1, y, z + 1] + both + 2 * GAP:
            step = (1, 1, 0)
        elif i > 0 and k > 0 and here == cost[i - 1, y + 1, z] + with_source + 2 * GAP:
            step = (1, 0, 1)
        elif (
            j > 0
            and k > 0
            and y > 0
            and z > 0
            and here == cost[i, y - 1, z - 1] + with_hypothesis + 2 * GAP
        ):
            step = (0, 1, 1)
        elif i > 0 and here == cost[i - 1, y + 1, z + 1] + 2 * GAP:
            step = (1, 0, 0)
        elif j > 0 and y > 0 and here == cost[i, y - 1, z] + 2 * GAP:
            step = (0, 1, 0)
        if step[0]:
            columns[count, 0] = source[i - 1]
        if step[1]:
            columns[count, 1] = hypothesis[j - 1]
        if step[2]:
            columns[count, 2] = reference[k - 1]
        i -= step[0]
        j -= step[1]
        k -= step[2]
        count += 1
    return columns[:count], total


@compiled
def count_alignment(
    source: Ints, hypothesis: Ints, reference: Ints, counts: Ints, correction: int, detection: int
) -> bool:
    """Add the counts of one alignment; return whether it is exact.

    What the three have in common at their start and end is aligned with itself. Between, beyond
    MOST_CELLS, tokens are put side by side in order: not exact.
    """
    n, m, q = len(source), len(hypothesis), len(reference)
    shortest = min(n, m, q)
    start = 0
    while (
        start < shortest
        and source[start] == hypothesis[start]
        and source[start] == reference[start]
    ):
        start += 1
    end = 0
    while (
        end < shortest - start
        and source[n - 1 - end] == hypothesis[m - 1 - end]
        and source[n - 1 - end] == reference[q - 1 - end]
    ):
        end += 1
    counts[correction + TN] += start + end
    counts[detection + TN] += start + end
    source = source[start : n - end]
    hypothesis = hypothesis[start : m - end]
    reference = reference[start : q - end]
    n, m, q = len(source), len(hypothesis), len(reference)
    if float(n + 1) * (m + 1) * (q + 1) > MOST_CELLS:
        for place in range(max(n, m, q)):
            classify(
                source[place] if place < n else NO_TOKEN,
                hypothesis[place] if place < m else NO_TOKEN,
                reference[place] if place < q else NO_TOKEN,
                counts,
                correction,
                detection,
            )
        return False
    columns, _ = columns_of(source, hypothesis, reference)
    for place in range(len(columns)):
        classify(
            columns[place, 0],
            columns[place, 1],
            columns[place, 2],
            counts,
            correction,
            detection,
        )
    return True


@compiled
def count_all(source: Ints, hypothesis: Ints, reference: Ints, counts: Ints) -> bool:
    """Add the twenty counts of a hypothesis and of the source; return whether they are exact."""
    exact = count_alignment(source, hypothesis, reference, counts, CORRECTION, DETECTION)
    return (
        count_alignment(source, source, reference, counts, BASE_CORRECTION, BASE_DETECTION)
        and exact
    )


def align(
    source: list[str], hypothesis: list[str], reference: list[str]
) -> tuple[list[tuple[str, str, str]], int]:
    """Return the columns of the alignment, '' for a gap, and its cost."""
    numbers = {token: n for n, token in enumerate(dict.fromkeys(source + hypothesis + reference))}
    tokens = [*numbers, ""]
    columns, cost = columns_of(
        *(
            np.array([numbers[token] for token in text], np.int32)
            for text in (source, hypothesis, reference)
        )
    )
    rows = columns[::-1].tolist()
    return [(tokens[a], tokens[b], tokens[c]) for a, b, c in rows], int(cost)
