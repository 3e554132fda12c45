"""BLEU: n-gram precision of a hypothesis, where each n-gram may match any of the references.

Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation":

    BLEU = exp(min(0, 1 - r / c) + sum over n of log(match_n / total_n) / N)

match_n clips the count of each hypothesis n-gram by its largest count in one reference. total_n is
c + 1 - n, c is the length of the hypothesis, and r is the reference length closest to c. MAEGE
(Choshen and Abend 2018) takes N = min(4, c, length of the shortest reference), ignoring empty
references. The k-th order of a sentence without a match counts 1 / 2^k matches (smoothing method 3
of Chen and Cherry 2014). iBLEU (Sun and Zhou 2012) also compares the hypothesis with the source, as
if the source were its reference:

    iBLEU = .8 BLEU with the references + .2 BLEU with the source
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families import (
    MAX_ORDER,
    Family,
    FloatArray,
    IndexArray,
    Slice,
    StatisticsFamily,
    count_ngrams,
    exclusive_sum,
    row_sums,
)
from maege.analysis.metrics.formula import (
    Named,
    Number,
    at_least,
    count_true,
    exp,
    is_equal,
    log,
    power,
    where,
)
from maege.analysis.metrics.scores import SummedComposite, SummedFamilyScore, SummedScore

STATISTICS = (
    "hypothesis_length",
    "closest_reference_length",
    "order",
    *(f"match_{n}" for n in range(1, MAX_ORDER + 1)),
)

LENGTH_BITS = 32
IBLEU_ALPHA = 0.8
ORDERS = np.arange(1, MAX_ORDER + 1)
MATCHES = slice(3, 3 + MAX_ORDER)


class Bleu(StatisticsFamily):
    name = "bleu"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"), ("ref", "closest"))
    reads_references = True
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split)
        starts = exclusive_sum(piece.reference_counts)
        hypothesis_lengths = lengths[piece.hypotheses]
        reference_lengths = lengths[piece.references]
        requests, references = piece.comparisons()
        compared = reference_lengths[references]
        # As in NLTK, the shorter of two equally close lengths counts. One sort key covers both
        # rules.
        keys = (np.abs(compared - hypothesis_lengths[requests]) << LENGTH_BITS) + compared
        request_starts = exclusive_sum(piece.reference_counts[piece.request_scopes])
        closest = np.minimum.reduceat(keys, request_starts) & ((1 << LENGTH_BITS) - 1)
        nonempty = np.where(reference_lengths == 0, MAX_ORDER, reference_lengths)
        shortest = np.minimum.reduceat(nonempty, starts)[piece.request_scopes]
        result = _with_lengths(hypothesis_lengths, closest, shortest)
        for column, counts in enumerate(orders, start=3):
            largest = np.maximum.reduceat(counts[piece.references], starts)[piece.request_scopes]
            result[:, column] = row_sums(np.minimum(counts[piece.hypotheses], largest))
        return result


class SourceBleu(StatisticsFamily):
    name = "source_bleu"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"))
    reads_source = True
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split)
        source_lengths = lengths[piece.sources]
        nonempty = np.where(source_lengths == 0, MAX_ORDER, source_lengths)
        result = _with_lengths(lengths[piece.hypotheses], source_lengths, nonempty)
        for column, counts in enumerate(orders, start=3):
            shared = np.minimum(counts[piece.hypotheses], counts[piece.sources])
            result[:, column] = row_sums(shared)
        return result


def _with_lengths(
    hypothesis_lengths: IndexArray, closest: IndexArray, shortest: IndexArray
) -> FloatArray:
    result = np.empty((len(hypothesis_lengths), len(STATISTICS)))
    result[:, 0] = hypothesis_lengths
    result[:, 1] = closest
    result[:, 2] = np.minimum(np.minimum(hypothesis_lengths, shortest), MAX_ORDER)
    return result


class SourceBleuScore(SummedFamilyScore):
    family: ClassVar[Family] = SourceBleu()

    def sentence_score(self, of: Named) -> Number:
        length, closest = of["hypothesis_length"], of["closest_reference_length"]
        logarithms = _log_precision(of, 1, of["match_1"])
        unmatched = None
        for n in range(2, MAX_ORDER + 1):
            match = of[f"match_{n}"]
            is_unmatched = count_true(is_equal(match, 0))
            unmatched = is_unmatched if unmatched is None else unmatched + is_unmatched
            smoothed = where(match > 0, match, power(0.5, unmatched))
            logarithms = logarithms + _log_precision(of, n, smoothed)
        brevity = where(length > closest, 1.0, exp(1 - closest / length))
        return where(is_equal(of["match_1"], 0), 0.0, brevity * exp(logarithms / of["order"]))

    def addends(self, statistics: FloatArray) -> FloatArray:
        joint = statistics[..., 0, :]
        totals = np.maximum(joint[..., :1] + 1 - ORDERS, 0)
        return np.concatenate([joint[..., :2], joint[..., MATCHES], totals], axis=-1)

    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Return corpus BLEU in 0..1, as sacreBLEU (Post 2018) without tokenisation."""
        length, closest = sums[..., 0], sums[..., 1]
        matches = np.moveaxis(sums[..., 2 : 2 + MAX_ORDER], -1, 0)
        totals = np.moveaxis(sums[..., 2 + MAX_ORDER :], -1, 0)
        smoothed, logarithms = np.ones_like(length), np.zeros_like(length)
        for match, total in zip(matches, totals, strict=True):
            positive = match
            if not match.all():
                smoothed = np.where(match == 0, smoothed / 2, smoothed)
                positive = np.where(match == 0, smoothed, match)
            logarithms += np.log(positive / np.maximum(total, 1))
        brevity = np.minimum(0, 1 - closest / np.maximum(length, 1))
        defined = matches.any(axis=0) & totals.all(axis=0)
        return np.where(defined, np.exp(brevity + logarithms / MAX_ORDER), 0)


class BleuScore(SourceBleuScore):
    family = Bleu()

    def published_score(self, of: Named, score: Number) -> Number:
        """Return 0 if a reference is empty: the published run then had no orders to compare."""
        return where(of["has_empty_reference"], 0.0, score)


@dataclass(frozen=True)
class IBleuScore(SummedComposite):
    sign: int = 1

    @property
    def parts(self) -> Mapping[str, SummedScore]:
        return {"bleu": BleuScore(), "source_bleu": SourceBleuScore()}

    def combine(self, of: Named) -> Number:
        return IBLEU_ALPHA * of["bleu"] + self.sign * (1 - IBLEU_ALPHA) * of["source_bleu"]


def _log_precision(of: Named, n: int, matches: Number) -> Number:
    total = at_least(of["hypothesis_length"] - (n - 1), 1)
    return where(of["order"] < n, 0.0, log(matches / total))
