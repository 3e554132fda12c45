"""GLEU+: n-gram precision against a reference, less what should have been changed and was not.

Napoles et al. 2016, "GLEU Without Tuning", and its program of 2017:

    GLEU = exp(min(0, 1 - r / c) + sum over n of log(p_n) / 4)
    p_n  = max(0, overlap_n - penalty_n) / (c + 1 - n)

overlap_n is the sum of min(h, r) over all n-grams, where h, s and r are an n-gram's counts in
hypothesis, source and one reference. The penalty exists in two forms, both stored:

- `penalty`, what the program does: the sum of min(h, s) over the n-grams that are absent from r.
- `difference_penalty`, Equation 1 of the paper: the sum of max(0, min(h, s) - min(h, r)) over the
  n-grams of hypothesis and source: what the hypothesis keeps more often than the reference has it
  is penalised for the surplus. Subtracting the reference from the source first,
  min(h, max(0, s - r)), would be another rule: with h = 1, s = 2, r = 1 it gives 1, Equation 1
  gives 0.
"""

import numpy as np

from analysis.metrics.base import FloatArray, Slice, StatisticsFamily
from analysis.metrics.ngrams import MAX_ORDER, count_bits, count_ngrams

ORDERS = range(1, MAX_ORDER + 1)
STATISTICS = (
    "hypothesis_length",
    "reference_length",
    *(f"overlap_{n}" for n in ORDERS),
    *(f"penalty_{n}" for n in ORDERS),
    *(f"difference_penalty_{n}" for n in ORDERS),
)
OVERLAP, PENALTY, DIFFERENCE_PENALTY = 2, 2 + MAX_ORDER, 2 + 2 * MAX_ORDER


class Gleu(StatisticsFamily):
    """GLEU statistics of a hypothesis and its source against each reference."""

    name = "gleu"
    version = "1"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"))
    reads_source = True
    reads_references = True
    per_reference = True
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split, piece.hypotheses)
        requests, references = piece.comparisons()
        reference_rows = piece.references[references]
        hypothesis_rows = piece.hypotheses[requests]
        result = np.zeros((len(STATISTICS), len(requests)))
        result[0] = lengths[hypothesis_rows]
        result[1] = lengths[reference_rows]
        for order, counts in enumerate(orders):
            for bits, presence in zip(*count_bits(counts), strict=True):
                hypothesis = bits[hypothesis_rows]
                reference = bits[reference_rows]
                unchanged = (bits[piece.hypotheses] & bits[piece.sources])[requests]
                result[OVERLAP + order] += np.bitwise_count(hypothesis & reference)
                # Bits that only hypothesis and source share: min(h, s) - min(h, s, r), summed.
                result[DIFFERENCE_PENALTY + order] += np.bitwise_count(unchanged & ~reference)
                result[PENALTY + order] += np.bitwise_count(unchanged & ~presence[reference_rows])
        return result.T
