"""Count the tokens of hypotheses with the best of some references, each aligned separately.

The alignment of source, hypothesis and reference minimises the sum of the costs of the three pairs:
0 for equal tokens, 3 for different ones, 2 for a token aligned with a gap, 0 for two gaps (Felice
and Briscoe 2015, section 2.2, their program's costs). Ties are broken from the end: first a column
without a gap, then a gap in the reference, in the hypothesis, in the source, then a column that has
only a token of the source, of the hypothesis, of the reference.

Only cells near the cheapest alignments of the pairs are visited: an alignment through (i, j, k)
costs at least the sum of what the three pairs cost through (i, j), (i, k) and (j, k) (Carrillo and
Lipman 1988, "The multiple sequence alignment problem in biology"). A cell is skipped if this sum
exceeds the cost of a known alignment.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure.gold import Tokens
from maege.analysis.metrics.imeasure.graph import Ints

Int32 = NDArray[np.int32]

# Columns of the three-way alignment by which texts agree: all, source and hypothesis, hypothesis
# and reference, source and reference, none. With the source as hypothesis: all, and source and
# hypothesis.
Seven = list[int]

# In the first attempt, an alignment may cost this much more than the sum of the pairs' costs.
LITTLE = 8
# Maximum number of cells of one alignment: 80 MB and half a second.
MOST_CELLS = 16_000_000
# A cost that no alignment reaches.
FAR = 1 << 30

# The texts that supply a token to a column, in the order of preference.
STEPS = np.array(
    [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.int32
)


class _Pair(NamedTuple):
    """The cost of aligning two texts, and the added cost by way of each pair of positions."""

    cost: int
    detours: Int32


def best_of_separate(
    source: Tokens, references: Sequence[Tokens], hypotheses: Iterable[Tokens], weight: int
) -> list[tuple[Seven, bool]]:
    """Return the counts of each hypothesis with the best reference, and whether they are exact.

    If an alignment takes too many cells, the tokens are paired in order instead.
    """
    numbers: dict[str, int] = {}
    text = _encoded(source, numbers)
    itself = _pair(text, text)
    aligned = []
    for reference in references:
        other = _encoded(reference, numbers)
        pair = _pair(text, other)
        base = _counts((text, text, other), (itself, pair, pair))
        aligned.append((reference, other, pair, base))
    return [
        _best_reference(source, text, aligned, hypothesis, _encoded(hypothesis, numbers), weight)
        for hypothesis in hypotheses
    ]


def _best_reference(
    source: Tokens,
    text: Int32,
    aligned: Sequence[tuple[Tokens, Int32, "_Pair", Ints | None]],
    hypothesis: Tokens,
    tokens: Int32,
    weight: int,
) -> tuple[Seven, bool]:
    """Return the counts of one hypothesis with the best reference, and whether they are exact."""
    if not source:
        # If the source has no tokens, a reference is better than another one only if both it and
        # the hypothesis have tokens, or neither has.
        aligned = [each for each in aligned if bool(each[0]) == bool(hypothesis)] or aligned
    changed = _pair(text, tokens)
    rows: dict[tuple[int, ...], None] = {}
    exact = True
    for reference, other, pair, base in aligned:
        counts = base
        if hypothesis != source:
            counts = _counts((text, tokens, other), (changed, pair, _pair(tokens, other)))
        exact = exact and counts is not None and base is not None
        row = _side_by_side(source, hypothesis, reference) if counts is None else counts.tolist()
        by_source = _side_by_side(source, source, reference) if base is None else base.tolist()
        rows[*row, *by_source[:2]] = None
    return _best([list(row) for row in rows], weight), exact


def _encoded(tokens: Tokens, numbers: dict[str, int]) -> Int32:
    return np.array([numbers.setdefault(token, len(numbers)) for token in tokens], np.int32)


def _pair(text: Int32, other: Int32) -> _Pair:
    costs = np.zeros((2, text.size + 1, other.size + 1), np.int32)
    _pair_costs(text, other, costs)
    cost = int(costs[0, -1, -1])
    return _Pair(cost, costs[0] + costs[1, ::-1, ::-1] - cost)


def _counts(texts: tuple[Int32, Int32, Int32], pairs: tuple[_Pair, _Pair, _Pair]) -> Ints | None:
    """Return the numbers of columns by agreeing texts; None if there are too many cells.

    The pairs are source and hypothesis, source and reference, hypothesis and reference.
    """
    at_least = sum(pair.cost for pair in pairs)
    detours = pairs[0].detours, pairs[1].detours, pairs[2].detours
    counts, windows = np.zeros(5, np.int64), np.empty((texts[0].size + 1, 5), np.int64)
    more = LITTLE
    while True:
        n_cells = _find_windows(detours[0], detours[1], more, windows)
        if n_cells > MOST_CELLS:
            return None
        costs, steps = np.full(n_cells, FAR, np.int32), np.zeros(n_cells, np.int8)
        cost = _aligned(*texts, *detours, more, windows, STEPS, costs, steps, counts)
        if cost <= at_least + more:
            return counts
        # The cheapest alignment costs at most as much as this one, if this one exists.
        more = cost - at_least if cost < FAR else 2 * more


@compiled("void(i4[::1], i4[::1], i4[:, :, ::1])")
def _pair_costs(text: Int32, other: Int32, costs: Int32) -> None:
    """Write the costs of aligning the beginnings of two texts, then those of their ends."""
    n, m = text.size, other.size
    for direction in range(2):
        for i in range(n + 1):
            for j in range(m + 1):
                best = 2 * (i + j)
                if i and j:
                    if direction:
                        is_equal = text[n - i] == other[m - j]
                    else:
                        is_equal = text[i - 1] == other[j - 1]
                    best = costs[direction, i - 1, j - 1] + (0 if is_equal else 3)
                    best = min(best, costs[direction, i - 1, j] + 2, costs[direction, i, j - 1] + 2)
                costs[direction, i, j] = best


@compiled("i8(i4[:, ::1], i4[:, ::1], i8, i8[:, ::1])")
def _find_windows(
    detours_hypothesis: Int32, detours_reference: Int32, more: int, windows: Ints
) -> int:
    """Write the windows of cells near the pairs' alignments; return the number of cells."""
    n_cells = 0
    for i in range(windows.shape[0]):
        windows[i, 0] = windows[i, 2] = -1
        for j in range(detours_hypothesis.shape[1]):
            if detours_hypothesis[i, j] <= more:
                windows[i, 1] = j + 1
                if windows[i, 0] < 0:
                    windows[i, 0] = j
        for k in range(detours_reference.shape[1]):
            if detours_reference[i, k] <= more:
                windows[i, 3] = k + 1
                if windows[i, 2] < 0:
                    windows[i, 2] = k
        windows[i, 4] = n_cells
        n_cells += (windows[i, 1] - windows[i, 0]) * (windows[i, 3] - windows[i, 2])
    return n_cells


