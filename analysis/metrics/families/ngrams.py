"""Count n-grams of many texts at once, as entries and as bit sets.

Clipped counts are sizes of intersections. If an n-gram occurs at most m times in any text of a
scope, it gets m bits. A text that contains it k times sets the first k of them. Then min(count in
a, count in b) is the number of bits that a and b share, and the maximum is the size of their union.
BLEU and GLEU therefore need only `and` and population counts over machine words.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.slices import IndexArray, exclusive_sum

MAX_ORDER = 4
WORD_BITS = 64
KEY_BITS = 63
MAX_PADDING = 4

BITS = np.left_shift(np.uint64(1), np.arange(WORD_BITS, dtype=np.uint64))

BitTable = NDArray[np.uint64]  # (words, rows): word-major, so that kernels run along the rows


@dataclass(frozen=True)
class NgramCounts:
    """All n-grams of one order in a slice, with one entry per n-gram and text that contains it.

    `rows`, `grams` and `counts` have one value per entry, sorted by n-gram. `gram_scopes` and
    `multiplicities` (the largest count in any text) have one value per n-gram, sorted by scope.
    """

    texts: int
    rows: IndexArray
    grams: IndexArray
    counts: IndexArray
    gram_scopes: IndexArray
    multiplicities: IndexArray


def count_ngrams(
    texts: Sequence[str],
    scopes: IndexArray,
    tokenise: Callable[[str], list[str]],
    matched_rows: IndexArray | None = None,
) -> tuple[IndexArray, list[NgramCounts]]:
    """Return the number of tokens of each text, and the counts of n-grams for n = 1 to 4.

    `scopes` must ascend. Equal n-grams in different scopes are different n-grams. If only matches
    with some texts matter, `matched_rows` names these texts, and n-grams that begin with an n-gram
    absent from them are skipped.
    """
    token_lists = [tokenise(text) for text in texts]
    lengths = np.fromiter(map(len, token_lists), np.intp, len(texts))
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    tokens = np.fromiter(
        map(numbers.__getitem__, chain.from_iterable(token_lists)), np.intp, lengths.sum()
    )
    if 2 * len(tokens).bit_length() + len(numbers).bit_length() > KEY_BITS:
        raise ValueError(
            f"a request and its references have {len(tokens)} tokens together, too many for n-gram "
            "keys of 63 bits; expected at most about two million; shorten the texts"
        )

    rows = np.repeat(np.arange(len(texts)), lengths)
    starts = np.arange(len(tokens))
    remaining = np.repeat(np.cumsum(lengths), lengths) - starts
    prefixes = scopes[rows]
    orders = []
    for order in range(1, MAX_ORDER + 1):
        keys = prefixes * len(numbers) + tokens[starts + (order - 1)]
        counts, grams = _count(keys, rows, len(texts), scopes)
        orders.append(counts)
        goes_on = remaining > order
        if matched_rows is not None:
            goes_on &= is_in(counts, matched_rows)[grams]
        longer = np.flatnonzero(goes_on)
        starts, rows, prefixes = starts[longer], rows[longer], grams[longer]
        remaining = remaining[longer]
    return lengths, orders


def is_in(counts: NgramCounts, rows: IndexArray) -> NDArray[np.bool_]:
    """Return for each n-gram whether one of these texts contains it."""
    is_row = np.zeros(counts.texts, np.bool_)
    is_row[rows] = True
    is_in = np.zeros(len(counts.gram_scopes), np.bool_)
    is_in[counts.grams[is_row[counts.rows]]] = True
    return is_in


def _count(
    keys: IndexArray, rows: IndexArray, texts: int, scopes: IndexArray
) -> tuple[NgramCounts, IndexArray]:
    """Return the counts, and the n-gram's number at each position, from a key per position."""
    if not len(keys):
        none = np.empty(0, np.intp)
        return NgramCounts(texts, none, none, none, none, none), none
    # Key and position in one number: sorting such values is several times faster than argsort.
    shift = len(keys).bit_length()
    ordered = _sorted((keys << shift) | np.arange(len(keys)), scopes[rows])
    positions = ordered & ((1 << shift) - 1)
    ordered >>= shift
    rows = rows[positions]
    is_new_gram = np.ones(len(keys), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new_gram[1:])
    is_new_entry = is_new_gram.copy()
    is_new_entry[1:] |= rows[1:] != rows[:-1]
    grams = np.cumsum(is_new_gram) - 1
    grams_by_position = np.empty(len(keys), np.intp)
    grams_by_position[positions] = grams

    entry_starts = np.flatnonzero(is_new_entry)
    counts = _gaps(entry_starts, len(keys))
    gram_starts = np.flatnonzero(is_new_gram[entry_starts])
    entry_rows = rows[entry_starts]
    return (
        NgramCounts(
            texts=texts,
            rows=entry_rows,
            grams=grams[entry_starts],
            counts=counts,
            gram_scopes=scopes[entry_rows[gram_starts]],
            multiplicities=np.maximum.reduceat(counts, gram_starts),
        ),
        grams_by_position,
    )


