"""SARI as EASSE and as Hugging Face's `evaluate` compute it: two more metrics with this name.

Both lower-case their texts and split them with sacreBLEU's tokeniser `13a`. As in SARI itself
(analysis/metrics/sari.py), with R references the counts s and h of an n-gram in source and
hypothesis are multiplied by R, and r is its count in all references together. For each order n = 1
to 4:

    keep    min(s, h); correct if in r, too: min(s, h, r); possible: min(s, r)
    delete  s - h;     correct: min(s - h, s - r);         possible: s - r
    add     distinct n-grams in h and not in s; correct: in r; possible: in r, not in s

`sari_easse` (Alva-Manchego et al. 2019, `corpus_sari`) sums these nine counts over the corpus. Each
operation's F1, including that of deletion, comes from the sums. The score is the mean over
operations and orders; 0 / 0 counts as 0.

`sari_hf` averages sentences. The precision of keeping and deleting is the mean of correct / made
over distinct n-grams, the recall of keeping is the ratio of sums, and deletion counts by precision
alone, with (s - h) - r as correct. 0 / 0 counts as 1, and a text without words counts as one empty
word. Both programs multiply by 100; here scores are in 0..1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.families.ngrams import (
    MAX_ORDER,
    NgramCounts,
    columns_within_scope,
    count_ngrams,
    is_in,
    set_bits,
)
from maege.analysis.metrics.families.slices import IndexArray, exclusive_sum
from maege.analysis.metrics.sari import UNIT, SariScore, fixed_ratios
from maege.analysis.metrics.scores.f_score import f_of_shares, share
from maege.analysis.metrics.scores.formula import Named, Number, where
from maege.analysis.metrics.scores.score import SummedFamilyScore

ORDERS = range(1, MAX_ORDER + 1)
OPERATIONS = ("keep", "delete", "add")
COUNTS = ("right", "made", "wanted")

Counts = NDArray[np.int64]


class _Order(NamedTuple):
    """Counts of one order's source n-grams: requests by n-grams of the widest scope.

    `source` is s, `reference` r, `kept` min(s, h), `keepable` min(s, r), `right` min(s, h, r).
    `added` counts the distinct n-grams that the source lacks by request: correct, made and
    possible.
    """

    source: Counts
    reference: Counts
    kept: Counts
    keepable: Counts
    right: Counts
    added: tuple[IndexArray, IndexArray, IndexArray]


class _Both(NamedTuple):
    """The statistics of both metrics, one row per request."""

    easse: FloatArray
    hf: FloatArray


class SariEasse(StatisticsFamily):
    """Correct, made and possible n-grams of every operation and order, as whole numbers."""

    name = "sari_easse"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "13a"), ("case", "lower"))
    reads_source = True
    reads_references = True
    per_reference = False
    statistics = tuple(f"{o}_{count}_{n}" for o in OPERATIONS for count in COUNTS for n in ORDERS)

    def _compute_slice(self, piece: Slice) -> FloatArray:
        return _both(_Texts(piece.content(), piece)).easse


class SariHf(StatisticsFamily):
    """The three parts of one sentence's score, each the mean over the orders."""

    name = "sari_hf"
    version = "3"
    parameters = SariEasse.parameters
    reads_source = True
    reads_references = True
    per_reference = False
    statistics = OPERATIONS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        return _both(_Texts(piece.content(), piece)).hf


class SariEasseScore(SummedFamilyScore):
    """The mean of all F1 values, in 0..1; for a corpus, computed from the sums."""

    family = SariEasse()

    def sentence_score(self, of: Named) -> Number:
        """Return the score; F1 is 0 if its denominator is 0."""
        total = 0.0
        for operation, order in product(OPERATIONS, ORDERS):
            right, made, wanted = (of[f"{operation}_{count}_{order}"] for count in COUNTS)
            total += where(made + wanted > 0, 2 * right / (made + wanted), 0)
        return total / (len(OPERATIONS) * MAX_ORDER)


class SariHfScore(SariScore):
    """The mean of the three parts, in 0..1."""

    family = SariHf()


@dataclass(frozen=True)
class _Texts:
    """A slice that equals other slices with the same content."""

    content: tuple[object, ...]
    piece: Slice = field(compare=False)


# Both metrics read the slices of a chunk, one after the other. The second finds the first one's
# results here.
@lru_cache(maxsize=16)
def _both(texts: _Texts) -> _Both:
    """Return the statistics of both metrics, which differ in the words of a text without words."""
    both = _statistics(texts.piece, tokens_13a)
    if all(map(_has_tokens, texts.piece.texts)):
        return both
    return both._replace(hf=_statistics(texts.piece, _tokens_of_hf).hf)