@compiled(
    "i8(i4[::1], i4[::1], i4[::1], i4[:, ::1], i4[:, ::1], i4[:, ::1], i8, i8[:, ::1], i4[:, ::1],"
    "i4[::1], i1[::1], i8[::1])"
)
def _aligned(
    source: Int32,
    hypothesis: Int32,
    reference: Int32,
    detours_hypothesis: Int32,
    detours_reference: Int32,
    detours_both: Int32,
    more: int,
    windows: Ints,
    steps: Int32,
    costs: Int32,
    taken: NDArray[np.int8],
    counts: Ints,
) -> int:
    """Count the columns of the cheapest alignment through cells near the pairs' alignments.

    A window belongs to a row of the source. It has the first position in the hypothesis and the one
    after the last, the same for the reference, and the position of its first cell in `costs` and
    `taken`.

    Return the cost, or FAR if no alignment uses only these cells.
    """
    place = 0
    for i in range(source.size + 1):
        for j in range(windows[i, 0], windows[i, 1]):
            for k in range(windows[i, 2], windows[i, 3]):
                detour = detours_hypothesis[i, j] + detours_reference[i, k] + detours_both[j, k]
                best = 0 if i + j + k == 0 else FAR
                for step in range(7 if detour <= more else 0):
                    a, b, c = i - steps[step, 0], j - steps[step, 1], k - steps[step, 2]
                    if a < 0 or b < windows[a, 0] or b >= windows[a, 1]:
                        continue
                    if c < windows[a, 2] or c >= windows[a, 3]:
                        continue
                    width = windows[a, 3] - windows[a, 2]
                    before = windows[a, 4] + (b - windows[a, 0]) * width + c - windows[a, 2]
                    x = source[a] if a < i else -1
                    y = hypothesis[b] if b < j else -1
                    z = reference[c] if c < k else -1
                    cost = costs[before]
                    if x != y:
                        cost += 3 if x >= 0 and y >= 0 else 2
                    if x != z:
                        cost += 3 if x >= 0 and z >= 0 else 2
                    if y != z:
                        cost += 3 if y >= 0 and z >= 0 else 2
                    if cost < best:
                        best = cost
                        taken[place] = step
                costs[place] = best
                place += 1
    total: int = costs[place - 1]
    if total >= FAR:
        return total
    for column in range(5):
        counts[column] = 0
    i, j, k = source.size, hypothesis.size, reference.size
    while i + j + k > 0:
        width = windows[i, 3] - windows[i, 2]
        place = windows[i, 4] + (j - windows[i, 0]) * width + k - windows[i, 2]
        step = taken[place]
        a, b, c = i - steps[step, 0], j - steps[step, 1], k - steps[step, 2]
        x = source[a] if a < i else -1
        y = hypothesis[b] if b < j else -1
        z = reference[c] if c < k else -1
        if x == y:
            counts[0 if y == z else 1] += 1
        elif y == z:
            counts[2] += 1
        else:
            counts[3 if x == z else 4] += 1
        i, j, k = a, b, c
    return total


