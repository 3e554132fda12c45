"""GREEN: an F score over n-grams that the hypothesis inserts, deletes and keeps.

Koyama, Nagata, Takamura and Okazaki 2024, "n-gram F-score for evaluating grammatical error
correction", as their program computes it on words, for n = 1 to 4. With the counts s, h and r of an
n-gram in source, hypothesis and one reference:

    TP = min(s, h, r) + max(0, s - max(h, r)) + max(0, min(h, r) - s)
    FP = max(0, min(s, r) - h) + max(0, h - max(s, r))
    FN = max(0, min(s, h) - r) + max(0, r - max(s, h))

summed over the n-grams of an order. P_n = TP / (TP + FP), or 1 if nothing is proposed. R_n = TP /
(TP + FN), or 0 if there is nothing to find. As a result, the program scores a sentence 0 if source,
hypothesis and reference all have fewer than four tokens. Precision and recall are geometric means
over n, and GREEN is their F with weight beta. Each sentence is compared with the reference that has
the highest F of orders 1 to 4. Ties go to the highest F of orders 1 to 3, and so on, then to the
first reference.

The library gec-metrics gives other scores, because its recall is 1 if there is nothing to find.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families import (
    MAX_ORDER,
    Family,
    FloatArray,
    Slice,
    StatisticsFamily,
    count_ngrams,
    row_sums,
)
from maege.analysis.metrics.formula import Named, Number, at_least, f_of_shares, root, share
from maege.analysis.metrics.scores import BestReferenceScore, Positions

ORDERS = range(1, MAX_ORDER + 1)
PARTS = ("tp", "fp", "fn")
STATISTICS = tuple(f"{part}_{n}" for part in PARTS for n in ORDERS)


class Green(StatisticsFamily):
    name: ClassVar[str] = "green"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"))
    reads_source = True
    reads_references = True
    per_reference = True
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        _, orders = count_ngrams(piece.texts, piece.scopes, str.split)
        requests, references = piece.comparisons()
        sources, hypotheses = piece.sources[requests], piece.hypotheses[requests]
        references = piece.references[references]
        result = np.zeros((len(PARTS), MAX_ORDER, len(requests)))
        for order, counts in enumerate(orders):
            s, h, r = counts[sources], counts[hypotheses], counts[references]
            totals = row_sums(counts)
            kept = np.minimum(s, h)
            # Sums of minima give those of maxima: max(h, r) = h + r - min(h, r).
            sh, sr, hr, shr = (
                row_sums(common)
                for common in (kept, np.minimum(s, r), np.minimum(h, r), np.minimum(kept, r))
            )
            result[0, order] = totals[sources] - sh - sr + hr + shr
            result[1, order] = totals[hypotheses] - sh - hr + sr
            result[2, order] = totals[references] - sr - hr + sh
        return result.reshape(len(STATISTICS), len(requests)).T


@dataclass(frozen=True)
class GreenScore(BestReferenceScore):
    beta: float = 2.0

    family: ClassVar[Family] = Green()

    def ingredients(self, of: Named) -> Named:
        precisions, recalls = self._shares(of)
        return {"precision": _geometric_mean(precisions), "recall": _geometric_mean(recalls)}

    def sentence_score(self, of: Named) -> Number:
        return f_of_shares(of["precision"], of["recall"], self.beta)

    def choose(self, statistics: FloatArray) -> Positions:
        """Return the chosen reference of each sentence: shape (..., references, 12) to (...)."""
        named = dict(zip(STATISTICS, np.moveaxis(statistics, -1, 0), strict=True))
        candidates = ~np.isnan(statistics[..., 0])
        for score in self._scores(named)[::-1]:
            ranked = np.where(candidates, score, -1)
            candidates &= ranked == ranked.max(axis=-1, keepdims=True)
        chosen: Positions = candidates.argmax(axis=-1)
        return chosen

    def _shares(self, of: Named) -> tuple[list[Number], list[Number]]:
        true = [of[f"tp_{n}"] for n in ORDERS]
        precisions = [share(tp, tp + of[f"fp_{n}"]) for n, tp in zip(ORDERS, true, strict=True)]
        recalls = [tp / at_least(tp + of[f"fn_{n}"], 1) for n, tp in zip(ORDERS, true, strict=True)]
        return precisions, recalls

    def _scores(self, of: Named) -> list[Number]:
        precisions, recalls = self._shares(of)
        return [
            f_of_shares(_geometric_mean(precisions[:n]), _geometric_mean(recalls[:n]), self.beta)
            for n in ORDERS
        ]


def _geometric_mean(ratios: Sequence[Number]) -> Number:
    # A root of the product, so that perfect ratios give exactly 1.
    product = ratios[0]
    for ratio in ratios[1:]:
        product = product * ratio
    return root(product, len(ratios))
