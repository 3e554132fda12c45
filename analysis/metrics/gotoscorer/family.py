"""Chunks that a hypothesis gets right and wrong, weighed by how many systems get them wrong.

Gotou et al. 2020: of N systems that corrected the sentence, n have a chunk of the gold as it is;
the chunk weighs 1 - n / N. What all get right weighs nothing. Weights are stored as the N - n that
they are a share of, whole numbers whose sums are exact.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from maege.analysis.metrics.families.base import EditFamily, FloatArray, GoldGroup
from maege.analysis.metrics.families.gold_rows import arrays_of_groups
from maege.analysis.metrics.gotoscorer.encoding import Encoder
from maege.analysis.metrics.gotoscorer.weights import sums_of_groups

COUNTS = ("tp", "fp", "fn", "tn", "chunks")


class GoToScorerChunks(EditFamily):
    """Numbers of chunks beside each annotation; one that is FP and FN counts as both."""

    name: ClassVar[str] = "gotoscorer_chunks"
    version = "1"
    parameters = ()
    reads_edits = True
    per_reference = True
    statistics: ClassVar[tuple[str, ...]] = COUNTS
    # Of the sums of weights, the numbers, and the number of systems.
    columns: ClassVar[list[int]] = [*range(5, 10)]

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return numbers: (hypotheses, annotators, k), NaN for annotators without a line."""
        encoder = Encoder()
        for group in groups:
            encoder.add_group(group)
        numbered = encoder.groups()
        sums = sums_of_groups(encoder.annotations(), numbered)
        n_rows = np.diff(numbered.gold_starts) * np.diff(numbered.hypothesis_starts)
        systems = np.repeat([len(group.outputs) for group in groups], n_rows)
        rows = np.column_stack([sums.reshape(-1, 2 * len(COUNTS)), systems])[:, self.columns]
        return list(arrays_of_groups(groups, rows))


class GoToScorer(GoToScorerChunks):
    """Sums of weights beside each annotation, in shares of the systems, and numbers of chunks."""

    name = "gotoscorer"
    reads_outputs = True
    statistics = (*COUNTS[:4], "weight", *(f"{count}_chunks" for count in COUNTS[:4]), "systems")
    columns: ClassVar[list[int]] = [*range(9), 10]
