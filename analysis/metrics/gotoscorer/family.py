"""Chunks that a hypothesis gets right and wrong, weighed by how many systems get them wrong.

Gotou et al. 2020: of N systems that corrected the sentence, n have a chunk of the gold as it is;
the chunk weighs 1 - n / N. What all get right weighs nothing. Weights are stored as the N - n that
they are a share of, whole numbers whose sums are exact.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from analysis.metrics.base import EditFamily, FloatArray, GoldGroup
from analysis.metrics.edits import parse_annotation, within
from analysis.metrics.gotoscorer.chunks import Gold, Hypothesis
from analysis.metrics.gotoscorer.weights import Systems, Weights

COUNTS = ("tp", "fp", "fn", "tn", "chunks")


class GoToScorerChunks(EditFamily):
    """Numbers of chunks beside each annotation; one that is FP and FN counts as both."""

    name: ClassVar[str] = "gotoscorer_chunks"
    version = "1"
    parameters = ()
    reads_edits = True
    per_reference = True
    statistics: ClassVar[tuple[str, ...]] = COUNTS

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return numbers: (hypotheses, annotators, k), NaN for annotators without a line."""
        return [self._of_group(group) for group in groups]

    def _of_group(self, group: GoldGroup) -> FloatArray:
        hypotheses = [_hypothesis(group.source, text) for text in group.hypotheses]
        outputs = Counter(group.outputs)
        systems = Systems([(_hypothesis(group.source, text), n) for text, n in outputs.items()])
        result = np.full((len(hypotheses), len(group.gold), len(self.statistics)), np.nan)
        for column, text in enumerate(group.gold):
            if text is not None:
                weights = systems.weigh(_gold(group.source, text))
                result[:, column] = [self._row(weights, hypothesis) for hypothesis in hypotheses]
        return result

    def _row(self, weights: Weights, hypothesis: Hypothesis) -> list[int]:
        _, numbers = weights.sums(hypothesis)
        return [*numbers, weights.gold.n_chunks]


class GoToScorer(GoToScorerChunks):
    """Sums of weights beside each annotation, in shares of the systems, and numbers of chunks."""

    name = "gotoscorer"
    reads_outputs = True
    statistics = (*COUNTS[:4], "weight", *(f"{count}_chunks" for count in COUNTS[:4]), "systems")

    def _row(self, weights: Weights, hypothesis: Hypothesis) -> list[int]:
        sums, numbers = weights.sums(hypothesis)
        return [*sums, weights.total, *numbers, weights.n_systems]


# A worker counts the sentences one after the other, each with several lists of annotations.
@lru_cache(maxsize=1024)
def _gold(source: str, annotation: str) -> Gold:
    return Gold(source.split(), within(parse_annotation(annotation), source))


@lru_cache(maxsize=1024)
def _hypothesis(source: str, annotation: str) -> Hypothesis:
    return Hypothesis(source.split(), parse_annotation(annotation))
