"""The best mixture of corrections for a hypothesis, without trying every combination.

A token that no correction touches and that the hypothesis keeps stands in a column of its own in
every reference, unless one of its doubles nearby takes its place: what lies before and after it is
aligned independently. The sentence falls into parts, and the counts of a mixture are the sums of
its parts' counts. Weighted accuracy is a ratio
of such sums, so that the best choice is a fractional programme (Dinkelbach 1967): with the best
ratio so far, N / D, each part on its own takes the counts with the largest D * numerator -
N * denominator, until the ratio does not rise. All mixtures with the best ratio are those of parts
with the largest value, so that the measures that decide ties follow one after the other in the same
way. All that is in whole numbers, and exact.

A part with too many combinations is cut at every kept token, doubles or not, and the result is
flagged: nobody has looked whether some whole reference would be aligned otherwise. (On 4,290 pairs
of CoNLL-2014 with ten annotators, where all references could be tried, none was.)
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from analysis.metrics.imeasure.alignment import (
    BASE_CORRECTION,
    BASE_DETECTION,
    CORRECTION,
    COUNTS,
    DETECTION,
    FN,
    FP,
    FPN,
    TN,
    TP,
)
from analysis.metrics.imeasure.combinations import Ints, Options, different_counts, partners
from analysis.metrics.imeasure.gold import GoldError, Option, Tokens

# Some tenths of a second for a part.
MOST_COMBINATIONS = 10_000

Counts = tuple[int, ...]
# Numerator and denominator of a measure, whole numbers that add up over parts.
Ratio = Callable[[Counts], tuple[int, int]]


class Part(NamedTuple):
    """A stretch of source and of hypothesis, and the errors in it."""

    start: int
    end: int
    hypothesis: Tokens
    errors: tuple[GoldError, ...]


class Outcomes(NamedTuple):
    """The different counts that a part's combinations have, in the order of combinations."""

    counts: tuple[Counts, ...]
    exact: bool


def mixture_counts(
    source: Tokens,
    hypothesis: Tokens,
    errors: Sequence[GoldError],
    weight: int,
    known: dict[tuple[int, int, Tokens], Outcomes],
) -> tuple[Counts, bool]:
    """Return the counts of the best mixture, and whether they are exact.

    `known` keeps the outcomes of parts, which the hypotheses of one source and gold share.
    """
    parts, exact = split(source, hypothesis, errors)
    choices = []
    kept = len(source)
    for part in parts:
        key = part[:3]
        if key not in known:
            known[key] = part_outcomes(source, part, weight)
        choices.append(known[key].counts)
        exact = exact and known[key].exact
        kept -= part.end - part.start
    return best_sum([(_unchanged(kept),), *choices], weight), exact


def reference_counts(
    source: Tokens,
    hypothesis: Tokens,
    errors: Sequence[GoldError],
    references: Sequence[Option],
    known: dict[tuple[int, int, Tokens, Option], tuple[Counts, bool]],
) -> tuple[list[Counts], bool]:
    """Return the counts beside each reference, and whether they are exact.

    `references` are the replacements that lead to them, all of them among those of the errors.
    `known` keeps the counts of parts.
    """
    parts, _ = split(source, hypothesis, errors, most_combinations=None)
    kept = len(source) - sum(part.end - part.start for part in parts)
    sums = []
    exact = True
    for reference in references:
        counts = _unchanged(kept)
        for part in parts:
            inside = tuple(made for made in reference if part.start <= made.start <= part.end)
            key = (*part[:3], inside)
            if key not in known:
                whole = part._replace(errors=(GoldError(part.start, part.end, (inside,)),))
                (only,), complete = part_outcomes(source, whole, 1)
                known[key] = only, complete
            found, complete = known[key]
            counts = tuple(map(sum, zip(counts, found, strict=True)))
            exact = exact and complete
        sums.append(counts)
    return sums, exact


def split(
    source: Tokens,
    hypothesis: Tokens,
    errors: Sequence[GoldError],
    most_combinations: int | None = MOST_COMBINATIONS,
) -> tuple[list[Part], bool]:
    """Return the parts of a sentence, and whether only firm tokens separate them.

    A part with more than `most_combinations` is cut at other kept tokens as well.
    """
    kept = kept_tokens(source, hypothesis)
    for error in errors:
        kept[error.start : error.end] = [-1] * (error.end - error.start)
    partner = firm_tokens(source, hypothesis, errors, kept)
    parts = _parts(source, hypothesis, errors, partner)
    too_large = [
        part
        for part in parts
        if most_combinations is not None and _combinations(part) > most_combinations
    ]
    if not too_large:
        return parts, True
    for part in too_large:
        partner[part.start : part.end] = kept[part.start : part.end]
    return _parts(source, hypothesis, errors, partner), False


