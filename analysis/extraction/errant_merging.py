"""ERRANT's rules for merging adjacent steps of an alignment into edits, compiled.

Felice, Bryant and Briscoe 2016, with the rules of ERRANT 3. A run of insertions, deletions and
substitutions is searched for the widest, then the leftmost span to which a rule applies; the
remainders on both sides are searched again. Prefix sums over a run give the properties of each span
in constant time: a run of n steps takes at most n^3, whereas reading the tokens again takes n^5.
"""

import numpy as np

from maege.analysis.extraction.errant_alignment import (
    DELETION,
    INSERTION,
    MATCH,
    SUBSTITUTION,
    TRANSPOSITION,
    align,
    character_distance,
    scratch_row,
)
from maege.analysis.extraction.token_table import (
    FIRST_LETTER,
    FLAGS,
    IS_CAPITALISED,
    IS_CONTENT,
    IS_DETERMINER,
    IS_POSSESSIVE,
    IS_PUNCTUATION,
    IS_VERBAL,
    LOWER,
    POS,
    Int32,
)
from maege.analysis.metrics.compiled import compiled

# The actions for steps `first` to before `stop`.
_SEARCH, _MERGE, _KEEP = 0, 1, 2

# Above this similarity of characters, tokens at the ends of a pair of steps are separated.
_SIMILAR = 0.75


@compiled
def edit_spans(tokens: Int32, characters: Int32, letters: Int32, n_source: int) -> Int32:
    """Return the edits from source to target: rows of source start, end, target start, end.

    Args:
        tokens: of both texts (token_table.py).
        characters: characters of the tokens.
        letters: letters of the tokens.
        n_source: number of tokens of the source.

    """
    steps = align(tokens, characters, n_source)
    n_steps = steps.shape[0]
    spans = np.empty((n_steps, 4), dtype=np.int32)
    row = scratch_row(tokens)
    n_spans = 0
    first = 0
    while first < n_steps:
        if steps[first, 0] == MATCH:
            first += 1
            continue
        stop = first + 1
        if steps[first, 0] == TRANSPOSITION:
            n_spans = keep_steps(steps, first, stop, spans, n_spans)
        else:
            while stop < n_steps and steps[stop, 0] < MATCH:
                stop += 1
            n_spans = merge(
                steps[first:stop], tokens, characters, letters, n_source, row, spans, n_spans
            )
        first = stop
    return spans[:n_spans].copy()


@compiled
def keep_steps(steps: Int32, first: int, stop: int, spans: Int32, n_spans: int) -> int:
    """Write each of the steps as an edit, from row `n_spans` on; return the new count."""
    for step in range(first, stop):
        for column in range(4):
            spans[n_spans, column] = steps[step, column + 1]
        n_spans += 1
    return n_spans


@compiled
def merge(
    steps: Int32,
    tokens: Int32,
    characters: Int32,
    letters: Int32,
    n_source: int,
    row: Int32,
    spans: Int32,
    n_spans: int,
) -> int:
    """Write the edits of one run of steps to `spans` from row `n_spans` on; return the new count.

    `row` is scratch for `character_distance`; the others are as in `edit_spans`.
    """
    # Tasks in reverse order; each rule replaces one by at most three.
    tasks = np.empty((2 * steps.shape[0] + 3, 3), dtype=np.int32)
    tasks[0, 0], tasks[0, 1], tasks[0, 2] = _SEARCH, 0, steps.shape[0]
    n_tasks = 1
    plan = np.empty((3, 3), dtype=np.int32)
    while n_tasks > 0:
        n_tasks -= 1
        task, first, stop = tasks[n_tasks, 0], tasks[n_tasks, 1], tasks[n_tasks, 2]
        if first == stop:
            continue
        if task == _KEEP or stop - first == 1:
            n_spans = keep_steps(steps, first, stop, spans, n_spans)
        elif task == _MERGE:
            spans[n_spans, 0] = steps[first, 1]
            spans[n_spans, 1] = steps[stop - 1, 2]
            spans[n_spans, 2] = steps[first, 3]
            spans[n_spans, 3] = steps[stop - 1, 4]
            n_spans += 1
        else:
            search(steps, tokens, characters, letters, n_source, row, first, stop, plan)
            for part in range(2, -1, -1):
                for column in range(3):
                    tasks[n_tasks, column] = plan[part, column]
                n_tasks += 1
    return n_spans


@compiled
def set_plan(plan: Int32, middle: int, first: int, start: int, end: int, stop: int) -> None:
    """Search first to start, do `middle` with start to end, search end to stop."""
    plan[0, 0], plan[0, 1], plan[0, 2] = _SEARCH, first, start
    plan[1, 0], plan[1, 1], plan[1, 2] = middle, start, end
    plan[2, 0], plan[2, 1], plan[2, 2] = _SEARCH, end, stop


