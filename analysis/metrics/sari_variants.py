"""SARI as EASSE and as Hugging Face's `evaluate` compute it: two more metrics of the same name.

Both lower-case their texts and split them by sacreBLEU's tokeniser `13a`; with R references the
counts s and h of an n-gram in source and hypothesis are multiplied by R, and r is its count in all
references together, as in SARI itself (analysis/metrics/sari.py). Per order n = 1 to 4:

    keep    min(s, h); right where r has it, too: min(s, h, r); all that could be: min(s, r)
    delete  s - h;     right: min(s - h, s - r);                all that could be: s - r
    add     kinds of n-grams in h and not in s; right: in r;    all that could be: in r, not in s

`sari_easse` (Alva-Manchego et al. 2019, `corpus_sari`) sums these nine counts over the corpus; each
operation's F1 comes from the sums, deletion's too, and the score is the mean over operations and
orders, 0 where nothing is to divide by. `sari_hf` averages sentences: precision of keeping and
deleting is the mean of right / made over kinds of n-grams, recall of keeping the quotient of sums,
deletion counts by precision alone, (s - h) - r being right, and 0 / 0 is 1. Both programs multiply
by 100; here 0..1.
"""

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from analysis.metrics.base import FloatArray, Slice, StatisticsFamily
from analysis.metrics.f_score import f_of_shares, share
from analysis.metrics.formula import Named, Number, where
from analysis.metrics.ngrams import MAX_ORDER, NgramCounts, columns_within_scope, count_ngrams
from analysis.metrics.sari import UNIT, SariScore, fixed_ratios
from analysis.metrics.score import SummedFamilyScore

ORDERS = range(1, MAX_ORDER + 1)
OPERATIONS = ("keep", "delete", "add")
COUNTS = ("right", "made", "wanted")

Counts = NDArray[np.int64]
"""Of one order: requests by n-grams of the widest scope."""


class SariEasse(StatisticsFamily):
    """What is right, made and wanted of every operation and order, as whole numbers."""

    name = "sari_easse"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "13a"), ("case", "lower"))
    reads_source = True
    reads_references = True
    per_reference = False
    statistics = tuple(f"{o}_{count}_{n}" for o in OPERATIONS for count in COUNTS for n in ORDERS)

    def _compute_slice(self, piece: Slice) -> FloatArray:
        result = np.zeros((len(OPERATIONS), len(COUNTS), MAX_ORDER, len(piece.hypotheses)))
        for order, counts in _orders(piece):
            for operation, values in enumerate(_operations(*counts)):
                result[operation, :, order] = [value.sum(axis=1) for value in values]
        return result.reshape(len(self.statistics), -1).T


class SariHf(StatisticsFamily):
    """The three parts of one sentence's score, each the mean over the orders."""

    name = "sari_hf"
    version = "1"
    parameters = SariEasse.parameters
    reads_source = True
    reads_references = True
    per_reference = False
    statistics = OPERATIONS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        result = np.zeros((len(OPERATIONS), len(piece.hypotheses)))
        for _, counts in _orders(piece):
            keep, (_, deleted, _), add = _operations(*counts)
            result[0] += f_of_shares(
                _mean_ratio(keep[0], keep[1]), _ratio_of_sums(keep[0], keep[2]), beta=1
            )
            result[1] += _mean_ratio(np.maximum(deleted - counts[2], 0), deleted)
            result[2] += f_of_shares(
                _ratio_of_sums(add[0], add[1]), _ratio_of_sums(add[0], add[2]), beta=1
            )
        return (result / MAX_ORDER).T


class SariEasseScore(SummedFamilyScore):
    """The mean of all F1, in 0..1; of a corpus, from the sums."""

    family = SariEasse()

    def sentence_score(self, of: Named) -> Number:
        """Return it; F1 is 0 where there is nothing to divide by."""
        total = 0.0
        for operation, order in product(OPERATIONS, ORDERS):
            right, made, wanted = (of[f"{operation}_{count}_{order}"] for count in COUNTS)
            total += where(made + wanted > 0, 2 * right / (made + wanted), 0)
        return total / (len(OPERATIONS) * MAX_ORDER)


class SariHfScore(SariScore):
    """The same mean of the three parts, in 0..1."""

    family = SariHf()


def _orders(piece: Slice) -> list[tuple[int, tuple[Counts, Counts, Counts]]]:
    """Return for each order s, h and r: requests by n-grams."""
    texts = [_tokenised(text) for text in piece.texts]
    _, orders = count_ngrams(texts, piece.scopes, str.split)
    return [(order, _dense(piece, counts)) for order, counts in enumerate(orders)]


def _dense(piece: Slice, counts: NgramCounts) -> tuple[Counts, Counts, Counts]:
    single = np.ones(len(counts.gram_scopes), np.intp)
    columns, width = columns_within_scope(single, counts.gram_scopes)
    table = np.zeros((counts.texts, width), np.int64)
    table[counts.rows, columns[counts.grams]] = counts.counts
    sizes = piece.reference_counts
    totals = np.add.reduceat(table[piece.references], np.cumsum(sizes) - sizes)
    times = sizes[piece.request_scopes][:, np.newaxis]
    return (
        table[piece.sources] * times,
        table[piece.hypotheses] * times,
        totals[piece.request_scopes],
    )


def _operations(s: Counts, h: Counts, r: Counts) -> tuple[tuple[Counts, Counts, Counts], ...]:
    """Return right, made and wanted of keep, delete and add, n-gram by n-gram."""
    kept, added, missing = np.minimum(s, h), (h > 0) & (s == 0), (r > 0) & (s == 0)
    deleted, deletable = np.maximum(s - h, 0), np.maximum(s - r, 0)
    return (
        (np.minimum(kept, r), kept, np.minimum(s, r)),
        (np.minimum(deleted, deletable), deleted, deletable),
        ((added & missing).astype(np.int64), added.astype(np.int64), missing.astype(np.int64)),
    )


def _mean_ratio(right: Counts, made: Counts) -> FloatArray:
    """Return the mean of right / made over the kinds of n-grams that are made, 1 without any."""
    ratios = fixed_ratios(right / np.maximum(made, 1))
    mean: FloatArray = share(ratios.sum(axis=1) / UNIT, (made > 0).sum(axis=1))
    return mean


def _ratio_of_sums(right: Counts, everything: Counts) -> FloatArray:
    ratio: FloatArray = share(right.sum(axis=1), everything.sum(axis=1))
    return ratio


@cache
def _tokeniser() -> Callable[[str], str]:
    # A class of sacreBLEU, which is not typed.
    tokenise: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenise


def _tokenised(text: str) -> str:
    return _tokeniser()(text.lower())