def _combinations(part: Part) -> int:
    return prod(len(error.options) for error in part.errors)


def _parts(
    source: Tokens, hypothesis: Tokens, errors: Sequence[GoldError], partner: Sequence[int]
) -> list[Part]:
    """Return what stands between the tokens that have a partner; errors in order of their place."""
    edges = [-1, *(i for i, j in enumerate(partner) if j >= 0), len(source)]
    parts = []
    number = 0
    for left, right in pairwise(edges):
        start, end = left + 1, right
        before = partner[left] + 1 if left >= 0 else 0
        after = partner[right] if right < len(source) else len(hypothesis)
        inside = number
        while inside < len(errors) and errors[inside].start <= end:
            inside += 1
        part = Part(start, end, hypothesis[before:after], tuple(errors[number:inside]))
        number = inside
        if start < end or part.hypothesis or part.errors:
            parts.append(part)
    return parts


def firm_tokens(
    source: Tokens, hypothesis: Tokens, errors: Sequence[GoldError], partner: Sequence[int]
) -> list[int]:
    """Return the partners of firm tokens, -1 for all others.

    `partner` says where the hypothesis has the tokens that it keeps and no error spans. A run of
    them is firm if one of its tokens occurs once in it and not beside it, up to the next runs on
    either side, in source, hypothesis or corrections: else it could be aligned with its double.
    """
    insertions = {place for error in errors for place in (error.start, error.end)}
    runs = _runs(partner, insertions)
    # What stands between a run and the one before it, and after the last.
    beside: list[set[str]] = []
    for left, right in pairwise([(0, 0), *runs, (len(source), len(source))]):
        first = partner[left[1] - 1] + 1 if left[1] > left[0] else 0
        last = partner[right[0]] if right[0] < right[1] else len(hypothesis)
        beside.append({*source[left[1] : right[0]], *hypothesis[first:last]})
    ends = [end for _, end in runs]
    for error in errors:
        gap = bisect_right(ends, error.start)
        for option in error.options:
            for made in option:
                beside[gap].update(made.tokens)
    firm = [-1] * len(source)
    for number, (start, end) in enumerate(runs):
        inside = Counter(source[start:end])
        near = beside[number] | beside[number + 1]
        if any(count == 1 and token not in near for token, count in inside.items()):
            firm[start:end] = partner[start:end]
    return firm


def _runs(partner: Sequence[int], insertions: set[int]) -> list[tuple[int, int]]:
    """Return start and end of each run of tokens that follow each other in both texts."""
    runs: list[tuple[int, int]] = []
    for i, j in enumerate(partner):
        if j < 0:
            continue
        if runs and runs[-1][1] == i and partner[i - 1] == j - 1 and i not in insertions:
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    return runs


def kept_tokens(source: Tokens, hypothesis: Tokens) -> list[int]:
    """Return for each token of the source where the hypothesis has it, -1 where it is not kept.

    By a cheapest alignment of the two (a gap costs 2, another token 3).
    """
    encoded = _encoder()
    kept: list[int] = partners(encoded(source), encoded(hypothesis)).tolist()
    return kept


def part_outcomes(source: Tokens, part: Part, weight: int) -> Outcomes:
    """Return the different counts of a part's combinations.

    Of more than MOST_COMBINATIONS, those that are left when each error in turn takes the option
    that is best beside the others' (not exact).
    """
    encoded = _encoder()
    text = encoded(source[part.start : part.end])
    hypothesis = encoded(part.hypothesis)
    is_sentence = part.end - part.start == len(source)

    def counted(options: Sequence[Sequence[Option]]) -> tuple[tuple[Counts, ...], bool]:
        flat = _flattened(options, part.start, encoded)
        counts, exact = different_counts(text, hypothesis, flat, is_sentence)
        return tuple(map(tuple, counts.tolist())), bool(exact)

    options = [error.options for error in part.errors]
    if prod(map(len, options)) <= MOST_COMBINATIONS:
        return Outcomes(*counted(options))
    chosen = [(each[0],) for each in options]
    for _ in range(2):
        for number, each in enumerate(options):
            by_option = {
                option: counted([*chosen[:number], (option,), *chosen[number + 1 :]])[0][0]
                for option in each
            }
            best = best_sum([tuple(by_option.values())], weight)
            chosen[number] = (next(o for o, counts in by_option.items() if counts == best),)
    return Outcomes(counted(chosen)[0], exact=False)


