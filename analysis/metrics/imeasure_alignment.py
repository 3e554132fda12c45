"""Count the columns of the cheapest alignment of source, hypothesis and reference, compiled.

An alignment minimises the sum of the costs of the three pairs of texts: 0 for equal tokens, 3 for
different ones, 2 for a token aligned with a gap, 0 for two gaps (Felice and Briscoe 2015, section
2.2, their program's costs). Ties are broken from the end: first a column without a gap, then a gap
in the reference, in the hypothesis, in the source, then a column that has only a token of the
source, of the hypothesis, of the reference.

Only cells near the cheapest alignments of the pairs are visited: an alignment through (i, j, k)
costs at least the sum of what the three pairs cost through (i, j), (i, k) and (j, k) (Carrillo and
Lipman 1988, "The multiple sequence alignment problem in biology"). A cell is skipped if this sum
exceeds the cost of a known alignment.
"""

from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.imeasure import Tokens

Int32 = NDArray[np.int32]
Ints = NDArray[np.int64]

# In the first attempt, an alignment may cost this much more than the sum of the pairs' costs.
LITTLE = 8
# Maximum number of cells of one alignment: 80 MB and half a second.
MOST_CELLS = 16_000_000
# Maximum number of cells of the pairs that an aligner keeps: 100 MB.
MOST_KEPT_CELLS = 25_000_000
# A cost that no alignment reaches.
FAR = 1 << 30

