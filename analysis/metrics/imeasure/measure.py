"""The I-measure: how much a hypothesis improves on its source, token by token.

Felice and Briscoe 2015, "Towards a standard evaluation method for grammatical error detection and
correction". Tokens of source, hypothesis and reference are aligned and counted (TP, TN, FP, FN, and
FPN if all three differ, which is both FP and FN):

    WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
    I    = floor(WAcc)            if WAcc equals b, the WAcc of the source
           (WAcc - b) / (1 - b)   if WAcc > b
           WAcc / b - 1           if WAcc < b

Each sentence is compared with the reference that gives it the highest WAcc of correction. A corpus
sums the counts with the chosen references.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import ClassVar

import numpy as np

from maege.analysis.edits import gold_annotations
from maege.analysis.metrics.families.base import EditFamily, FloatArray, GoldGroup
from maege.analysis.metrics.imeasure.gold import (
    GoldError,
    Tokens,
    corrected,
    gold_errors,
    reference_count,
    references,
)

COUNTS = ("tp", "tn", "fp", "fn", "fpn")
STATISTICS = (
    *(
        f"{aspect}_{name}"
        for aspect in ("correction", "base_correction", "detection", "base_detection")
        for name in COUNTS
    ),
    "n_references",
    "approximated",
)
WEIGHT = 2
BETA = 1.0

# The mixtures of sentences with few mixtures are aligned one by one. The mixtures of other
# sentences are searched together, unless a batch can align all of them in four seconds, because the
# kernels of the search take 20 seconds to compile.
FEW_MIXTURES = 100
FEW_ALIGNMENTS = 150_000


@dataclass(frozen=True)
class _Improvement(EditFamily):
    """Counts of all tokens, compared with the best reference or mixture.

    `weight` is w of WAcc, which decides between references. `beta` is for the F score of the
    counts.
    """

    weight: int = WEIGHT
    beta: float = BETA

    version = "3"
    per_reference = False
    statistics = STATISTICS

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The parameters `weight` and, if it is not 1, `beta`, which does not affect counts."""
        beta = () if self.beta == BETA else (("beta", f"{self.beta:g}"),)
        return (("w", str(self.weight)), *beta)


@dataclass(frozen=True)
class IMeasure(_Improvement):
    """Counts for the best reference of a single annotator."""

    name = "imeasure"
    cost: ClassVar[int] = 8

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts, number of references and whether approximated: (hypotheses, 1, 22)."""
        results = []
        for group in groups:
            source = tuple(group.source.split())
            texts = tuple(references(source, gold_annotations(group.gold, group.source)))
            found = _best_separately(source, texts, group.hypotheses, self.weight)
            results.append(_rows(found, len(texts)))
        return results


@dataclass(frozen=True)
class IMeasureMix(_Improvement):
    """Counts for the best mixture of the annotators' corrections."""

    name = "imeasure_mix"
    version = "4"
    cost: ClassVar[int] = 7

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts, number of references and whether approximated: (hypotheses, 1, 22)."""
        errors = [
            gold_errors(tuple(group.source.split()), gold_annotations(group.gold, group.source))
            for group in groups
        ]
        n_mixtures = [reference_count(of_group) for of_group in errors]
        n_alignments = sum(
            n * len(group.hypotheses)
            for n, group in zip(n_mixtures, groups, strict=True)
            if n > FEW_MIXTURES
        )
        most = FEW_ALIGNMENTS if n_alignments <= FEW_ALIGNMENTS else FEW_MIXTURES
        return [
            _rows(self._best(group, of_group, one_by_one=n <= most), n)
            for group, of_group, n in zip(groups, errors, n_mixtures, strict=True)
        ]

    def _best(
        self, group: GoldGroup, errors: list[GoldError], *, one_by_one: bool
    ) -> list[tuple[list[int], bool]]:
        """Return the counts of hypotheses with the best mixture, and whether they are exact."""
        source = tuple(group.source.split())
        if one_by_one:
            mixtures = dict.fromkeys(
                corrected(source, [made for option in chosen for made in option])
                for chosen in product(*(error.options for error in errors))
            )
            if len(mixtures) == 1:
                return _best_separately(source, tuple(mixtures), group.hypotheses, self.weight)
            from maege.analysis.metrics.imeasure.best_reference import best_of_separate

            return best_of_separate(source, [*mixtures], _tokens(group.hypotheses), self.weight)
        # Imported here, because the kernels take 20 CPU seconds to compile.
        from maege.analysis.metrics.imeasure.best import best_of_mixed

        texts = tuple(references(source, gold_annotations(group.gold, group.source)))
        return best_of_mixed(source, errors, texts, _tokens(group.hypotheses), self.weight)


# A worker counts the groups of the families one family after the other. If there is nothing to mix,
# the next family finds the counts in this cache.
@lru_cache(maxsize=1024)
def _best_separately(
    source: Tokens, texts: tuple[Tokens, ...], hypotheses: tuple[str, ...], weight: int
) -> list[tuple[list[int], bool]]:
    """Return the counts of each hypothesis with the best reference, aligned separately."""
    # Imported here, because the kernels are compiled at import.
    from maege.analysis.metrics.imeasure.best_reference import best_of_separate

    return best_of_separate(source, texts, _tokens(hypotheses), weight)


def _tokens(texts: Sequence[str]) -> list[Tokens]:
    return [tuple(text.split()) for text in texts]


def _rows(found: Sequence[tuple[list[int], bool]], n_references: int) -> FloatArray:
    """Return the statistics of hypotheses from the numbers of columns by which texts agree."""
    rows = np.empty((len(found), 1, len(STATISTICS)))
    for number, ((agreed, missed, hit, false, other, base, base_missed), exact) in enumerate(found):
        rows[number, 0] = [
            *(hit, agreed, false + other, missed + other, other),
            *(0, base, 0, base_missed, 0),
            *(hit + other, agreed, false, missed, 0),
            *(0, base, 0, base_missed, 0),
            *(float(n_references), not exact),
        ]
    return rows
