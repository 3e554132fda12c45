"""SARI: how well n-grams are kept, deleted and added between source and hypothesis.

Xu et al. 2016, "Optimizing Statistical Machine Translation for Text Simplification", as their
program computes it, for n = 1 to 4 over lower-cased text split at every single space:

    SARI = (keep + delete + add) / 3, each the mean over n
    keep   = F1 of precision and recall of the n-grams that hypothesis and source share
    delete = precision of the source n-grams that the hypothesis omits
    add    = F1 of precision and recall of the n-grams that the source lacks

With R references, counts s and c of an n-gram in source and hypothesis are multiplied by R, and r
is its count in all references together. Keep and delete average a ratio of counts over distinct
n-grams. Add counts only distinct n-grams. An operation without n-grams of an order scores 0.
MAX-SARI (Choshen and Abend 2018) is the best SARI over single references.

Two other programs compute metrics with this name. Both split texts with sacreBLEU's tokeniser
`13a`. `sari_easse` (Alva-Manchego et al. 2019, `corpus_sari`) sums over the corpus, for every
operation, the correct, made and possible n-grams. The score is the mean F1 over operations and
orders; 0 / 0 counts as 0.

    keep    made min(s, h);  correct min(s, h, r);       possible min(s, r)
    delete  made s - h;      correct min(s - h, s - r);  possible s - r

`sari_hf` (Hugging Face's `evaluate`) is SARI, except that the recall of keeping is a ratio of sums,
0 / 0 counts as 1, and a text without words counts as one empty word.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families import (
    MAX_ORDER,
    CountArray,
    Family,
    FloatArray,
    Slice,
    StatisticsFamily,
    count_ngrams,
    exclusive_sum,
    row_sums,
)
from maege.analysis.metrics.formula import Named, Number, f_of_shares, share, where
from maege.analysis.metrics.scores import FamilyScore, SummedFamilyScore

ORDERS = range(1, MAX_ORDER + 1)
STATISTICS = ("keep", "delete", "add")
COUNTS = ("right", "made", "wanted")

# Ratios are summed as whole multiples of 2**-45: the sum is then the same in any order, and a
# score never depends on which requests were computed together. The error is below 1e-14.
UNIT = float(1 << 45)

# Tokeniser 13a (NIST's mteval-v13a): replacements, then spaces around punctuation marks. A period
# or comma between two digits gets none, and a hyphen only after a digit.
_REPLACED = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)
_SEPARATED = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)

# Counts in sources, hypotheses and references: (comparisons, n-grams).
Counts = tuple[CountArray, CountArray, CountArray]


class Sari(StatisticsFamily):
    name = "sari"
    parameters = (("n", str(MAX_ORDER)), ("tok", "single_space"), ("case", "lower"))
    reads_source = True
    reads_references = True
    statistics: ClassVar[tuple[str, ...]] = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        return _mean_parts(_joint_counts(piece, _split), if_none=0)


class SariSingle(Sari):
    name = "sari_single"
    per_reference = True

    def _compute_slice(self, piece: Slice) -> FloatArray:
        requests, references = piece.comparisons()
        return _mean_parts(
            (
                (
                    counts[piece.sources[requests]],
                    counts[piece.hypotheses[requests]],
                    counts[piece.references[references]],
                )
                for counts in _orders(piece, _split)
            ),
            if_none=0,
        )


class SariHf(Sari):
    name = "sari_hf"
    version = "3"
    parameters = (("n", str(MAX_ORDER)), ("tok", "13a"), ("case", "lower"))

    def _compute_slice(self, piece: Slice) -> FloatArray:
        counts = _joint_counts(piece, lambda text: tokens_13a(text) or [""])
        return _mean_parts(counts, if_none=1)


class SariEasse(Sari):
    name = "sari_easse"
    parameters = SariHf.parameters
    statistics = tuple(f"{o}_{count}_{n}" for o in STATISTICS for count in COUNTS for n in ORDERS)

    def _compute_slice(self, piece: Slice) -> FloatArray:
        shape = len(STATISTICS), len(COUNTS), MAX_ORDER, len(piece.hypotheses)
        result = np.zeros(shape)
        for order, (s, h, r) in enumerate(_joint_counts(piece, tokens_13a)):
            kept, keepable = np.minimum(s, h), np.minimum(s, r)
            deleted, deletable = s - kept, s - keepable
            operations = (
                (np.minimum(kept, r), kept, keepable),
                (np.minimum(deleted, deletable), deleted, deletable),
                _added(s, h, r),
            )
            for operation, counts in enumerate(operations):
                result[operation, :, order] = [row_sums(count) for count in counts]
        return result.reshape(len(self.statistics), -1).T


class SariScore(FamilyScore):
    family: ClassVar[Family] = Sari()

    def sentence_score(self, of: Named) -> Number:
        return (of["keep"] + of["delete"] + of["add"]) / 3


class MaxSariScore(SariScore):
    family = SariSingle()


class SariHfScore(SariScore):
    family = SariHf()


class SariEasseScore(SummedFamilyScore):
    family = SariEasse()

    def sentence_score(self, of: Named) -> Number:
        total = 0.0
        for operation, order in product(STATISTICS, ORDERS):
            n_correct, n_made, n_possible = (of[f"{operation}_{count}_{order}"] for count in COUNTS)
            total += where(n_made + n_possible > 0, 2 * n_correct / (n_made + n_possible), 0)
        return total / (len(STATISTICS) * MAX_ORDER)


def _orders(piece: Slice, tokenise: Callable[[str], list[str]]) -> list[CountArray]:
    _, orders = count_ngrams([text.lower() for text in piece.texts], piece.scopes, tokenise)
    return orders


def _joint_counts(piece: Slice, tokenise: Callable[[str], list[str]]) -> Iterator[Counts]:
    """Yield for each order the counts s and h, times the number of references, and r."""
    starts = exclusive_sum(piece.reference_counts)
    times = piece.reference_counts[piece.request_scopes][:, np.newaxis].astype(np.int32)
    for counts in _orders(piece, tokenise):
        totals = np.add.reduceat(counts[piece.references], starts, dtype=np.int32)
        yield (
            counts[piece.sources] * times,
            counts[piece.hypotheses] * times,
            totals[piece.request_scopes],
        )


def _mean_parts(orders: Iterator[Counts], if_none: int) -> FloatArray:
    """Return keep, delete and add of each comparison, as means over the orders.

    `if_none` is the value of 0 / 0. If it is 1, the recall of keeping is a ratio of sums.
    """
    parts = []
    for s, h, r in orders:
        kept, keepable = np.minimum(s, h), np.minimum(s, r)
        right, deleted = np.minimum(kept, r), s - kept
        if if_none:
            recall = share(row_sums(right), row_sums(keepable))
        else:
            recall = _mean_ratio(right, keepable, if_none)
        added_right, added, addable = (row_sums(n_grams) for n_grams in _added(s, h, r))
        parts.append(
            (
                f_of_shares(_mean_ratio(right, kept, if_none), recall, beta=1),
                _mean_ratio(np.maximum(deleted - r, 0), deleted, if_none),
                f_of_shares(
                    np.where(added, added_right / np.maximum(added, 1), if_none),
                    np.where(addable, added_right / np.maximum(addable, 1), if_none),
                    beta=1,
                ),
            )
        )
    mean: FloatArray = (np.array(parts).sum(axis=0) / MAX_ORDER).T
    return mean


def _added(s: CountArray, h: CountArray, r: CountArray) -> tuple[NDArray[np.bool_], ...]:
    is_new = s == 0
    return is_new & (h > 0) & (r > 0), is_new & (h > 0), is_new & (r > 0)


def _mean_ratio(correct: CountArray, made: CountArray, if_none: int) -> FloatArray:
    # Most texts have few of the n-grams in a table.
    cells = np.flatnonzero(made)
    ratios = np.divide(correct.ravel()[cells], made.ravel()[cells], dtype=np.float64)
    units = np.rint(ratios * UNIT).astype(np.int64)
    n_made = np.count_nonzero(made, axis=1)
    sums = np.zeros(len(made), np.int64)
    rows = n_made > 0
    if len(cells):
        sums[rows] = np.add.reduceat(units, exclusive_sum(n_made[rows]))
    return np.where(rows, sums / UNIT / np.maximum(n_made, 1), if_none)


def _split(text: str) -> list[str]:
    return text.split(" ")


def tokens_13a(text: str) -> list[str]:
    # The tokeniser splits each word independently of other words.
    return list(chain.from_iterable(map(_tokens_of_word, text.split(" "))))


# Texts of one sentence share nearly all words.
@lru_cache(maxsize=1 << 14)
def _tokens_of_word(word: str) -> tuple[str, ...]:
    for old, new in _REPLACED:
        word = word.replace(old, new)
    word = f" {word} "
    for pattern, spaced in _SEPARATED:
        word = pattern.sub(spaced, word)
    return tuple(word.split())
