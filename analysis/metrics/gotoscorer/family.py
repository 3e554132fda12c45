"""Chunks that a hypothesis gets right and wrong, weighed by how many systems get them wrong.

Gotou et al. 2020: of N systems that corrected the sentence, n have a chunk of the gold as it is;
the chunk weighs 1 - n / N. What all get right weighs nothing. Weights are stored as the N - n that
they are a share of, whole numbers whose sums are exact.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from analysis.metrics.base import EditFamily, FloatArray, GoldGroup
from analysis.metrics.edits import parse_annotation
from analysis.metrics.gotoscorer.chunks import IS_RIGHT, OUTCOMES, Gold, Hypothesis

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
        shape = (len(group.hypotheses), len(group.gold), len(self.statistics))
        result = np.full(shape, np.nan)
        for position, text in enumerate(group.gold):
            if text is not None:
                result[:, position] = self._beside(_gold(group.source, text), group)
        return result

    def _beside(self, gold: Gold, group: GoldGroup) -> list[list[int]]:
        """Return the statistics of each hypothesis beside one annotation."""
        return [
            [*_numbers(gold, gold.changes(_hypothesis(group.source, text))), len(gold.chunks)]
            for text in group.hypotheses
        ]


class GoToScorer(GoToScorerChunks):
    """Sums of weights beside each annotation, in shares of the systems, and numbers of chunks."""

    name = "gotoscorer"
    reads_outputs = True
    statistics = (*COUNTS[:4], "weight", *(f"{count}_chunks" for count in COUNTS[:4]), "systems")

    def _beside(self, gold: Gold, group: GoldGroup) -> list[list[int]]:
        outputs = Counter(group.outputs)
        n_systems = outputs.total()
        texts = dict.fromkeys((*outputs, *group.hypotheses))
        changes = {text: gold.changes(_hypothesis(group.source, text)) for text in texts}
        weights = {place: n_systems for place, o in enumerate(gold.left) if not IS_RIGHT[o]}
        for text, n_equal in outputs.items():
            for place, outcome in changes[text].items():
                more = n_equal * (IS_RIGHT[gold.left[place]] - IS_RIGHT[outcome])
                weights[place] = weights.get(place, 0) + more
        total = sum(weights.values())
        return [
            [
                *_sums(gold, changes[text], weights),
                total,
                *_numbers(gold, changes[text]),
                n_systems,
            ]
            for text in group.hypotheses
        ]


def _sums(gold: Gold, changes: Mapping[int, int], weights: Mapping[int, int]) -> list[int]:
    """Return the weights of tp, fp, fn and tn, where all other chunks are left."""
    sums = [0] * len(OUTCOMES)
    for place, weight in weights.items():
        sums[changes.get(place, gold.left[place])] += weight
    return _counts(sums)


def _numbers(gold: Gold, changes: Mapping[int, int]) -> list[int]:
    """Return how many are tp, fp, fn and tn."""
    numbers = list(gold.numbers_left)
    for place, outcome in changes.items():
        numbers[gold.left[place]] -= 1
        numbers[outcome] += 1
    return _counts(numbers)


def _counts(of_outcomes: Sequence[int]) -> list[int]:
    tp, fp, fp_and_fn, fn, tn = of_outcomes
    return [tp, fp + fp_and_fn, fn + fp_and_fn, tn]


# A worker counts the sentences one after the other, each with several lists of annotations.
@lru_cache(maxsize=1024)
def _gold(source: str, annotation: str) -> Gold:
    return Gold(source.split(), parse_annotation(annotation))


@lru_cache(maxsize=1024)
def _hypothesis(source: str, annotation: str) -> Hypothesis:
    return Hypothesis(source.split(), parse_annotation(annotation))
