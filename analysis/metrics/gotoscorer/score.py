"""GoToScorer: an F score in which difficult corrections have a higher weight.

Gotou et al. 2020, "Taking the Correction Difficulty into Account in Grammatical Error Correction
Evaluation":

    P = TP / (TP + FP)    R = TP / (TP + FN)    Acc = (TP + TN) / all    F.5 of P and R

of summed weights; 0 / 0 counts as 0. The weights depend on the systems, so scores from different
sets of systems are not comparable. The program reads one annotator. With several annotators, this
module chooses for each sentence the one that maximises the corpus score so far.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families.base import Family, FloatArray
from maege.analysis.metrics.gotoscorer.family import COUNTS, GoToScorer, GoToScorerChunks
from maege.analysis.metrics.scores.f_score import QUIET
from maege.analysis.metrics.scores.formula import Named, Number, where
from maege.analysis.metrics.scores.greedy import choose_greedily
from maege.analysis.metrics.scores.score import (
    BestReferenceScore,
    CountedScore,
    Positions,
    Reported,
)

BETA = 0.5


@dataclass(frozen=True)
class GoToScore(BestReferenceScore, CountedScore):
    """F of weighted chunks. A sentence has the score with its best annotator."""

    beta: float = BETA

    family: ClassVar[Family] = GoToScorer()

    def sentence_score(self, of: Named) -> Number:
        """Return F with one annotator."""
        tp = (1 + self.beta**2) * of["tp"]
        return where(tp > 0, tp / (tp + of["fp"] + self.beta**2 * of["fn"]), 0)

    def choose(self, statistics: FloatArray) -> Positions:
        """Return the chosen annotator of each sentence, shape (systems, sentences).

        `statistics` has shape (systems, sentences, annotators, k). Ties are broken by the highest
        TP, then the lowest FP and FN.
        """
        tp, fp, fn = np.moveaxis(statistics[..., :3], -1, 0)
        return choose_greedily(statistics, self.of_sums, (tp, -fp, -fn))

    @QUIET
    def reported(self, sums: FloatArray) -> Reported:
        """Return the numbers of chunks and the scores computed from their weights."""
        of = dict(zip(self.family.statistics, np.moveaxis(sums, -1, 0), strict=True))
        suffix = "_chunks" if self.family.reads_outputs else ""
        tp, fp, fn, tn = (of[count] for count in COUNTS[:4])
        right, total = tp + tn, of["weight" if suffix else "chunks"]
        measures = {
            "p": where(tp > 0, tp / (tp + fp), 0),
            "r": where(tp > 0, tp / (tp + fn), 0),
            "f": self.of_sums(sums),
            "acc": where(right > 0, right / total, 0),
        }
        return {"correction": {n: of[f"{n}{suffix}"] for n in COUNTS[:4]} | measures}


class UnweightedGoToScore(GoToScore):
    """F of unweighted chunks, as with the program's option -no_weight."""

    family = GoToScorerChunks()
