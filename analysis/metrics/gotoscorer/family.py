"""Count the chunks that a hypothesis gets right and wrong, weighted by their difficulty.

Gotou et al. 2020: if n of the N systems that corrected the sentence get a gold chunk right, the
weight of the chunk is 1 - n / N. A chunk that all systems get right has weight 0. The stored
weights are N - n, because sums of integers are exact.
"""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families.base import EditFamily, FloatArray, GoldGroup
from maege.analysis.metrics.gotoscorer.chunks import (
    FP,
    FP_AND_FN,
    OUTCOMES,
    TN,
    TP,
    Chunks,
    chunks_of,
)

COUNTS = ("tp", "fp", "fn", "tn", "chunks")


class GoToScorerChunks(EditFamily):
    """Numbers of chunks per annotator. A chunk that is both FP and FN counts as both."""

    name: ClassVar[str] = "gotoscorer_chunks"
    version = "1"
    parameters = ()
    reads_edits = True
    per_reference = True
    statistics: ClassVar[tuple[str, ...]] = COUNTS
    # Numbers of sums of weights, of counts, and of systems among the statistics.
    columns: ClassVar[list[int]] = [*range(5, 10)]

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return numbers: (hypotheses, annotators, k), NaN for annotators without a line."""
        return [self._group(group) for group in groups]

    def _group(self, group: GoldGroup) -> FloatArray:
        hypotheses = [chunks_of(group.source, text) for text in group.hypotheses]
        outputs = [
            (chunks_of(group.source, text), n_systems)
            for text, n_systems in Counter(group.outputs).items()
        ]
        # Chunks of the unchanged source have the same weight in every annotation.
        weights: Counter[int] = Counter()
        for output, n_systems in outputs:
            for place, outcome in output.touched.items():
                if outcome not in (TP, TN):
                    weights[place] += n_systems
        result = np.full((len(hypotheses), len(group.gold), len(self.statistics)), np.nan)
        for column, text in enumerate(group.gold):
            if text is None:
                continue
            gold = chunks_of(group.source, text, is_gold=True)
            edit_weights = [
                sum(n for output, n in outputs if output.outcome(edit) not in (TP, TN))
                for edit in gold.edits
            ]
            for row, hypothesis in enumerate(hypotheses):
                weighed, numbers = sums(gold, hypothesis, weights, edit_weights)
                every = [*weighed, *numbers, len(group.outputs)]
                result[row, column] = [every[number] for number in self.columns]
        return result


class GoToScorer(GoToScorerChunks):
    """Sums of weights per annotator, as shares of the systems, and numbers of chunks."""

    name = "gotoscorer"
    reads_outputs = True
    statistics = (*COUNTS[:4], "weight", *(f"{count}_chunks" for count in COUNTS[:4]), "systems")
    columns: ClassVar[list[int]] = [*range(9), 10]


def sums(
    gold: Chunks, hypothesis: Chunks, weights: Counter[int], edit_weights: Sequence[int]
) -> list[list[int]]:
    """Return sums of weights, and numbers, of chunks: tp, fp, fn, tn and all.

    A chunk may be FP and FN. `weights` holds the weight of each chunk of the unchanged source by
    position, `edit_weights` the weights of the gold's edits.
    """
    sums = [[0] * len(OUTCOMES), [0] * len(OUTCOMES)]
    # The hypothesis keeps chunks that none of its edits touches.
    sums[0][TN] = sum(gold.times[place] * weight for place, weight in weights.items())
    sums[1][TN] = sum(gold.times)
    for place, outcome in hypothesis.touched.items():
        for kind, value in enumerate((gold.times[place] * weights[place], gold.times[place])):
            sums[kind][TN] -= value
            sums[kind][outcome] += value
    for edit, weight in zip(gold.edits, edit_weights, strict=True):
        outcome = hypothesis.outcome(edit)
        if outcome == FP:
            outcome = FP_AND_FN
        sums[0][outcome] += weight
        sums[1][outcome] += 1
    return [
        [tp, fp + both, fn + both, tn, tp + fp + both + fn + tn] for tp, fp, both, fn, tn in sums
    ]
