"""GLEU+: n-gram precision against a reference, minus a penalty for uncorrected n-grams.

Napoles et al. 2016, "GLEU Without Tuning", and its program of 2017:

    GLEU = exp(min(0, 1 - r / c) + sum over n of log(p_n) / 4)
    p_n  = max(0, overlap_n - penalty_n) / (c + 1 - n)

overlap_n is the sum of min(h, r) over all n-grams, where h, s and r are an n-gram's counts in
hypothesis, source and one reference. The penalty exists in two forms, both stored:

- `penalty`, the program's form: the sum of min(h, s) over the n-grams that are absent from r.
- `difference_penalty`, Equation 1 of the paper: the sum of max(0, min(h, s) - min(h, r)) over the
  n-grams of hypothesis and source. It penalises n-grams that the hypothesis keeps more often than
  the reference has them. Subtracting the reference from the source first, min(h, max(0, s - r)), is
  a different rule: for h = 1, s = 2, r = 1 it gives 1, Equation 1 gives 0.

Every sentence statistic of 0, lengths and totals included, counts as 1, as in the program.

The program draws one reference for each sentence in each of 500 iterations, with Python 2 or Python
3. It seeds `random` with j * 101 for iteration j and calls `random.randint(0, references - 1)` once
per sentence. Both Pythons have the same generator. Python 2 multiplies a fraction by the number of
references.
"""

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families import (
    MAX_ORDER,
    FloatArray,
    Slice,
    StatisticsFamily,
    count_ngrams,
    row_sums,
)
from maege.analysis.metrics.formula import Named, Number, at_least, at_most, exp, log
from maege.analysis.metrics.scores import (
    Generator,
    Reference,
    Statistics,
    SummedFamilyScore,
    SystemScores,
    resampled,
)
from maege.analysis.sample_weights import SampleWeights

ORDERS = range(1, MAX_ORDER + 1)
TINY = np.finfo(np.float64).tiny
ITERATIONS = 500
STATISTICS = (
    "hypothesis_length",
    "reference_length",
    *(f"overlap_{n}" for n in ORDERS),
    *(f"penalty_{n}" for n in ORDERS),
    *(f"difference_penalty_{n}" for n in ORDERS),
)
OVERLAP, PENALTY, DIFFERENCE_PENALTY = 2, 2 + MAX_ORDER, 2 + 2 * MAX_ORDER

# The program's penalty, the equation's, and the equation's in which a corpus counts sentences with
# more penalties than matches as negative.
Penalty = Literal["penalty", "difference_penalty", "unclipped_difference_penalty"]


class Gleu(StatisticsFamily):
    name = "gleu"
    parameters = (("n", str(MAX_ORDER)), ("tok", "space"), ("case", "mixed"))
    reads_source = True
    reads_references = True
    per_reference = True
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        lengths, orders = count_ngrams(piece.texts, piece.scopes, str.split)
        requests, references = piece.comparisons()
        reference_rows = piece.references[references]
        hypothesis_rows = piece.hypotheses[requests]
        result = np.zeros((len(STATISTICS), len(requests)))
        result[0] = lengths[hypothesis_rows]
        result[1] = lengths[reference_rows]
        for order, counts in enumerate(orders):
            hypothesis, reference = counts[hypothesis_rows], counts[reference_rows]
            shared = np.minimum(hypothesis, counts[piece.sources][requests])
            result[OVERLAP + order] = row_sums(np.minimum(hypothesis, reference))
            result[PENALTY + order] = row_sums(shared * (reference == 0))
            result[DIFFERENCE_PENALTY + order] = row_sums(np.maximum(shared - reference, 0))
        return result.T


