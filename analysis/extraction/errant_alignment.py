"""ERRANT's linguistic alignment of two token lists, compiled.

Felice, Bryant and Briscoe 2016: Damerau-Levenshtein over tokens. Insertion and deletion cost 1, a
substitution the sum of

    lemma        0 if equal, else .499
    part of speech   0 if equal, .25 if both are open classes, else .5
    characters   Indel distance / (length + length)

or 0 if only case differs; k + 1 tokens that are a permutation of each other, case aside, may be
transposed at cost k, where no token pair on the way back along the diagonal was free. Costs tie in
the order transposition, substitution, insertion, deletion. Every sum is added up in ERRANT's order,
so that floating-point ties fall as in ERRANT.
"""

import numpy as np
from numpy.typing import NDArray

from maege.analysis.extraction.token_table import (
    FIRST_CHARACTER,
    FLAGS,
    IS_OPEN,
    LEMMA,
    LOWER,
    ORTH,
    POS,
    Int32,
)
from maege.analysis.metrics.compiled import compiled

DELETION, INSERTION, SUBSTITUTION, MATCH, TRANSPOSITION = 0, 1, 2, 3, 4


@compiled
def character_distance(tokens: Int32, characters: Int32, i: int, j: int, row: Int32) -> float:
    """Return the normalised Indel distance of two tokens, given by their columns.

    `row` is scratch, longer than the second token.
    """
    start, stop = tokens[FIRST_CHARACTER, i], tokens[FIRST_CHARACTER, i + 1]
    begin = tokens[FIRST_CHARACTER, j]
    width = tokens[FIRST_CHARACTER, j + 1] - begin
    for q in range(width + 1):
        row[q] = 0
    # row[q]: length of the longest common subsequence of what was read and q characters.
    for p in range(start, stop):
        character = characters[p]
        diagonal = 0
        for q in range(width):
            above = row[q + 1]
            if characters[begin + q] == character:
                row[q + 1] = diagonal + 1
            elif row[q] > above:
                row[q + 1] = row[q]
            diagonal = above
    length = stop - start + width
    return float((length - 2 * row[width]) / length)


@compiled
def scratch_row(tokens: Int32) -> Int32:
    """Return a row for `character_distance` that is long enough for every token."""
    longest = 0
    for token in range(tokens.shape[1] - 1):
        length = tokens[FIRST_CHARACTER, token + 1] - tokens[FIRST_CHARACTER, token]
        longest = max(longest, length)
    return np.empty(longest + 1, dtype=np.int32)


@compiled
def align(tokens: Int32, characters: Int32, n_source: int) -> Int32:
    """Return the cheapest alignment: rows of operation, source start, end, target start, end.

    Args:
        tokens: of both texts (token_table.py).
        characters: of all tokens, one after the other.
        n_source: tokens of the source.

    """
    n_target = tokens.shape[1] - 1 - n_source
    costs = np.zeros((n_source + 1, n_target + 1), dtype=np.float64)
    # 0 to 3 as named above, from 4 on a transposition of (value - TRANSPOSITION + 1) tokens.
    operations = np.empty((n_source + 1, n_target + 1), dtype=np.int32)
    for i in range(1, n_source + 1):
        costs[i, 0] = i
        operations[i, 0] = DELETION
    for j in range(1, n_target + 1):
        costs[0, j] = j
        operations[0, j] = INSERTION
    row = scratch_row(tokens)
    surplus = np.zeros(tokens[LOWER].max() + 1, dtype=np.int32)
    # A token without a partner so far in the other text is in no transposition.
    has_partner = np.zeros(n_target, dtype=np.bool_)
    for i in range(n_source):
        is_met = False
        for j in range(n_target):
            other = n_source + j
            if tokens[LOWER, i] == tokens[LOWER, other]:
                is_met = has_partner[j] = True
            if tokens[ORTH, i] == tokens[ORTH, other]:
                costs[i + 1, j + 1] = costs[i, j]
                operations[i + 1, j + 1] = MATCH
                continue
            if tokens[LOWER, i] == tokens[LOWER, other]:
                substitution = 0.0
            else:
                substitution = 0.0 if tokens[LEMMA, i] == tokens[LEMMA, other] else 0.499
                if tokens[POS, i] != tokens[POS, other]:
                    both_open = tokens[FLAGS, i] & tokens[FLAGS, other] & IS_OPEN
                    substitution += 0.25 if both_open else 0.5
                # Characters do not matter if the cost without them is already too high.
                others = min(costs[i + 1, j], costs[i, j + 1]) + 1
                if costs[i, j] + substitution <= others:
                    substitution += character_distance(tokens, characters, i, other, row)
            best = costs[i, j] + substitution
            operation = SUBSTITUTION
            size = 0
            if is_met and has_partner[j]:
                size = transposition(tokens, costs, surplus, i, j, n_source)
            if size > 0:
                transposed = costs[i - size, j - size] + size
                if transposed <= best:
                    best = transposed
                    operation = TRANSPOSITION + size
            if costs[i + 1, j] + 1 < best:
                best = costs[i + 1, j] + 1
                operation = INSERTION
            if costs[i, j + 1] + 1 < best:
                best = costs[i, j + 1] + 1
                operation = DELETION
            costs[i + 1, j + 1] = best
            operations[i + 1, j + 1] = operation
    return trace_back(operations)


@compiled
def transposition(
    tokens: Int32, costs: NDArray[np.float64], surplus: Int32, i: int, j: int, n_source: int
) -> int:
    """Return the smallest k such that the k + 1 tokens up to i and j are permutations, else 0.

    `surplus` is scratch: how much more often a token occurs in the source than in the target; all
    zeros before and after the call.
    """
    unbalanced = 0
    size = 0
    k = 0
    while i - k >= 0 and j - k >= 0:
        if k > 0 and costs[i - k + 1, j - k + 1] == costs[i - k, j - k]:
            break
        word = tokens[LOWER, i - k]
        unbalanced += 1 if surplus[word] >= 0 else -1
        surplus[word] += 1
        word = tokens[LOWER, n_source + j - k]
        unbalanced += 1 if surplus[word] <= 0 else -1
        surplus[word] -= 1
        if k > 0 and unbalanced == 0:
            size = k
            break
        k += 1
    for back in range(k + 1):
        if i - back >= 0 and j - back >= 0:
            surplus[tokens[LOWER, i - back]] = 0
            surplus[tokens[LOWER, n_source + j - back]] = 0
    return size


@compiled
def trace_back(operations: Int32) -> Int32:
    """Return the steps from the table's first to its last cell, as `align` says."""
    i = operations.shape[0] - 1
    j = operations.shape[1] - 1
    steps = np.empty((i + j, 5), dtype=np.int32)
    first = i + j
    while i + j > 0:
        operation = operations[i, j]
        before_i, before_j = i, j
        if operation == DELETION:
            before_i -= 1
        elif operation == INSERTION:
            before_j -= 1
        elif operation < TRANSPOSITION:
            before_i -= 1
            before_j -= 1
        else:
            before_i -= operation - TRANSPOSITION + 1
            before_j -= operation - TRANSPOSITION + 1
            operation = TRANSPOSITION
        first -= 1
        steps[first, 0] = operation
        steps[first, 1] = before_i
        steps[first, 2] = i
        steps[first, 3] = before_j
        steps[first, 4] = j
        i, j = before_i, before_j
    return steps[first:].copy()