def best_sum(choices: Sequence[Sequence[Counts]], weight: int) -> Counts:
    """Return the sum of one choice from each sequence: the largest by the program's chain of ties.

    Weighted accuracy of corrections, then improvement on the source, then accuracy; then the same
    for detection; then the first.
    """
    left = [list(dict.fromkeys(options)) for options in choices]
    for aspect, base in ((CORRECTION, BASE_CORRECTION), (DETECTION, BASE_DETECTION)):
        left, (right, total) = _largest(left, _weighted_accuracy(aspect, weight))
        # Improvement falls as the source's own accuracy rises, except where it cannot matter: at 1
        # all is improved, at 0 all is lost unless the source has nothing right either.
        if right < total:
            fewer, (base_right, _) = _largest(left, _negative(_weighted_accuracy(base, weight)))
            if right > 0 or base_right == 0:
                left = fewer
        left, _ = _largest(left, _accuracy(aspect))
    return tuple(map(sum, zip(*(options[0] for options in left), strict=True)))


def _largest(
    choices: list[list[Counts]], ratio: Ratio
) -> tuple[list[list[Counts]], tuple[int, int]]:
    """Return all choices that give the largest ratio of sums, and that ratio."""
    pairs = [[ratio(counts) for counts in options] for options in choices]
    numerator = sum(options[0][0] for options in pairs)
    denominator = sum(options[0][1] for options in pairs)
    while True:
        values = [
            [above * denominator - below * numerator for above, below in options]
            for options in pairs
        ]
        best = [max(options) for options in values]
        if sum(best) <= 0:
            break
        picked = [
            options[part.index(most)]
            for options, part, most in zip(pairs, values, best, strict=True)
        ]
        numerator = sum(above for above, _ in picked)
        denominator = sum(below for _, below in picked)
    left = [
        [counts for counts, value in zip(options, part, strict=True) if value == most]
        for options, part, most in zip(choices, values, best, strict=True)
    ]
    return left, (numerator, denominator)


def _weighted_accuracy(aspect: int, weight: int) -> Ratio:
    def ratio(counts: Counts) -> tuple[int, int]:
        right = 2 * (weight * counts[aspect + TP] + counts[aspect + TN])
        wrong = 2 * (weight * counts[aspect + FP] + counts[aspect + FN])
        return right, right + wrong - (weight + 1) * counts[aspect + FPN]

    return ratio


def _accuracy(aspect: int) -> Ratio:
    def ratio(counts: Counts) -> tuple[int, int]:
        right = counts[aspect + TP] + counts[aspect + TN]
        return right, right + counts[aspect + FP] + counts[aspect + FN] - counts[aspect + FPN]

    return ratio


def _negative(ratio: Ratio) -> Ratio:
    def negative(counts: Counts) -> tuple[int, int]:
        above, below = ratio(counts)
        return -above, below

    return negative


def _unchanged(tokens: int) -> Counts:
    """Return the counts of tokens that stand in columns of their own."""
    counts = [0] * COUNTS
    for aspect in (CORRECTION, BASE_CORRECTION, DETECTION, BASE_DETECTION):
        counts[aspect + TN] = tokens
    return tuple(counts)


def _encoder() -> Callable[[Tokens], Ints]:
    numbers: dict[str, int] = {}

    def encoded(tokens: Tokens) -> Ints:
        return np.array([numbers.setdefault(token, len(numbers)) for token in tokens], np.int32)

    return encoded


def _flattened(
    options: Sequence[Sequence[Option]], start: int, encoded: Callable[[Tokens], Ints]
) -> Options:
    listed = [option for of_error in options for option in of_error]
    made = [replacement for option in listed for replacement in option]
    tokens = [encoded(replacement.tokens) for replacement in made]
    return Options(
        first_option=_starts([len(of_error) for of_error in options]),
        first_replacement=_starts([len(option) for option in listed]),
        start=np.array([replacement.start - start for replacement in made], np.int32),
        end=np.array([replacement.end - start for replacement in made], np.int32),
        first_token=_starts([len(each) for each in tokens]),
        tokens=np.concatenate([np.empty(0, np.int32), *tokens]),
    )


def _starts(sizes: Sequence[int]) -> Ints:
    return np.cumsum([0, *sizes]).astype(np.int32)
