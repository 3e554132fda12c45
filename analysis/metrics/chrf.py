"""chrF: F score of precision and recall of character n-grams.

Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation", with the statistics of
sacreBLEU (Post 2018): n = 1 to 6 without spaces, beta = 2. From the numbers of n-grams of the
hypothesis, of the reference and of matches, P_n = match / hypothesis and R_n = match / reference:

    chrF = (1 + beta^2) P R / (beta^2 P + R)

P and R are means over the orders for which both texts have n-grams. A sentence uses the reference
with the highest score. A corpus sums the counts with the chosen references. Scores range from 0 to
1; sacreBLEU multiplies them by 100.
"""

from collections import Counter
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families import FloatArray, Slice, StatisticsFamily, exclusive_sum
from maege.analysis.metrics.formula import (
    Named,
    Number,
    at_least,
    at_most,
    f_of_shares,
    where,
)
from maege.analysis.metrics.scores import SummedFamilyScore

BETA = 2
ORDERS = range(1, 7)


class Chrf(StatisticsFamily):
    name = "chrf"
    parameters = (("nc", str(len(ORDERS))), ("case", "mixed"), ("space", "no"), ("eff", "yes"))
    reads_references = True
    statistics = tuple(f"{of}_{n}" for n in ORDERS for of in ("hypothesis", "reference", "match"))
    cost: ClassVar[int] = 20

    def _compute_slice(self, piece: Slice) -> FloatArray:
        references = [_ngrams(piece.texts[row]) for row in piece.references.tolist()]
        bounds = np.cumsum(piece.reference_counts).tolist()
        rows: list[list[int]] = []
        for row, scope in zip(
            piece.hypotheses.tolist(), piece.request_scopes.tolist(), strict=True
        ):
            hypothesis = _ngrams(piece.texts[row])
            first = bounds[scope] - piece.reference_counts[scope]
            rows += [_counts(hypothesis, ngrams) for ngrams in references[first : bounds[scope]]]
        counts = np.array(rows, np.float64)
        scores = ChrfScore().formula(counts)
        starts = exclusive_sum(piece.reference_counts[piece.request_scopes])
        requests, _ = piece.comparisons()
        best = np.flatnonzero(scores == np.maximum.reduceat(scores, starts)[requests])
        # The first of equally good references counts.
        _, first_best = np.unique(requests[best], return_index=True)
        return counts[best[first_best]]


class ChrfScore(SummedFamilyScore):
    family = Chrf()

    def sentence_score(self, of: Named) -> Number:
        precision, recall, orders = 0.0, 0.0, 0
        for n in ORDERS:
            hypothesis, reference = of[f"hypothesis_{n}"], of[f"reference_{n}"]
            is_compared = at_most(at_most(hypothesis, reference), 1)
            precision += where(is_compared > 0, of[f"match_{n}"] / hypothesis, 0)
            recall += where(is_compared > 0, of[f"match_{n}"] / reference, 0)
            orders += is_compared
        compared = at_least(orders, 1)
        return f_of_shares(precision / compared, recall / compared, BETA)


def _ngrams(text: str) -> list[Counter[str]]:
    characters = "".join(text.split())
    return [Counter(characters[i : i + n] for i in range(len(characters) - n + 1)) for n in ORDERS]


def _counts(hypothesis: list[Counter[str]], reference: list[Counter[str]]) -> list[int]:
    counts = []
    for h, r in zip(hypothesis, reference, strict=True):
        matches = sum(min(number, r[ngram]) for ngram, number in h.items() if ngram in r)
        # As in sacreBLEU, n-grams of the hypothesis do not count if the reference has none.
        counts += [h.total() if r else 0, r.total(), matches]
    return counts