def _gaps(starts: IndexArray, end: int) -> IndexArray:
    """Return the distance from each start to the next one, and from the last one to the end."""
    gaps = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=gaps[:-1])
    gaps[-1] = end - starts[-1]
    return gaps


def _sorted(values: IndexArray, scopes: IndexArray) -> IndexArray:
    """Return the sorted values, given that values and scopes ascend together."""
    sizes = np.bincount(scopes)
    widest = int(sizes.max())
    if len(sizes) * widest > MAX_PADDING * len(values):
        return np.sort(values)
    # Many short rows sort several times faster than one long array.
    is_value = np.arange(widest) < sizes[:, np.newaxis]
    padded = np.full(is_value.shape, np.iinfo(np.intp).max)
    padded[is_value] = values
    padded.sort(axis=1)
    return padded[is_value]


def columns_within_scope(widths: IndexArray, gram_scopes: IndexArray) -> tuple[IndexArray, int]:
    """Return each n-gram's first column, from 0 in each scope, and the widest scope's width."""
    if not len(widths):
        return np.empty(0, np.intp), 0
    columns = exclusive_sum(widths)
    first_grams = np.flatnonzero(np.diff(gram_scopes, prepend=-1))
    scope_sizes = _gaps(first_grams, len(widths))
    columns = columns - np.repeat(columns[first_grams], scope_sizes)
    return columns, int((columns + widths).max())


def set_bits(rows: IndexArray, columns: IndexArray, height: int, width: int) -> BitTable:
    """Return a table of `height` rows with the bits (row, column) set, each given once."""
    words = max(1, -(-width // WORD_BITS))
    table = np.zeros(words * height, np.uint64)
    bits = BITS[columns & (WORD_BITS - 1)]
    # Every bit is set only once, so adding equals `or`, and adding is faster.
    np.add.at(table, (columns // WORD_BITS) * height + rows, bits)
    return table.reshape(words, height)


def count_bits(counts: NgramCounts) -> tuple[BitTable, BitTable]:
    """Return the table in which shared bits are clipped counts, and the table of presence.

    In the first table a text sets one bit per occurrence of an n-gram. In the second it sets all
    bits of each n-gram that occurs in it.
    """
    columns, width = columns_within_scope(counts.multiplicities, counts.gram_scopes)
    first = columns[counts.grams]
    table = set_bits(counts.rows, first, counts.texts, width)
    several = np.flatnonzero(counts.multiplicities[counts.grams] > 1)
    rows, first, occurrences = counts.rows[several], first[several], counts.counts[several]
    multiplicities = counts.multiplicities[counts.grams[several]]
    table |= set_bits(*_spread(rows, first + 1, occurrences - 1), counts.texts, width)
    missing = _spread(rows, first + occurrences, multiplicities - occurrences)
    return table, table | set_bits(*missing, counts.texts, width)


def _spread(
    rows: IndexArray, columns: IndexArray, repetitions: IndexArray
) -> tuple[IndexArray, IndexArray]:
    """Repeat each entry as often as requested, on ascending columns from its first column."""
    level = np.arange(repetitions.sum()) - np.repeat(exclusive_sum(repetitions), repetitions)
    return np.repeat(rows, repetitions), np.repeat(columns, repetitions) + level