@dataclass(frozen=True)
class GleuScore(SummedFamilyScore):
    """Bootstrap samples use the limit for many random references, shifted to the corpus score."""

    penalty: Penalty = "penalty"

    family = Gleu()
    over_references = "mean"

    def sentence_score(self, of: Named) -> Number:
        length = of["hypothesis_length"]
        numerators = [of[f"overlap_{n}"] - of[f"{self.penalty}_{n}"] for n in ORDERS]
        first, *logarithms = (
            log(at_least(numerator, 1) / at_least(length - (n - 1), 1))
            for n, numerator in zip(ORDERS, numerators, strict=True)
        )
        brevity = at_most(1 - at_least(of["reference_length"], 1) / at_least(length, 1), 0)
        return exp(brevity + sum(logarithms, start=first) / MAX_ORDER)

    def addends(self, statistics: FloatArray) -> FloatArray:
        terms = self.terms(statistics)
        total: FloatArray = np.nansum(terms, axis=-2)
        counts = (~np.isnan(terms[..., 0])).sum(axis=-1)
        # Scaled to equal weights, if sentences differ in their number of references.
        if counts.size and (counts != counts.flat[0]).any():
            total *= (np.lcm.reduce(np.unique(counts)) // counts)[..., np.newaxis]
        return total

    def terms(self, statistics: FloatArray) -> FloatArray:
        start = PENALTY if self.penalty == "penalty" else DIFFERENCE_PENALTY
        overlaps = statistics[..., OVERLAP : OVERLAP + MAX_ORDER]
        numerators = overlaps - statistics[..., start : start + MAX_ORDER]
        if self.penalty != "unclipped_difference_penalty":
            numerators = np.maximum(numerators, 0)
        totals = np.maximum(statistics[..., :1] + 1 - np.array(ORDERS), 0)
        return np.concatenate([statistics[..., :2], numerators, totals], axis=-1)

    # Outputs without any word have infinite brevity.
    @np.errstate(over="ignore")
    def of_sums(self, sums: FloatArray) -> FloatArray:
        positive = np.maximum(sums, TINY)
        numerators, totals = positive[..., 2 : 2 + MAX_ORDER], positive[..., 2 + MAX_ORDER :]
        brevity = np.minimum(0, 1 - positive[..., 1] / positive[..., 0])
        gleu = np.exp(brevity + np.log(numerators / totals).mean(axis=-1))
        return np.where(sums.all(axis=-1), gleu, 0)

    def corpus_score(self, statistics: FloatArray, rng: Reference = "py2") -> FloatArray:
        """Return corpus GLEU from statistics of shape (..., sentences, references, 14).

        `expected` takes the mean over the references, the limit for many iterations.
        """
        if rng == "expected":
            return self.of_sums(self.addends(statistics).sum(axis=-2))
        terms = self.terms(statistics)
        *systems, n_sentences, n_references, width = terms.shape
        is_missing = np.isnan(terms[..., 0]).all(axis=tuple(range(len(systems))))
        draws = reference_draws(tuple((~is_missing).sum(axis=-1).tolist()), rng)
        # Existing references, in order, precede missing ones.
        places = np.argsort(is_missing, axis=-1, kind="stable")
        sentences = np.arange(n_sentences)
        drawn = sentences * n_references + places[sentences, draws]
        # A matrix product, because a gather for each draw takes many times as long.
        is_drawn = np.zeros((len(draws), n_sentences * n_references), np.uint8)
        np.put_along_axis(is_drawn, drawn, values=1, axis=1)
        rows = np.nan_to_num(terms).reshape(math.prod(systems), -1, width)
        scores = self.of_sums(resampled(rows, is_drawn).reshape(len(draws), *systems, width))
        # Each system is summed along the last axis, so its mean does not depend on the others.
        mean: FloatArray = np.moveaxis(scores, 0, -1).copy().mean(axis=-1)
        return mean

    def system_scores(
        self, statistics: Statistics, weights: SampleWeights, gleu_rng: Reference
    ) -> SystemScores:
        limit, samples = super().system_scores(statistics, weights, gleu_rng)
        score = self.corpus_score(statistics[self.family.name], gleu_rng)
        return SystemScores(score, samples + (score - limit))


@lru_cache(maxsize=8)
def reference_draws(
    counts: tuple[int, ...], version: Generator
) -> NDArray[np.unsignedinteger[Any]]:
    """Return 0-based references from their numbers by sentence: (500 iterations, sentences)."""
    matrix = np.empty((ITERATIONS, len(counts)), np.min_scalar_type(max(counts, default=0)))
    # NumPy's legacy generator has the same numbers in a tenth of the time, but no `randrange`.
    python2, python3 = np.random.RandomState(), random.Random()  # noqa: S311 (as in the program)
    for iteration in range(ITERATIONS):
        if version == "py2":
            python2.seed([iteration * 101])
            matrix[iteration] = python2.random_sample(len(counts)) * counts
        else:
            python3.seed(iteration * 101)
            matrix[iteration] = [python3.randrange(count) for count in counts]
    matrix.setflags(write=False)
    return matrix
