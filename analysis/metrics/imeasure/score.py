"""The I-measure: how much a hypothesis improves on its source, token by token.

Felice and Briscoe 2015, "Towards a standard evaluation method for grammatical error detection and
correction". Tokens of source, hypothesis and reference are aligned and counted (TP, TN, FP, FN, and
FPN if all three differ, which is both FP and FN):

    WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
    I    = floor(WAcc)            if WAcc equals b, the WAcc of the source
           (WAcc - b) / (1 - b)   if WAcc > b
           WAcc / b - 1           if WAcc < b

Each sentence is compared with the reference that gives it the highest WAcc of correction. A corpus
sums the counts with the chosen references. Counts are tp, tn, fp, fn and fpn, in this order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from maege.analysis.edits import gold_annotations
from maege.analysis.metrics.families.base import EditFamily, Family, FloatArray, GoldGroup
from maege.analysis.metrics.imeasure.gold import (
    GoldError,
    Option,
    Tokens,
    corrected,
    gold_errors,
    reference_count,
    references,
)
from maege.analysis.metrics.scores.formula import (
    QUIET,
    Named,
    Number,
    f_of_shares,
    floor,
    is_equal,
    share,
    where,
)
from maege.analysis.metrics.scores.score import CountedScore, Reported

if TYPE_CHECKING:  # Its kernels are compiled at import.
    from maege.analysis.metrics.imeasure.alignment import Aligner, Columns

CORRECTION, DETECTION = "correction", "detection"
BASE = "base_"
COUNTS = ("tp", "tn", "fp", "fn", "fpn")
STATISTICS = (
    *(
        f"{base}{aspect}_{name}"
        for aspect in (CORRECTION, DETECTION)
        for base in ("", BASE)
        for name in COUNTS
    ),
    "n_references",
    "approximated",
)
WEIGHT = 2
BETA = 1.0

# A hypothesis is compared with every mixture of a sentence that has at most this many.
MOST_MIXTURES = 1000


@dataclass(frozen=True)
class IMeasure(EditFamily):
    """Counts of all tokens, compared with the best reference of a single annotator.

    `weight` is w of WAcc, which decides between references. `beta` is for the F score of the
    counts.
    """

    weight: int = WEIGHT
    beta: float = BETA

    name: ClassVar[str] = "imeasure"
    version = "3"
    per_reference = False
    statistics = STATISTICS
    cost: ClassVar[int] = 8

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The parameters `weight` and, if it is not 1, `beta`, which does not affect counts."""
        beta = () if self.beta == BETA else (("beta", f"{self.beta:g}"),)
        return (("w", str(self.weight)), *beta)

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts, number of references and whether approximated: (hypotheses, 1, 22)."""
        from maege.analysis.metrics.imeasure.alignment import Aligner

        results = []
        for source, same_source in groupby(groups, key=attrgetter("source")):
            aligner = Aligner(source)
            results += [self._statistics(group, aligner) for group in same_source]
        return results

    def _statistics(self, group: GoldGroup, aligner: "Aligner") -> FloatArray:
        texts = list(references(aligner.source, gold_annotations(group.gold, group.source)))
        # Groups of a source have many pairs in common.
        rows = [
            _row(*best_reference(aligner.stored_columns, text, texts, self.weight), len(texts))
            for text in group.hypotheses
        ]
        return np.array(rows, np.float64)[:, np.newaxis]


@dataclass(frozen=True)
class IMeasureMix(IMeasure):
    """Counts for the best mixture of the annotators' corrections."""

    name = "imeasure_mix"
    version = "5"
    cost: ClassVar[int] = 7

    def _statistics(self, group: GoldGroup, aligner: "Aligner") -> FloatArray:
        annotations = gold_annotations(group.gold, group.source)
        errors = gold_errors(aligner.source, annotations)
        n_mixtures = reference_count(errors)
        if n_mixtures <= MOST_MIXTURES:
            choices = product(*(error.options for error in errors))
            texts = list(dict.fromkeys(mixture(aligner.source, choice) for choice in choices))
            best = [
                best_reference(aligner.columns, text, texts, self.weight)
                for text in group.hypotheses
            ]
        else:
            texts = list(references(aligner.source, annotations))
            best = [
                _best_found(aligner, text, errors, texts, self.weight) for text in group.hypotheses
            ]
        return np.array([_row(*counts, n_mixtures) for counts in best], np.float64)[:, np.newaxis]


