"""ERRANT's linguistic alignment of two token lists.

Felice, Bryant and Briscoe 2016: Damerau-Levenshtein over tokens. Insertion and deletion cost 1. A
substitution costs 0 if only the case differs, else the sum of

    lemma        0 if equal, else .499
    part of speech   0 if equal, .25 if both are open classes, else .5
    characters   Indel distance / (length + length)

A transposition of k + 1 tokens, which are permutations of each other ignoring case, costs k. It is
possible only if no token pair on the way back along the diagonal has cost 0. Ties of cost are
broken in the order transposition, substitution, insertion, deletion. Every sum is added in ERRANT's
order, so that floating-point ties have the same result as in ERRANT.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from maege.analysis.extraction.tokens import Sentence

DELETION, INSERTION, SUBSTITUTION, MATCH, TRANSPOSITION = range(5)

_OPEN = frozenset({"ADJ", "ADV", "NOUN", "VERB"})


class Step(NamedTuple):
    """One alignment operation, with its token spans in source and target."""

    operation: int
    start: int
    end: int
    other_start: int
    other_end: int


def align(source: Sentence, target: Sentence) -> list[Step]:
    """Return the steps of the alignment with the lowest cost, up to the equal tokens at the end."""
    words, lowers, lemmas, classes = (
        source.words,
        source.lowers,
        source.parse.lemma,
        source.parse.pos,
    )
    others, other_lowers = target.words, target.lowers
    other_lemmas, other_classes = target.parse.lemma, target.parse.pos
    n, m = len(words), len(others)
    # Equal tokens are aligned, regardless of the tokens before them.
    while n and m and words[n - 1] == others[m - 1]:
        n, m = n - 1, m - 1
    # Tokens that the other text contains only later take part in no transposition.
    first_in_source = {lower: i for i, lower in reversed([*enumerate(lowers[:n])])}
    first_in_target = {lower: j for j, lower in reversed([*enumerate(other_lowers[:m])])}
    partners = [first_in_source.get(lower, n) for lower in other_lowers[:m]]

    columns = [*zip(others[:m], other_lowers, other_lemmas, other_classes, partners, strict=False)]
    costs = [[float(j) for j in range(m + 1)]]
    # From TRANSPOSITION on, the operation's code is TRANSPOSITION + k.
    operations = [[INSERTION] * (m + 1)]
    for i in range(n):
        word, lower, lemma, word_class = words[i], lowers[i], lemmas[i], classes[i]
        is_open = word_class in _OPEN
        first_partner = first_in_target.get(lower, m)
        above = costs[i]
        best = i + 1.0
        row, row_operations = [best], [DELETION]
        for j, (other, other_lower, other_lemma, other_class, partner) in enumerate(columns):
            diagonal = above[j]
            if word == other:
                best, operation = diagonal, MATCH
            else:
                if best <= above[j + 1]:
                    best, operation = best + 1, INSERTION
                else:
                    best, operation = above[j + 1] + 1, DELETION
                if diagonal <= best:
                    substitution = 0.0
                    if lower != other_lower:
                        if lemma != other_lemma:
                            substitution = 0.499
                        if word_class != other_class:
                            substitution += 0.25 if is_open and other_class in _OPEN else 0.5
                        # Skip the characters if the substitution is too expensive without them.
                        if diagonal + substitution <= best:
                            substitution += Indel.normalized_distance(word, other)
                    if diagonal + substitution <= best:
                        best, operation = diagonal + substitution, SUBSTITUTION
                if (
                    first_partner <= j
                    and partner <= i
                    and i
                    and j
                    and diagonal != costs[i - 1][j - 1]
                ):
                    size = _transposition(lowers, other_lowers, costs, i, j)
                    if size and costs[i - size][j - size] + size <= best:
                        best, operation = costs[i - size][j - size] + size, TRANSPOSITION + size
            row.append(best)
            row_operations.append(operation)
        costs.append(row)
        operations.append(row_operations)
    return _trace_back(operations)


def _transposition(
    lowers: Sequence[str],
    other_lowers: Sequence[str],
    costs: Sequence[Sequence[float]],
    i: int,
    j: int,
) -> int:
    """Return the smallest k such that the k + 1 tokens up to i and j are permutations, else 0."""
    # How much more often a token occurs in the source than in the target.
    surplus: dict[str, int] = {}
    for k in range(min(i, j) + 1):
        # The costs of row i + 1 are still unknown.
        if k and costs[i - k + 1][j - k + 1] == costs[i - k][j - k]:
            return 0
        for lower, more in ((lowers[i - k], 1), (other_lowers[j - k], -1)):
            surplus[lower] = surplus.get(lower, 0) + more
            if not surplus[lower]:
                del surplus[lower]
        if k and not surplus:
            return k
    return 0


def _trace_back(operations: Sequence[Sequence[int]]) -> list[Step]:
    """Return the steps from the first cell of the table to the last."""
    i, j = len(operations) - 1, len(operations[0]) - 1
    steps = []
    while i or j:
        operation = operations[i][j]
        size = max(1, operation - TRANSPOSITION + 1)
        before = i if operation == INSERTION else i - size
        other_before = j if operation == DELETION else j - size
        steps.append(Step(min(operation, TRANSPOSITION), before, i, other_before, j))
        i, j = before, other_before
    return steps[::-1]