def _statistics(piece: Slice, tokenise: Callable[[str], list[str]]) -> _Both:
    _, orders = count_ngrams([text.lower() for text in piece.texts], piece.scopes, tokenise)
    easse = np.zeros((len(OPERATIONS), len(COUNTS), MAX_ORDER, len(piece.hypotheses)))
    hf = np.zeros((len(OPERATIONS), len(piece.hypotheses)))
    for place, counts in enumerate(orders):
        order = _order(piece, counts)
        parts = order.source, order.kept, order.keepable, order.right
        s, kept, keepable, right = (part.sum(axis=1) for part in parts)
        # The number of correct deletions, min(s - kept, s - keepable), is s minus the larger of the
        # two.
        easse[0, :, place] = right, kept, keepable
        easse[1, :, place] = s - (kept + keepable - right), s - kept, s - keepable
        easse[2, :, place] = order.added
        precision, recall = _mean_ratio(order.right, order.kept), share(right, keepable)
        hf[0] += f_of_shares(precision, recall, beta=1)
        deleted = order.source - order.kept
        hf[1] += _mean_ratio(np.maximum(deleted - order.reference, 0), deleted)
        right, made, wanted = order.added
        hf[2] += f_of_shares(share(right, made), share(right, wanted), beta=1)
    return _Both(easse.reshape(len(SariEasse.statistics), -1).T, (hf / MAX_ORDER).T)


def _order(piece: Slice, counts: NgramCounts) -> _Order:
    in_source = is_in(counts, piece.sources)
    columns, width = columns_within_scope(in_source.astype(np.intp), counts.gram_scopes)
    entries = in_source[counts.grams]
    table = np.zeros((counts.texts, width), np.int64)
    table[counts.rows[entries], columns[counts.grams[entries]]] = counts.counts[entries]
    sizes = piece.reference_counts
    totals = np.add.reduceat(table[piece.references], exclusive_sum(sizes))
    times = sizes[piece.request_scopes][:, np.newaxis]
    source, reference = table[piece.sources] * times, totals[piece.request_scopes]
    kept = np.minimum(source, table[piece.hypotheses] * times)
    keepable = np.minimum(source, reference)
    right = np.minimum(kept, keepable)
    kinds = zip(_kinds(piece, counts), (right, kept, keepable), strict=True)
    added = tuple(of_all - np.count_nonzero(old, axis=1) for of_all, old in kinds)
    return _Order(source, reference, kept, keepable, right, added)


def _kinds(piece: Slice, counts: NgramCounts) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return the numbers of distinct n-grams of each request: in h and r, in h, and in r."""
    columns, width = columns_within_scope(
        np.ones(len(counts.gram_scopes), np.intp), counts.gram_scopes
    )
    table = set_bits(counts.rows, columns[counts.grams], counts.texts, width)
    starts = exclusive_sum(piece.reference_counts)
    of_scopes = np.bitwise_or.reduceat(table[:, piece.references], starts, axis=1)
    made, wanted = table[:, piece.hypotheses], of_scopes[:, piece.request_scopes]
    right, made, wanted = (
        np.bitwise_count(bits).sum(axis=0, dtype=np.intp) for bits in (made & wanted, made, wanted)
    )
    return right, made, wanted


def _mean_ratio(right: Counts, made: Counts) -> FloatArray:
    """Return the mean of right / made over distinct n-grams that are made, 1 without any."""
    ratios = fixed_ratios(right / np.maximum(made, 1))
    mean: FloatArray = share(ratios.sum(axis=1) / UNIT, np.count_nonzero(made, axis=1))
    return mean


@cache
def _tokeniser() -> Callable[[str], str]:
    # Imported here: seven megabytes that workers need only for these metrics.
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    # A class of sacreBLEU, which is not typed.
    tokenise: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenise


def tokens_13a(text: str) -> list[str]:
    """Return the tokens of a text. The tokeniser splits each word independently of other words."""
    return list(chain.from_iterable(map(_tokens_of_word, text.split(" "))))


def _has_tokens(text: str) -> bool:
    # Checking one word per text is enough, because all texts of a slice are checked and nearly all
    # begin with a word.
    return any(map(_tokens_of_word, text.lower().split(" ")))


def _tokens_of_hf(text: str) -> list[str]:
    return tokens_13a(text) or [""]


# Texts of one sentence share nearly all words.
@lru_cache(maxsize=1 << 14)
def _tokens_of_word(word: str) -> tuple[str, ...]:
    return tuple(_tokeniser()(word).split())