def mixture(source: Tokens, options: Iterable[Option]) -> Tokens:
    """Return the reference with these options."""
    return corrected(source, [replacement for option in options for replacement in option])


def best_reference(
    align: Callable[[str, Tokens], tuple["Columns", bool]],
    hypothesis: str,
    texts: Sequence[Tokens],
    weight: int,
) -> tuple["Columns", bool]:
    """Return the columns with the best reference, and whether all alignments are exact.

    The first of equally good references counts.
    """
    columns = [align(hypothesis, text) for text in texts]
    best, *candidates = dict.fromkeys(counts for counts, _ in columns)
    for candidate in candidates:
        if _is_better(candidate, best, weight):
            best = candidate
    return best, all(exact for _, exact in columns)


def _best_found(
    aligner: "Aligner",
    hypothesis: str,
    errors: Sequence[GoldError],
    texts: Sequence[Tokens],
    weight: int,
) -> tuple["Columns", bool]:
    """Return the columns with a good mixture, or with the best of some texts, as not exact.

    The search changes one error at a time, as long as the mixture becomes better.
    """
    best, _ = best_reference(aligner.columns, hypothesis, texts, weight)
    compared = set(texts)
    for start in (0, -1):
        options = [error.options[start] for error in errors]
        columns, _ = aligner.columns(hypothesis, mixture(aligner.source, options))
        improved = True
        while improved:
            improved = False
            for place, error in enumerate(errors):
                for option in error.options:
                    changed = [*options[:place], option, *options[place + 1 :]]
                    text = mixture(aligner.source, changed)
                    if text in compared:
                        continue
                    compared.add(text)
                    other, _ = aligner.columns(hypothesis, text)
                    if _is_better(other, columns, weight):
                        options, columns, improved = changed, other, True
        if _is_better(columns, best, weight):
            best = columns
    return best, False


def _is_better(columns: "Columns", other: "Columns", weight: int) -> bool:
    if columns == other:
        return False
    first, second = (_weighted_accuracy(compared, weight) for compared in (columns, other))
    if first != second:
        return first > second
    return _priorities(columns, weight) > _priorities(other, weight)


def _priorities(columns: "Columns", weight: int) -> list[Fraction]:
    """Return the measures that decide between references, in the order of their priority."""
    agreed, missed, hit, false, other, base, base_missed = columns
    base_accuracy = _ratio(base, base + base_missed)
    measures = []
    for right, wrong in ((hit, other), (hit + other, 0)):
        weighted = _weighted_accuracy((agreed, missed, right, false, wrong), weight)
        if weighted > base_accuracy:
            improved = (weighted - base_accuracy) / (1 - base_accuracy)
        elif weighted < base_accuracy:
            improved = weighted / base_accuracy - 1
        else:
            improved = Fraction(weighted // 1)
        accurate = _ratio(right + agreed, agreed + missed + hit + false + other)
        measures += [weighted, improved, accurate]
    return measures


def _weighted_accuracy(columns: Sequence[int], weight: int) -> Fraction:
    """Return WAcc, in which tokens on which all three texts differ are wrong."""
    agreed, missed, hit, false, other = columns[:5]
    right = 2 * (weight * hit + agreed)
    return _ratio(right, right + 2 * (weight * false + missed) + (weight + 1) * other)


def _ratio(part: int, total: int) -> Fraction:
    return Fraction(part, total) if total else Fraction(1)


def _row(columns: "Columns", exact: bool, n_references: int) -> list[float]:
    agreed, missed, hit, false, other, base, base_missed = columns
    return [
        *(hit, agreed, false + other, missed + other, other),
        *(0, base, 0, base_missed, 0),
        *(hit + other, agreed, false, missed, 0),
        *(0, base, 0, base_missed, 0),
        *(n_references, not exact),
    ]


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
