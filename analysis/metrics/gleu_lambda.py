"""GLEU with a weight: the metric that GLEU+ replaced.

Napoles et al. 2015, "Ground Truth for Grammatical Error Correction Metrics". Of the n-grams of
hypothesis C, source S and references R, whose counts are the largest in one reference:

    p_n  = (added_n + max(0, overlap_n - lambda unchanged_n)) / (to_add_n + c + 1 - n)
    GLEU = exp(min(0, 1 - r / c) + sum over n of log(p_n) / 4)

added_n are matches of n-grams that R has and S has not, counted a second time, to_add_n all of
them, overlap_n matches with R, unchanged_n those of C with n-grams that S has and R has not.
Whatever is 0, a length or an n-gram that is too long, makes the score 0, as in the program.

r is the length of the shortest reference. The paper does not say which; its ranking of the systems
of CoNLL-2014 by lambda = 0 comes out with the shortest and with the first, and not with the closest
one, which the program of June 2015 takes. That program also divides by added_n in place of
to_add_n, a correction that is later than the paper.
"""

from dataclasses import dataclass

import numpy as np

from maege.analysis.metrics.base import FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.bleu import shared_bits
from maege.analysis.metrics.formula import (
    Named,
    Number,
    at_least,
    at_most,
    exp,
    is_equal,
    log,
    where,
)
from maege.analysis.metrics.ngrams import MAX_ORDER, BitTable, count_bits, count_ngrams
from maege.analysis.metrics.score import SummedFamilyScore
from maege.analysis.metrics.slices import IndexArray, exclusive_sum

ORDERS = range(1, MAX_ORDER + 1)
STATISTICS = (
    "hypothesis_length",
    "shortest_reference_length",
    *(f"overlap_{n}" for n in ORDERS),
    *(f"added_{n}" for n in ORDERS),
    *(f"unchanged_{n}" for n in ORDERS),
    *(f"to_add_{n}" for n in ORDERS),
)
OVERLAP, ADDED, UNCHANGED, TO_ADD = (
    slice(start, start + MAX_ORDER) for start in range(2, len(STATISTICS), MAX_ORDER)
)
TINY = float(np.finfo(np.float64).tiny)


class GleuLambda(StatisticsFamily):
    """Statistics of a hypothesis and its source against all references jointly."""

    name = "gleu_lambda"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"), ("ref", "shortest"))
    reads_source = True
    reads_references = True
    per_reference = False
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split)
        starts = exclusive_sum(piece.reference_counts)
        shortest = np.minimum.reduceat(lengths[piece.references], starts)
        requests = np.arange(len(piece.hypotheses))
        result = np.empty((len(requests), len(STATISTICS)))
        result[:, 0] = lengths[piece.hypotheses]
        result[:, 1] = shortest[piece.request_scopes]
        for order, counts in enumerate(orders):
            bits, presence = count_bits(counts)
            hypotheses, sources = bits[:, piece.hypotheses], bits[:, piece.sources]
            references = _union(bits, piece.references, starts)[:, piece.request_scopes]
            known = _union(presence, piece.references, starts)[:, piece.request_scopes]
            new = references & ~presence[:, piece.sources]
            for group, left, right in (
                (OVERLAP, hypotheses, references),
                (ADDED, hypotheses, new),
                (UNCHANGED, hypotheses, sources & ~known),
                (TO_ADD, new, new),
            ):
                result[:, group.start + order] = shared_bits(left, requests, right, requests)
        return result


def _union(table: BitTable, rows: IndexArray, starts: IndexArray) -> BitTable:
    """Return the bits that any reference of a scope has."""
    union: BitTable = np.bitwise_or.reduceat(table[:, rows], starts, axis=1)
    return union


@dataclass(frozen=True)
class GleuLambdaScore(SummedFamilyScore):
    """GLEU with a weight of what is left unchanged; of a corpus the formula of the sums."""

    weight: float = 0.0

    family = GleuLambda()

    def sentence_score(self, of: Named) -> Number:
        """Return the score of one sentence."""
        length = of["hypothesis_length"]
        numerators = [
            of[f"added_{n}"] + at_least(of[f"overlap_{n}"] - self.weight * of[f"unchanged_{n}"], 0)
            for n in ORDERS
        ]
        totals = [of[f"to_add_{n}"] + at_least(length - (n - 1), 0) for n in ORDERS]
        first, *others = (
            log(at_least(numerator, TINY) / at_least(total, 1))
            for numerator, total in zip(numerators, totals, strict=True)
        )
        brevity = at_most(1 - of["shortest_reference_length"] / at_least(length, 1), 0)
        score = exp(brevity + sum(others, start=first) / MAX_ORDER)
        one, *more = numerators
        product = one * of["shortest_reference_length"]
        for numerator in more:
            product = product * numerator
        return where(is_equal(product, 0), 0.0, score)

    def addends(self, statistics: FloatArray) -> FloatArray:
        """Return both lengths, four numerators, four totals, on the last axis."""
        of = statistics[..., 0, :]
        kept = np.maximum(of[..., OVERLAP] - self.weight * of[..., UNCHANGED], 0)
        n_grams = np.maximum(of[..., :1] + 1 - np.array(ORDERS), 0)
        return np.concatenate(
            [of[..., :2], of[..., ADDED] + kept, of[..., TO_ADD] + n_grams], axis=-1
        )

    @np.errstate(over="ignore")
    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Return the score of summed addends; a sum of 0 scores 0."""
        positive = np.maximum(sums, TINY)
        numerators, totals = np.split(positive[..., 2:], 2, axis=-1)
        brevity = np.minimum(0, 1 - positive[..., 1] / positive[..., 0])
        gleu = np.exp(brevity + np.log(numerators / totals).mean(axis=-1))
        score: FloatArray = np.where(sums.all(axis=-1), gleu, 0)
        return score
