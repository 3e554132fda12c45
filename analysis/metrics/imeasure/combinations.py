"""All combinations of the alternatives of a few errors, and what each counts, compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.metrics.compiled import compiled
from analysis.metrics.imeasure.alignment import COUNTS, GAP, MISMATCH, count_all

Ints = NDArray[np.int32]


class Options(NamedTuple):
    """The options of each error, the replacements of each option, the tokens of each replacement.

    Those of one begin at its entry of the `first_...` array and end before the next one's.
    """

    first_option: Ints
    first_replacement: Ints
    start: Ints
    end: Ints
    first_token: Ints
    tokens: Ints


@compiled
def partners(source: Ints, hypothesis: Ints) -> Ints:
    """Return for each token of the source the equal one that it is aligned with, -1 for none."""
    rows, columns = len(source) + 1, len(hypothesis) + 1
    cost = np.empty((rows, columns), np.int32)
    for i in range(rows):
        for j in range(columns):
            best = GAP * (i + j)
            if i > 0 and j > 0:
                other = 0 if source[i - 1] == hypothesis[j - 1] else MISMATCH
                best = min(cost[i - 1, j - 1] + other, cost[i - 1, j] + GAP, cost[i, j - 1] + GAP)
            cost[i, j] = best
    kept = np.full(len(source), -1, np.int32)
    i, j = rows - 1, columns - 1
    while i > 0 and j > 0:
        equal = source[i - 1] == hypothesis[j - 1]
        if cost[i, j] == cost[i - 1, j - 1] + (0 if equal else MISMATCH):
            i -= 1
            j -= 1
            if equal:
                kept[i] = j
        elif cost[i, j] == cost[i - 1, j] + GAP:
            i -= 1
        else:
            j -= 1
    return kept


@compiled
def different_counts(
    source: Ints, hypothesis: Ints, options: Options, is_sentence: bool
) -> tuple[Ints, bool]:
    """Return the different counts of all combinations, in their order, and whether all are exact.

    The last error's options change fastest. A replacement that starts before an earlier one has
    ended is left out; a whole sentence is not replaced by nothing.
    """
    errors = len(options.first_option) - 1
    most = len(options.start)
    choice = options.first_option[:-1].copy()
    reference = np.empty(len(source) + len(options.tokens), np.int32)
    made = np.empty(most, np.int32)
    found = np.empty((8, COUNTS), np.int32)
    different = 0
    exact = True
    while True:
        count = 0
        for error in range(errors):
            option = choice[error]
            for number in range(
                options.first_replacement[option], options.first_replacement[option + 1]
            ):
                place = count
                while place > 0 and (
                    options.start[made[place - 1]] > options.start[number]
                    or (
                        options.start[made[place - 1]] == options.start[number]
                        and options.end[made[place - 1]] > options.end[number]
                    )
                ):
                    made[place] = made[place - 1]
                    place -= 1
                made[place] = number
                count += 1
        length = 0
        position = 0
        for place in range(count):
            number = made[place]
            if options.start[number] < position:
                continue
            for token in range(position, options.start[number]):
                reference[length] = source[token]
                length += 1
            for token in range(options.first_token[number], options.first_token[number + 1]):
                reference[length] = options.tokens[token]
                length += 1
            position = options.end[number]
        for token in range(position, len(source)):
            reference[length] = source[token]
            length += 1
        counts = np.zeros(COUNTS, np.int32)
        text = reference[:length]
        if length == 0 and is_sentence:
            text = source
        if not count_all(source, hypothesis, text, counts):
            exact = False
        is_new = True
        for row in range(different):
            equal = True
            for column in range(COUNTS):
                if found[row, column] != counts[column]:
                    equal = False
                    break
            if equal:
                is_new = False
                break
        if is_new:
            if different == len(found):
                found = np.concatenate((found, np.empty((different, COUNTS), np.int32)))
            found[different] = counts
            different += 1
        error = errors - 1
        while error >= 0:
            choice[error] += 1
            if choice[error] < options.first_option[error + 1]:
                break
            choice[error] = options.first_option[error]
            error -= 1
        if error < 0:
            break
    return found[:different], exact
