"""Fluency: the probability of a text relative to the probability of its single words.

Asano, Mizumoto and Inui 2017, "Reference-based Metrics can be Replaced with Reference-less Metrics
in Evaluating Grammatical Error Correction Systems", Equation 1, after the acceptability measure
SLOR of Lau, Clark and Lappin 2015:

    score = (log10 P_m - log10 P_u) / tokens, at least 0 and at most 1

P_m is the language model's probability of the text, and P_u the product of its unigram
probabilities. The paper does not give the base of the logarithm. Only with base 10 are most scores
below 1, as the paper says.
"""

from functools import cache

import numpy as np

from maege.analysis.metrics.families.base import ENGLISH, FloatArray, Slice, StatisticsFamily
from maege.analysis.metrics.referenceless.language_models.interface import STATISTICS
from maege.analysis.metrics.referenceless.language_models.trigram import SHA256, VERSION, Trigram
from maege.analysis.metrics.scores.formula import Named, Number, at_least, at_most, is_equal, where
from maege.analysis.metrics.scores.score import FamilyScore


class Fluency(StatisticsFamily):
    """Statistics of a hypothesis under the trigram model."""

    name = "fluency"
    version = "1"
    parameters = (
        ("model", f"pocketsphinx{VERSION}-en-us-trigram"),
        ("sha256", SHA256[:12]),
        ("case", "lower"),
        ("unknown", "counted"),
    )
    reads_source = False
    reads_references = False
    languages = ENGLISH
    other_languages = "maege metric add --language-model makes fluency by a model of that language"
    per_reference = False
    statistics = STATISTICS

    def _compute_slice(self, piece: Slice) -> FloatArray:
        rows, requests = np.unique(piece.hypotheses, return_inverse=True)
        scores: FloatArray = load_model().score([piece.texts[row] for row in rows.tolist()])
        return scores[requests]


class FluencyScore(FamilyScore):
    """Equation 1; 0 for a text without a word."""

    family = Fluency()

    def sentence_score(self, of: Named) -> Number:
        """Return the fluency."""
        tokens = of["lm_tokens"]
        likelier = (of["log10_pm"] - of["log10_pu"]) / tokens
        return where(is_equal(tokens, 0), 0.0, at_most(at_least(likelier, 0), 1))


@cache
def load_model() -> Trigram:
    """Return the model of this process."""
    return Trigram()