@compiled
def search(
    steps: Int32,
    tokens: Int32,
    characters: Int32,
    letters: Int32,
    n_source: int,
    row: Int32,
    first: int,
    stop: int,
    plan: Int32,
) -> None:
    """Write to `plan` the result of the first rule that applies to steps `first` to `stop` - 1."""
    n = stop - first
    substitutions = np.zeros(n + 1, dtype=np.int32)
    for step in range(n):
        is_substitution = steps[first + step, 0] == SUBSTITUTION
        substitutions[step + 1] = substitutions[step] + (1 if is_substitution else 0)
    one_operation = True
    for step in range(first + 1, stop):
        if steps[step, 0] != steps[first, 0]:
            one_operation = False
    if one_operation and steps[first, 0] != SUBSTITUTION:
        set_plan(plan, _MERGE, first, first, stop, stop)
        return
    # Prefix sums of the run's two sides: verbal tokens, content tokens, and changes of the part of
    # speech.
    source_sums = prefix_sums(tokens, steps[first, 1], steps[stop - 1, 2])
    target_sums = prefix_sums(tokens, n_source + steps[first, 3], n_source + steps[stop - 1, 4])
    source_base, target_base = steps[first, 1], n_source + steps[first, 3]
    has_content = False
    for width in range(n - 1, 0, -1):
        for start in range(n - width):
            end = start + width
            if substitutions[end + 1] == substitutions[start]:
                continue
            left, right = first + start, first + end
            o, o_stop = steps[left, 1], steps[right, 2]
            c, c_stop = n_source + steps[left, 3], n_source + steps[right, 4]
            o_last, c_last = o_stop - 1, c_stop - 1
            n_o, n_c = o_stop - o, c_stop - c
            # A possessive suffix at the beginning stays alone; elsewhere it joins the previous
            # token.
            if start == 0 and (tokens[FLAGS, o] | tokens[FLAGS, c]) & IS_POSSESSIVE:
                set_plan(plan, _KEEP, first, first, first + 1, stop)
                return
            if (tokens[FLAGS, o_last] | tokens[FLAGS, c_last]) & IS_POSSESSIVE:
                set_plan(plan, _MERGE, first, right - 1, right + 1, stop)
                return
            if tokens[LOWER, o_last] == tokens[LOWER, c_last]:
                # Cat -> The big cat
                if start == 0 and (
                    (n_o == 1 and tokens[FLAGS, c] & IS_CAPITALISED)
                    or (n_c == 1 and tokens[FLAGS, o] & IS_CAPITALISED)
                ):
                    set_plan(plan, _MERGE, first, left, right + 1, stop)
                    return
                # , we -> . We
                if (n_o > 1 and tokens[FLAGS, o_last - 1] & IS_PUNCTUATION) or (
                    n_c > 1 and tokens[FLAGS, c_last - 1] & IS_PUNCTUATION
                ):
                    set_plan(plan, _MERGE, first, right - 1, right + 1, stop)
                    return
            # sub - way -> subway
            if same_letters(tokens, letters, o, o_stop, c, c_stop):
                set_plan(plan, _MERGE, first, left, right + 1, stop)
                return
            o_from, o_to = o - source_base, o_stop - source_base
            c_from, c_to = c - target_base, c_stop - target_base
            # to eat -> eating, watch -> look at
            if n_o != n_c:
                # The change into a span's first token is before the span.
                one_class = (
                    source_sums[2, o_to] == source_sums[2, o_from + 1]
                    and target_sums[2, c_to] == target_sums[2, c_from + 1]
                    and tokens[POS, o] == tokens[POS, c]
                )
                all_verbal = (
                    source_sums[0, o_to] - source_sums[0, o_from] == n_o
                    and target_sums[0, c_to] - target_sums[0, c_from] == n_c
                )
                if one_class or all_verbal:
                    set_plan(plan, _MERGE, first, left, right + 1, stop)
                    return
            if width == 1:
                if n_o == 2 and n_c == 2:
                    set_plan(plan, _KEEP, first, right, right, stop)
                    return
                if (
                    steps[left, 0] == SUBSTITUTION
                    and 1 - character_distance(tokens, characters, o, c, row) > _SIMILAR
                ) or (
                    steps[right, 0] == SUBSTITUTION
                    and 1 - character_distance(tokens, characters, o_last, c_last, row) > _SIMILAR
                ):
                    set_plan(plan, _KEEP, first, right, right, stop)
                    return
                if right == stop - 1 and (
                    (steps[right, 0] != INSERTION and tokens[FLAGS, o_last] & IS_DETERMINER)
                    or (steps[right, 0] != DELETION and tokens[FLAGS, c_last] & IS_DETERMINER)
                ):
                    set_plan(plan, _KEEP, first, right, stop, stop)
                    return
            if (
                source_sums[1, o_to] > source_sums[1, o_from]
                or target_sums[1, c_to] > target_sums[1, c_from]
            ):
                has_content = True
    set_plan(plan, _MERGE if has_content else _KEEP, first, first, stop, stop)


@compiled
def prefix_sums(tokens: Int32, start: int, stop: int) -> Int32:
    """Return prefix sums of verbal tokens, content tokens and changes of the part of speech.

    Three rows, with one more column than there are tokens. The last row counts tokens whose part of
    speech differs from that of the previous token.
    """
    sums = np.zeros((3, stop - start + 1), dtype=np.int32)
    for token in range(start, stop):
        column = token - start
        for row in range(3):
            sums[row, column + 1] = sums[row, column]
        if tokens[FLAGS, token] & IS_VERBAL:
            sums[0, column + 1] += 1
        if tokens[FLAGS, token] & IS_CONTENT:
            sums[1, column + 1] += 1
        if column > 0 and tokens[POS, token] != tokens[POS, token - 1]:
            sums[2, column + 1] += 1
    return sums


@compiled
def same_letters(tokens: Int32, letters: Int32, o: int, o_stop: int, c: int, c_stop: int) -> bool:
    """Return whether two spans are equal except for case, spaces, apostrophes and hyphens."""
    start, stop = tokens[FIRST_LETTER, o], tokens[FIRST_LETTER, o_stop]
    other, other_stop = tokens[FIRST_LETTER, c], tokens[FIRST_LETTER, c_stop]
    if stop - start != other_stop - other:
        return False
    for offset in range(stop - start):  # noqa: SIM110 - numba compiles no generators
        if letters[start + offset] != letters[other + offset]:
            return False
    return True
