"""SARI: how well n-grams are kept, deleted and added between source and hypothesis.

Xu et al. 2016, "Optimizing Statistical Machine Translation for Text Simplification", as their
program computes it, for n = 1 to 4 over lower-cased text split at every single space:

    SARI = (keep + delete + add) / 3, each the mean over n
    keep   = F1 of precision and recall of the n-grams that hypothesis and source share
    delete = precision of the source n-grams that the hypothesis omits
    add    = F1 of precision and recall of the n-grams that the source lacks

With R references, counts s and c of an n-gram in source and hypothesis are multiplied by R, and r
is its count in all references together. Keep and delete average a ratio of counts over distinct
n-grams. Add counts only distinct n-grams. An operation without n-grams of an order scores 0, so
identical texts score 1/3. MAX-SARI (Choshen and Abend 2018) is the best SARI over single
references.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import Family, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.families.ngrams import (
    MAX_ORDER,
    BitTable,
    NgramCounts,
    columns_within_scope,
    count_ngrams,
    set_bits,
)
from maege.analysis.metrics.families.slices import IndexArray
from maege.analysis.metrics.scores.f_score import f_of_shares
from maege.analysis.metrics.scores.formula import Named, Number
from maege.analysis.metrics.scores.score import FamilyScore

STATISTICS = ("keep", "delete", "add")

# Ratios are summed as whole multiples of 2**-45: the sum is then the same in any order, and a
# score never depends on which requests were computed together. The error is below 1e-14.
UNIT = float(1 << 45)

Ratios = NDArray[np.int64]


class Sari(StatisticsFamily):
    """The three parts of SARI against all references jointly."""

    name = "sari"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "single_space"), ("case", "lower"))
    reads_source = True
    reads_references = True
    per_reference = False
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        multiplicities = np.zeros(len(piece.texts), np.intp)
        np.add.at(multiplicities, piece.references, 1)
        return _sari(
            piece,
            sets=_ReferenceSets(piece.scopes, multiplicities, piece.reference_counts),
            requests=np.arange(len(piece.hypotheses)),
            request_sets=piece.request_scopes,
        )


class SariSingle(StatisticsFamily):
    """The three parts of SARI against each reference separately."""

    name = "sari_single"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "single_space"), ("case", "lower"))
    reads_source = True
    reads_references = True
    per_reference = True
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        requests, references = piece.comparisons()
        rows = np.arange(len(piece.texts))
        is_reference = np.zeros_like(rows)
        is_reference[piece.references] = 1
        return _sari(
            piece,
            sets=_ReferenceSets(rows, is_reference, np.ones_like(rows)),
            requests=requests,
            request_sets=piece.references[references],
        )


class SariScore(FamilyScore):
    """The mean of keep, delete and add, in 0..1."""

    family: ClassVar[Family] = Sari()

    def sentence_score(self, of: Named) -> Number:
        """Return the mean of the three parts."""
        return (of["keep"] + of["delete"] + of["add"]) / 3


class MaxSariScore(SariScore):
    """The largest SARI with a single reference."""

    family = SariSingle()


@dataclass(frozen=True)
class _ReferenceSets:
    """The texts that form each set of references.

    `of_row` and `times` hold each text's set and the number of times that it is listed in the set;
    `sizes` holds the number of references of each set.
    """

    of_row: IndexArray
    times: IndexArray
    sizes: IndexArray


@dataclass(frozen=True)
class _Sums:
    """Terms of the three parts of SARI, one value per comparison, summed over n-grams."""

    kept: IndexArray
    keepable: IndexArray
    kept_well: Ratios
    kept_of_keepable: Ratios
    deleted: IndexArray
    deleted_well: Ratios
    added: IndexArray
    addable: IndexArray
    added_well: IndexArray

    @classmethod
    def zeros(cls, length: int) -> "_Sums":
        return cls(*(np.zeros(length, np.int64) for _ in cls.__dataclass_fields__))


def _sari(
    piece: Slice, sets: _ReferenceSets, requests: IndexArray, request_sets: IndexArray
) -> FloatArray:
    """Return keep, delete and add for each comparison of a request with a set of references."""
    _, orders = count_ngrams([t.lower() for t in piece.texts], piece.scopes, _tokenise)
    hypotheses, sources = piece.hypotheses[requests], piece.sources[requests]
    result = np.zeros((len(STATISTICS), len(requests)))
    for counts in orders:
        sums = _Sums.zeros(len(requests))
        # Nearly all n-grams occur at most once in a text. These are counted with bits.
        _add_single(sums, counts, sets, hypotheses, sources, request_sets)
        _add_repeated(sums, counts, sets, hypotheses, sources, request_sets)
        result[0] += f_of_shares(
            _ratio(sums.kept_well / UNIT, sums.kept),
            _ratio(sums.kept_of_keepable / UNIT, sums.keepable),
            beta=1,
        )
        result[1] += _ratio(sums.deleted_well / UNIT, sums.deleted)
        result[2] += f_of_shares(
            _ratio(sums.added_well, sums.added), _ratio(sums.added_well, sums.addable), beta=1
        )
    return (result / MAX_ORDER).T


def _tokenise(text: str) -> list[str]:
    return text.split(" ")


def _ratio(numerator: NDArray[np.float64 | np.int64], denominator: IndexArray) -> FloatArray:
    """Return the quotient, or 0 if the denominator is 0."""
    quotient: FloatArray = numerator / np.maximum(denominator, 1)
    return quotient


def _add_single(
    sums: _Sums,
    counts: NgramCounts,
    sets: _ReferenceSets,
    hypotheses: IndexArray,
    sources: IndexArray,
    request_sets: IndexArray,
) -> None:
    """Add the n-grams that occur at most once in every text of their scope."""
    single = counts.multiplicities == 1
    columns, width = columns_within_scope(single.astype(np.intp), counts.gram_scopes)
    entries = single[counts.grams]
    rows, entry_columns = counts.rows[entries], columns[counts.grams[entries]]
    table = set_bits(rows, entry_columns, counts.texts, width)
    levels = _level_bits(rows, entry_columns, sets, width)
    sizes = sets.sizes[request_sets]
    for word, bits in enumerate(table):
        hypothesis, source = bits[hypotheses], bits[sources]
        kept, deleted, added = source & hypothesis, source & ~hypothesis, hypothesis & ~source
        deletions = np.bitwise_count(deleted)
        sums.kept[:] += np.bitwise_count(kept)
        sums.deleted[:] += deletions
        sums.added[:] += np.bitwise_count(added)
        sums.deleted_well[:] += deletions * fixed_ratios(1.0)
        for level, level_table in enumerate(levels, start=1):
            reference = level_table[word][request_sets]
            # Each additional reference with the n-gram adds 1 / R if it is kept, and subtracts 1 /
            # R if it is deleted.
            step = fixed_ratios(level / sizes) - fixed_ratios((level - 1) / sizes)
            loss = fixed_ratios((sizes - level) / sizes) - fixed_ratios((sizes - level + 1) / sizes)
            kept_here = np.bitwise_count(kept & reference)
            sums.kept_well[:] += kept_here * step
            sums.deleted_well[:] += np.bitwise_count(deleted & reference) * loss
            if level == 1:
                sums.kept_of_keepable[:] += kept_here * fixed_ratios(1.0)
                sums.keepable[:] += np.bitwise_count(source & reference)
                sums.addable[:] += np.bitwise_count(reference & ~source)
                sums.added_well[:] += np.bitwise_count(added & reference)


def _level_bits(
    rows: IndexArray, columns: IndexArray, sets: _ReferenceSets, width: int
) -> list[BitTable]:
    """Return for k = 1, 2, ... the n-grams in at least k references of a set."""
    used = sets.times[rows] > 0
    keys, inverse = np.unique(
        sets.of_row[rows[used]] * max(width, 1) + columns[used], return_inverse=True
    )
    times = np.bincount(inverse, weights=sets.times[rows[used]])
    cells, cell_columns = np.divmod(keys, max(width, 1))
    height = len(sets.sizes)
    levels = range(1, int(times.max(initial=1)) + 1)
    return [
        set_bits(cells[times >= level], cell_columns[times >= level], height, width)
        for level in levels
    ]


def _add_repeated(
    sums: _Sums,
    counts: NgramCounts,
    sets: _ReferenceSets,
    hypotheses: IndexArray,
    sources: IndexArray,
    request_sets: IndexArray,
) -> None:
    """Add the n-grams that occur more than once in some text of their scope."""
    repeated = counts.multiplicities > 1
    columns, width = columns_within_scope(repeated.astype(np.intp), counts.gram_scopes)
    entries = repeated[counts.grams]
    rows, entry_columns = counts.rows[entries], columns[counts.grams[entries]]
    table = np.zeros((width, counts.texts), np.int32)
    table[entry_columns, rows] = counts.counts[entries]
    height = len(sets.sizes)
    totals = np.bincount(
        entry_columns * height + sets.of_row[rows],
        weights=counts.counts[entries] * sets.times[rows],
        minlength=width * height,
    ).astype(np.int64)
    sizes = sets.sizes[request_sets]
    for column in range(width):
        source = table[column][sources] * sizes
        hypothesis = table[column][hypotheses] * sizes
        reference = totals[column * height + request_sets]
        keep = np.minimum(source, hypothesis)
        keepable = np.minimum(source, reference)
        kept_well = np.minimum(keep, reference)
        deleted = source - keep
        added = (source == 0) & (hypothesis > 0)
        sums.kept[:] += keep > 0
        sums.keepable[:] += keepable > 0
        sums.kept_well[:] += fixed_ratios(_ratio(kept_well, keep))
        sums.kept_of_keepable[:] += fixed_ratios(_ratio(kept_well, keepable))
        sums.deleted[:] += deleted > 0
        sums.deleted_well[:] += fixed_ratios(_ratio(np.maximum(deleted - reference, 0), deleted))
        sums.added[:] += added
        sums.addable[:] += (source == 0) & (reference > 0)
        sums.added_well[:] += added & (reference > 0)


def fixed_ratios(ratio: FloatArray | float) -> Ratios:
    """Return the ratio as a whole number of units."""
    fixed: Ratios = np.rint(np.multiply(ratio, UNIT)).astype(np.int64)
    return fixed