# The texts that supply a token to a column, in the order of preference.
STEPS = np.array(
    [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.int32
)


class Columns(NamedTuple):
    """Numbers of columns by the texts that agree.

    All three; source and hypothesis only; hypothesis and reference only; source and reference only;
    none. Then, with the source as hypothesis: all three; source and hypothesis only.
    """

    agreed: int
    missed: int
    hit: int
    false: int
    other: int
    base: int
    base_missed: int


class _Pair(NamedTuple):
    """The alignment of two texts.

    `cost` is the minimum, `detours` the added cost by way of each pair of positions. `agreed` and
    `columns` count equal columns and all columns of the preferred alignment.
    """

    cost: int
    agreed: int
    columns: int
    detours: Int32


class Aligner:
    """Aligns hypotheses and references with one source. Each pair of texts is aligned once."""

    def __init__(self, source: str) -> None:
        self.source = tuple(source.split())
        self._numbers: dict[str, int] = {}
        self._encoded: dict[Tokens, Int32] = {}
        self._pairs: dict[Tokens, _Pair] = {}
        self._columns: dict[tuple[str, Tokens], tuple[Columns, bool]] = {}
        self._n_cells = 0

    def stored_columns(self, text: str, reference: Tokens) -> tuple[Columns, bool]:
        key = text, reference
        if key not in self._columns:
            self._columns[key] = self.columns(text, reference)
        return self._columns[key]

    def columns(self, text: str, reference: Tokens) -> tuple[Columns, bool]:
        """Return the columns of a hypothesis, and whether they are exact.

        If an alignment takes too many cells, the tokens are paired in order instead.
        """
        hypothesis = tuple(text.split())
        # Source and source are aligned token by token, so that a pair has the columns of all three.
        unchanged = self._pair(reference)
        base = unchanged.agreed, unchanged.columns - unchanged.agreed
        if hypothesis == self.source:
            return Columns(*base, 0, 0, 0, *base), True
        changed = self._pair(hypothesis)
        texts = self._array(self.source), self._array(hypothesis), self._array(reference)
        hypothesis_reference = _pair(texts[1], texts[2])
        counts = np.zeros(5, np.int64)
        lower_bound = changed.cost + unchanged.cost + hypothesis_reference.cost
        detours = changed.detours, unchanged.detours, hypothesis_reference.detours
        if _align(*texts, *detours, lower_bound, MOST_CELLS, STEPS, counts):
            return Columns._make([*counts.tolist(), *base]), True
        return Columns._make([*_side_by_side(self.source, hypothesis, reference), *base]), False

    def _pair(self, text: Tokens) -> _Pair:
        if text in self._pairs:
            return self._pairs[text]
        pair = _pair(self._array(self.source), self._array(text))
        # A search for the best mixture may try hundreds of thousands of texts.
        self._n_cells += pair.detours.size
        if self._n_cells > MOST_KEPT_CELLS:
            self._pairs.clear()
            self._encoded.clear()
            self._n_cells = pair.detours.size
        self._pairs[text] = pair
        return pair

    def _array(self, text: Tokens) -> Int32:
        if text not in self._encoded:
            numbers = [self._numbers.setdefault(token, len(self._numbers)) for token in text]
            self._encoded[text] = np.array(numbers, np.int32)
        return self._encoded[text]


def _side_by_side(source: Tokens, hypothesis: Tokens, reference: Tokens) -> list[int]:
    counts = [0] * 5
    for s, h, r in zip_longest(source, hypothesis, reference, fillvalue=None):
        if s == h:
            counts[0 if h == r else 1] += 1
        elif h == r:
            counts[2] += 1
        else:
            counts[3 if s == r else 4] += 1
    return counts


def _pair(text: Int32, other: Int32) -> _Pair:
    detours = np.empty((text.size + 1, other.size + 1), np.int32)
    return _Pair(*_align_pair(text, other, detours), detours)


@compiled("UniTuple(i8, 3)(i4[::1], i4[::1], i4[:, ::1])")
def _align_pair(text: Int32, other: Int32, detours: Int32) -> tuple[int, int, int]:
    """Write the detours; return the cost and the numbers of equal columns and of all columns."""
    n, m = text.size, other.size
    costs = np.empty((2, n + 1, m + 1), np.int32)  # of the beginnings of the texts, of their ends
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
    cost = costs[0, n, m]
    for i in range(n + 1):
        for j in range(m + 1):
            detours[i, j] = costs[0, i, j] + costs[1, n - i, m - j] - cost
    agreed = columns = 0
    while n + m > 0:
        columns += 1
        is_equal = n > 0 and m > 0 and text[n - 1] == other[m - 1]
        if n and m and costs[0, n, m] == costs[0, n - 1, m - 1] + (0 if is_equal else 3):
            agreed += is_equal
            n, m = n - 1, m - 1
        elif n and costs[0, n, m] == costs[0, n - 1, m] + 2:
            n -= 1
        else:
            m -= 1
    return cost, agreed, columns


@compiled(
    "b1(i4[::1], i4[::1], i4[::1], i4[:, ::1], i4[:, ::1], i4[:, ::1], i8, i8, i4[:, ::1], i8[::1])"
)
def _align(
    source: Int32,
    hypothesis: Int32,
    reference: Int32,
    detours_hypothesis: Int32,
    detours_reference: Int32,
    detours_both: Int32,
    lower_bound: int,
    most_cells: int,
    steps: Int32,
    counts: Ints,
) -> bool:
    """Count the columns of the cheapest alignment; return whether few enough cells suffice.

    `lower_bound` is the sum of the pairs' costs. A window belongs to a row of the source. It has
    the first position in the hypothesis and the one after the last, the same for the reference, and
    the position of its first cell in `costs` and `steps_taken`.
    """
    windows = np.empty((source.size + 1, 5), np.int64)
    max_detour = LITTLE
    while True:
        n_cells = 0
        for i in range(source.size + 1):
            windows[i, 0] = windows[i, 2] = -1
            for j in range(hypothesis.size + 1):
                if detours_hypothesis[i, j] <= max_detour:
                    windows[i, 1] = j + 1
                    if windows[i, 0] < 0:
                        windows[i, 0] = j
            for k in range(reference.size + 1):
                if detours_reference[i, k] <= max_detour:
                    windows[i, 3] = k + 1
                    if windows[i, 2] < 0:
                        windows[i, 2] = k
            windows[i, 4] = n_cells
            n_cells += (windows[i, 1] - windows[i, 0]) * (windows[i, 3] - windows[i, 2])
        if n_cells > most_cells:
            return False
        costs, steps_taken = np.full(n_cells, FAR, np.int32), np.zeros(n_cells, np.int8)
        place = 0
        for i in range(source.size + 1):
            for j in range(windows[i, 0], windows[i, 1]):
                for k in range(windows[i, 2], windows[i, 3]):
                    detour = detours_hypothesis[i, j] + detours_reference[i, k] + detours_both[j, k]
                    best = 0 if i + j + k == 0 else FAR
                    for step in range(7 if detour <= max_detour else 0):
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
                            steps_taken[place] = step
                    costs[place] = best
                    place += 1
        if costs[place - 1] <= lower_bound + max_detour:
            break
        # The cheapest alignment costs at most as much as this one, if this one exists.
        max_detour = costs[place - 1] - lower_bound if costs[place - 1] < FAR else 2 * max_detour
    i, j, k = source.size, hypothesis.size, reference.size
    while i + j + k > 0:
        width = windows[i, 3] - windows[i, 2]
        step = steps_taken[windows[i, 4] + (j - windows[i, 0]) * width + k - windows[i, 2]]
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
    return True
