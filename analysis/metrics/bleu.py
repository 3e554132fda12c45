"""BLEU: how much of a hypothesis is found in references, of which any may supply any n-gram.

Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation":

    BLEU = exp(min(0, 1 - r / c) + sum over n of log(match_n / total_n) / N)

match_n clips the count of each hypothesis n-gram by its largest count in one reference, total_n is
c + 1 - n, c the length of the hypothesis and r the reference length closest to it. MAEGE
(Choshen and Abend 2018) takes N = min(4, c, length of the shortest reference), where empty
references do not count. iBLEU (Sun and Zhou 2012) also compares the hypothesis with the source, as
if that were its reference.
"""

import numpy as np
from numpy.typing import NDArray

from analysis.metrics.base import FloatArray, Slice, StatisticsFamily
from analysis.metrics.ngrams import MAX_ORDER, BitTable, count_bits, count_ngrams
from analysis.metrics.slices import IndexArray, exclusive_sum

STATISTICS = (
    "hypothesis_length",
    "closest_reference_length",
    "order",
    *(f"match_{n}" for n in range(1, MAX_ORDER + 1)),
)

LENGTH_BITS = 32


class Bleu(StatisticsFamily):
    """BLEU statistics of a hypothesis against all its references jointly."""

    name = "bleu"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"), ("ref", "closest"))
    reads_source = False
    reads_references = True
    per_reference = False
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split, piece.hypotheses)
        starts = exclusive_sum(piece.reference_counts)
        result = np.empty((len(piece.hypotheses), len(STATISTICS)))
        _fill_lengths(result, lengths, piece, starts)
        for column, counts in enumerate(orders, start=3):
            bits, _ = count_bits(counts)
            # The union over the references holds each n-gram's largest count in one of them.
            union: BitTable = np.bitwise_or.reduceat(bits[:, piece.references], starts, axis=1)
            result[:, column] = shared_bits(bits, piece.hypotheses, union, piece.request_scopes)
        return result


class SourceBleu(StatisticsFamily):
    """BLEU statistics of a hypothesis with its source as the only reference."""

    name = "source_bleu"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"))
    reads_source = True
    reads_references = False
    per_reference = False
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split, piece.hypotheses)
        result = np.empty((len(piece.hypotheses), len(STATISTICS)))
        hypothesis_lengths = lengths[piece.hypotheses]
        source_lengths = lengths[piece.sources]
        result[:, 0] = hypothesis_lengths
        result[:, 1] = source_lengths
        result[:, 2] = _order(hypothesis_lengths, source_lengths)
        for column, counts in enumerate(orders, start=3):
            bits, _ = count_bits(counts)
            result[:, column] = shared_bits(bits, piece.hypotheses, bits, piece.sources)
        return result


def shared_bits(
    left: BitTable, left_rows: IndexArray, right: BitTable, right_rows: IndexArray
) -> NDArray[np.int32]:
    """Return for each pair of rows the number of bits that both have."""
    shared = np.zeros(len(left_rows), np.int32)
    for left_word, right_word in zip(left, right, strict=True):
        shared += np.bitwise_count(left_word[left_rows] & right_word[right_rows])
    return shared


def _fill_lengths(
    result: FloatArray, lengths: IndexArray, piece: Slice, starts: IndexArray
) -> None:
    hypothesis_lengths = lengths[piece.hypotheses]
    reference_lengths = lengths[piece.references]
    requests, references = piece.comparisons()
    compared = reference_lengths[references]
    # Of two equally close lengths the shorter counts, as in NLTK: one key orders by both.
    keys = (np.abs(compared - hypothesis_lengths[requests]) << LENGTH_BITS) + compared
    closest = np.minimum.reduceat(keys, exclusive_sum(piece.reference_counts[piece.request_scopes]))
    nonempty = np.where(reference_lengths == 0, MAX_ORDER, reference_lengths)
    shortest = np.minimum.reduceat(nonempty, starts)[piece.request_scopes]
    result[:, 0] = hypothesis_lengths
    result[:, 1] = closest & ((1 << LENGTH_BITS) - 1)
    result[:, 2] = np.minimum(np.minimum(hypothesis_lengths, shortest), MAX_ORDER)


def _order(hypothesis_lengths: IndexArray, source_lengths: IndexArray) -> IndexArray:
    nonempty = np.where(source_lengths == 0, MAX_ORDER, source_lengths)
    order: IndexArray = np.minimum(np.minimum(hypothesis_lengths, nonempty), MAX_ORDER)
    return order