def _side_by_side(source: Tokens, hypothesis: Tokens, reference: Tokens) -> Seven:
    counts = [0] * 5
    for s, h, r in zip_longest(source, hypothesis, reference, fillvalue=None):
        if s == h:
            counts[0 if h == r else 1] += 1
        elif h == r:
            counts[2] += 1
        else:
            counts[3 if s == r else 4] += 1
    return counts


def _best(rows: list[Seven], weight: int) -> Seven:
    """Return the counts of the best reference, the first one if several are equally good."""
    if len(rows) > 1:
        accuracies = [_weighted_accuracy(row, weight) for row in rows]
        highest = max(accuracies)
        rows = [row for row, of in zip(rows, accuracies, strict=True) if of == highest]
    return max(rows, key=lambda row: _measures(row, weight)) if len(rows) > 1 else rows[0]


def _weighted_accuracy(counts: Seven, weight: int, *, detection: bool = False) -> Fraction:
    """Return WAcc.

    Tokens on which all three differ are wrong for correction, correct for detection.
    """
    agreed, missed, hit, false, other, _, _ = counts
    right, wrong = (hit + other, 0) if detection else (hit, other)
    good = Fraction(weight * right + agreed)
    return good / (good + weight * false + missed + Fraction(weight + 1, 2) * wrong)


def _measures(counts: Seven, weight: int) -> list[Fraction]:
    """Return the measures that decide between references, in the order of their priority."""
    agreed, missed, hit, false, other, base, base_missed = counts
    by_source = Fraction(base, base + base_missed)
    measures = []
    for detection in (False, True):
        weighted = _weighted_accuracy(counts, weight, detection=detection)
        if weighted > by_source:
            improved = (weighted - by_source) / (1 - by_source)
        elif weighted < by_source:
            improved = weighted / by_source - 1
        else:
            improved = Fraction(weighted // 1)
        right = hit + other if detection else hit
        measures += [
            weighted,
            improved,
            Fraction(right + agreed, agreed + missed + hit + false + other),
        ]
    return measures
