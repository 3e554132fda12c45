"""The I-measure: how far a hypothesis improves on its source, token by token.

Felice and Briscoe 2015, "Towards a standard evaluation method for grammatical error detection and
correction". Tokens of source, hypothesis and reference are aligned and counted (TP, TN, FP, FN, and
FPN where all three differ, which is both FP and FN):

    WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
    I    = floor(WAcc)            where WAcc is that of the source itself
           (WAcc - b) / (1 - b)   above it, with b the source's
           WAcc / b - 1           below it

Each sentence is compared with the reference that gives it the largest WAcc of corrections; a corpus
has the sums of the chosen references' counts.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.metrics.base import EditFamily, FloatArray, GoldGroup
from analysis.metrics.edits import Annotation, parse_annotation
from analysis.metrics.imeasure.alignment import FN, FP, TP
from analysis.metrics.imeasure.gold import Option, Tokens, gold_errors, reference_count, references
from analysis.metrics.imeasure.mixing import (
    Counts,
    Outcomes,
    best_sum,
    mixture_counts,
    reference_counts,
)

_CLASSES = ("tp", "tn", "fp", "fn", "fpn")
STATISTICS = (
    *(
        f"{aspect}_{name}"
        for aspect in ("correction", "base_correction", "detection", "base_detection")
        for name in _CLASSES
    ),
    "n_references",
    "approximated",
)
WEIGHT = 2
BETA = 1.0


@dataclass(frozen=True)
class _Improvement(EditFamily):
    """Counts of all tokens beside what a hypothesis is compared with.

    `weight` is w of WAcc, which decides between references; `beta` is for F of the counts.
    """

    weight: int = WEIGHT
    beta: float = BETA

    version = "1"
    per_reference = False
    statistics = STATISTICS

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Both of them; beta, of which no count depends, only where it is not F1's."""
        beta = () if self.beta == BETA else (("beta", f"{self.beta:g}"),)
        return (("w", str(self.weight)), *beta)

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts, number of references and whether approximated: (hypotheses, 1, 22)."""
        return [self._group(group) for group in groups]

    @abstractmethod
    def _group(self, group: GoldGroup) -> FloatArray:
        """Return the statistics of one group."""


@dataclass(frozen=True)
class IMeasure(_Improvement):
    """Counts beside the best reference of a single annotator."""

    name = "imeasure"
    cost: ClassVar[int] = 10

    def _group(self, group: GoldGroup) -> FloatArray:
        source = tuple(group.source.split())
        annotations = _annotations(group)
        errors = gold_errors(source, annotations)
        options = tuple(references(source, annotations).values())
        known: dict[tuple[int, int, Tokens, Option], tuple[Counts, bool]] = {}
        rows = np.empty((len(group.hypotheses), 1, len(STATISTICS)))
        for number, hypothesis in enumerate(group.hypotheses):
            tokens = tuple(hypothesis.split())
            counts, exact = reference_counts(source, tokens, errors, options, known)
            rows[number, 0] = [*best_sum([counts], self.weight), len(options), not exact]
        return rows


@dataclass(frozen=True)
class IMeasureMix(_Improvement):
    """Counts beside the best mixture of the annotators' corrections."""

    name = "imeasure_mix"
    cost: ClassVar[int] = 100

    def _group(self, group: GoldGroup) -> FloatArray:
        source = tuple(group.source.split())
        errors = gold_errors(source, _annotations(group))
        known: dict[tuple[int, int, Tokens], Outcomes] = {}
        rows = np.empty((len(group.hypotheses), 1, len(STATISTICS)))
        for number, hypothesis in enumerate(group.hypotheses):
            tokens = tuple(hypothesis.split())
            counts, exact = mixture_counts(source, tokens, errors, self.weight, known)
            rows[number, 0] = [*counts, float(reference_count(errors)), not exact]
        return rows


def weighted_accuracy(counts: FloatArray, weight: float = WEIGHT) -> FloatArray:
    """Return WAcc of tp, tn, fp, fn, fpn on the last axis; 1 where there is no token."""
    tp, tn, fp, fn, fpn = np.moveaxis(counts, -1, 0)
    right = weight * tp + tn
    total = right + weight * fp + fn - (weight + 1) * fpn / 2
    return np.where(total > 0, right / np.where(total > 0, total, 1), 1.0)


def accuracy(counts: FloatArray) -> FloatArray:
    """Return the share of right tokens; 1 where there is none."""
    tp, tn, fp, fn, fpn = np.moveaxis(counts, -1, 0)
    total = tp + tn + fp + fn - fpn
    return np.where(total > 0, (tp + tn) / np.where(total > 0, total, 1), 1.0)


def precision(counts: FloatArray) -> FloatArray:
    """Return tp / (tp + fp); 1 where nothing is proposed."""
    tp, fp = counts[..., TP], counts[..., FP]
    return np.where(tp + fp > 0, tp / np.maximum(tp + fp, 1), 1.0)


def recall(counts: FloatArray) -> FloatArray:
    """Return tp / (tp + fn); 1 where there is nothing to find."""
    tp, fn = counts[..., TP], counts[..., FN]
    return np.where(tp + fn > 0, tp / np.maximum(tp + fn, 1), 1.0)


def f_score(counts: FloatArray, beta: float = BETA) -> FloatArray:
    """Return F of precision and recall; 0 where both are 0."""
    p, r = precision(counts), recall(counts)
    weighted = beta**2 * p + r
    return np.where(weighted > 0, (1 + beta**2) * p * r / np.where(weighted > 0, weighted, 1), 0.0)


def improvement(system: FloatArray, base: FloatArray) -> FloatArray:
    """Return I in -1..1, from the weighted accuracies of hypothesis and source."""
    above = (system - base) / np.where(base < 1, 1 - base, 1)
    below = system / np.where(base > 0, base, 1) - 1
    return np.where(system == base, np.floor(system), np.where(system > base, above, below))


def improvement_of_counts(statistics: FloatArray) -> FloatArray:
    """Return I of corrections from statistics, or sums of them, on the last axis."""
    return improvement(
        weighted_accuracy(statistics[..., 0:5]), weighted_accuracy(statistics[..., 5:10])
    )


def _annotations(group: GoldGroup) -> list[Annotation | None]:
    return [None if text is None else parse_annotation(text) for text in group.gold]
