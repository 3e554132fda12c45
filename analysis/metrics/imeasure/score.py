"""Compute the I-measure from counts of tokens; the formulas are in the docstring of `measure`.

Counts are tp, tn, fp, fn and fpn, in this order.
"""

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families.base import Family, FloatArray
from maege.analysis.metrics.imeasure.measure import BETA, COUNTS, WEIGHT, IMeasure, IMeasureMix
from maege.analysis.metrics.scores.f_score import QUIET, f_of_shares, share
from maege.analysis.metrics.scores.formula import Named, Number, floor, is_equal, where
from maege.analysis.metrics.scores.score import CountedScore, Reported

CORRECTION, DETECTION = "correction", "detection"
BASE = "base_"


def weighted_accuracy(counts: Iterable[Number], weight: int = WEIGHT) -> Number:
    """Return WAcc; 1 without tokens."""
    tp, tn, fp, fn, fpn = counts
    right = weight * tp + tn
    return share(right, right + weight * fp + fn - (weight + 1) * fpn / 2)


def accuracy(counts: Iterable[Number]) -> Number:
    """Return the share of correct tokens; 1 without tokens."""
    tp, tn, fp, fn, fpn = counts
    return share(tp + tn, tp + tn + fp + fn - fpn)


def precision(counts: Iterable[Number]) -> Number:
    """Return tp / (tp + fp); 1 if nothing is proposed."""
    tp, _, fp, _, _ = counts
    return share(tp, tp + fp)


def recall(counts: Iterable[Number]) -> Number:
    """Return tp / (tp + fn); 1 if there is nothing to find."""
    tp, _, _, fn, _ = counts
    return share(tp, tp + fn)


def f_score(counts: Iterable[Number], beta: float = BETA) -> Number:
    """Return F of precision and recall; 0 if both are 0."""
    listed = tuple(counts)
    return f_of_shares(precision(listed), recall(listed), beta)


@QUIET
def improvement(system: Number, base: Number) -> Number:
    """Return I in -1..1, from the weighted accuracies of hypothesis and source."""
    above, below = (system - base) / (1 - base), system / base - 1
    return where(is_equal(system, base), floor(system), where(system > base, above, below))


class IMeasureScore(CountedScore):
    """The improvement computed from the counts for the best reference."""

    family: ClassVar[Family] = IMeasure()

    def sentence_score(self, of: Named) -> Number:
        """Return the I-measure."""
        return improvement(_accuracy(of, CORRECTION), _accuracy(of, BASE + CORRECTION))

    def published_score(self, of: Named, score: Number) -> Number:
        """Return the weighted accuracy; the published run did not compare it with the source's."""
        del score
        return _accuracy(of, CORRECTION)

    def reported(self, sums: FloatArray) -> Reported:
        """Return counts of tokens and all measures, for correction and for detection."""
        of = dict(zip(self.family.statistics, np.moveaxis(sums, -1, 0), strict=True))
        return {aspect: _measures(of, aspect) for aspect in (CORRECTION, DETECTION)}


class IMeasureMixScore(IMeasureScore):
    """The improvement computed from the counts for the best mixture."""

    family = IMeasureMix()


def _accuracy(of: Named, aspect: str) -> Number:
    return weighted_accuracy(_counts(of, aspect))


def _counts(of: Named, aspect: str) -> list[Number]:
    return [of[f"{aspect}_{count}"] for count in COUNTS]


def _measures(of: Named, aspect: str) -> dict[str, FloatArray]:
    counts = _counts(of, aspect)
    wacc, base_wacc = _accuracy(of, aspect), _accuracy(of, BASE + aspect)
    return {
        **dict(zip(COUNTS, counts, strict=True)),
        "p": precision(counts),
        "r": recall(counts),
        "f": f_score(counts),
        "acc": accuracy(counts),
        "wacc": wacc,
        "base_wacc": base_wacc,
        "improvement": improvement(wacc, base_wacc),
    }
