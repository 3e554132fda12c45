"""CLEME and CLEME2.0: compute scores from chunk counts.

Ye et al. 2023, "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction":

    P = TP / (TP + FP)    R = TP / (TP + FN)    F.5 of both

0 / 0 counts as 1. F is rounded to four decimals before it is compared or averaged, as in the
program.

Ye et al. 2024, "CLEME2.0: Towards Interpretable Evaluation by Disentangling Edits for Grammatical
Error Correction", with four aspects:

    hit = TP / ne    wrong = fp_ne / ne    under = FN / ne      where ne = TP + fp_ne + FN
    over = fp_un / (TP + fp_ne + fp_un)
    a hit + b (1 - wrong) + c (1 - under) + d (1 - over)

0 / 0 counts as 0 here, so a sentence without errors and without edits does not score 1. The factors
a to d differ between corpora and sentences.

The dependent variant compares with single references. In each sentence it chooses the reference
that maximises the corpus score so far.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.cleme.chunks import COUNTS, TN, ClemeDependent, ClemeIndependent
from maege.analysis.metrics.families.base import Family, FloatArray
from maege.analysis.metrics.scores.annotators import choose_greedily
from maege.analysis.metrics.scores.formula import (
    QUIET,
    Named,
    Number,
    f_of_shares,
    rounded,
    share,
    where,
)
from maege.analysis.metrics.scores.score import (
    BestReferenceScore,
    CountedScore,
    Positions,
    Reported,
)

BETA = 0.5
DECIMALS = 4
# The factors of hit, wrong, under and over.
Factors = tuple[float, float, float, float]
CORPUS_FACTORS = (0.45, 0.35, 0.15, 0.05)
SENTENCE_FACTORS = (0.35, 0.25, 0.20, 0.20)


class _ChunkScore(BestReferenceScore, CountedScore):
    def choose(self, statistics: FloatArray) -> Positions:
        """Return the chosen reference of each sentence, shape (systems, sentences).

        `statistics` has shape (systems, sentences, references, 5). Ties are broken by the highest
        TP, then the lowest FP and FN.
        """
        tp, fp_ne, fp_un, fn, _ = np.moveaxis(statistics, -1, 0)
        return choose_greedily(statistics, self.of_sums, (tp, -fp_ne - fp_un, -fn))

    def reported(self, sums: FloatArray) -> Reported:
        """Return the counts, the CLEME scores, and the four aspects of CLEME2.0."""
        of = dict(zip(COUNTS, np.moveaxis(sums, -1, 0), strict=True))
        fp = of["fp_ne"] + of["fp_un"]
        counts = {"tp": of["tp"], "tn": of["tn"], "fp": fp, "fn": of["fn"], "fpn": of["fp_ne"]}
        return {"correction": {**counts, **measures(of), **aspects(of)}}


@dataclass(frozen=True)
class ClemeScore(_ChunkScore):
    """CLEME against single references. A sentence has the score of its best reference."""

    beta: float = BETA

    family: ClassVar[Family] = ClemeDependent()

    def sentence_score(self, of: Named) -> Number:
        """Return F, rounded."""
        return rounded(f_of_shares(*_precision_and_recall(of), self.beta), DECIMALS)


class ClemeIndependentScore(ClemeScore):
    """CLEME against all references at once."""

    family = ClemeIndependent()


@dataclass(frozen=True)
class Cleme2Score(_ChunkScore):
    """CLEME2.0 against single references. A sentence has the score of its best reference."""

    corpus_factors: Factors = CORPUS_FACTORS
    sentence_factors: Factors = SENTENCE_FACTORS

    family: ClassVar[Family] = ClemeDependent()

    def sentence_score(self, of: Named) -> Number:
        """Return the weighted sum of the aspects, with the factors for sentences."""
        return _weighted(of, self.sentence_factors)

    @QUIET
    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Return the weighted sum of the aspects, with the factors for corpora."""
        of = dict(zip(COUNTS, np.moveaxis(sums, -1, 0), strict=True))
        score: FloatArray = _weighted(of, self.corpus_factors)
        return score


class Cleme2IndependentScore(Cleme2Score):
    """CLEME2.0 against all references at once."""

    family = ClemeIndependent()


@QUIET
def measures(of: Named) -> dict[str, Number]:
    """Return precision, recall, F and accuracy, each of them rounded."""
    p, r = _precision_and_recall(of)
    exact = {
        "p": p,
        "r": r,
        "f": f_of_shares(p, r, BETA),
        "acc": (of["tp"] + of["tn"]) / sum(of[name] for name in COUNTS),
    }
    return {name: rounded(value, DECIMALS) for name, value in exact.items()}


def _precision_and_recall(of: Named) -> tuple[Number, Number]:
    tp, fn = of["tp"], of["fn"]
    return share(tp, tp + of["fp_ne"] + of["fp_un"]), share(tp, tp + fn)


@QUIET
def aspects(of: Named) -> dict[str, Number]:
    """Return the shares of errors that are hit, corrected wrongly and missed, and of over-edits."""
    tp, wrong, over, fn = (of[name] for name in COUNTS[:TN])
    errors = tp + wrong + fn
    return {
        "hit": _part(tp, errors),
        "wrong": _part(wrong, errors),
        "under": _part(fn, errors),
        "over": _part(over, tp + wrong + over),
    }


def _part(part: Number, total: Number) -> Number:
    return where(total > 0, part / total, 0)


def _weighted(of: Named, factors: Factors) -> Number:
    shares: Mapping[str, Number] = aspects(of)
    a, b, c, d = factors
    return (
        a * shares["hit"]
        + b * (1 - shares["wrong"])
        + c * (1 - shares["under"])
        + d * (1 - shares["over"])
    )
