"""Counts of chunks that a hypothesis changes rightly, wrongly or not at all.

On the chunks of the common partition, as the program of Ye et al. 2023 counts them:

- dependent, against each reference: a chunk that the hypothesis changes is TP where the texts are
  equal and FP where they are not (`fp_ne` if the reference changes it, too, else `fp_un`); one that
  it leaves is FN where the texts differ, else TN;
- independent, against all of them: changed, TP where any reference has that text, else FP (`fp_ne`
  if any reference changes it); left, FN only where all references change it, else TN.

A stretch that nobody changes is one TN, whatever its length. Error types do not count, nor how an
annotator cut a change into edits; an edit that is there twice counts as if it were there once.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from analysis.metrics.base import EditFamily, FloatArray, GoldGroup
from analysis.metrics.cleme.partition import Chunk, Partition
from analysis.metrics.edits import gold_annotations, parse_annotation

COUNTS = ("tp", "fp_ne", "fp_un", "fn", "tn")
TP, FP_NE, FP_UN, FN, TN = range(len(COUNTS))


class Cleme(EditFamily):
    """Counts of the chunks of a hypothesis."""

    version = "1"
    reads_edits = True

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts: (hypotheses, annotators or 1, k), NaN for who is no reference."""
        return [self.of_group(group) for group in groups]

    def of_group(self, group: GoldGroup) -> FloatArray:
        """Return the counts of one group."""
        partition = _partition(group.source, group.gold)
        columns = partition.positions if self.per_reference else [0]
        width = len(group.gold) if self.per_reference else 1
        counted = np.array(
            [
                self.counts(partition, _changed(group.source, group.gold, text))
                for text in group.hypotheses
            ],
            dtype=np.float64,
        )
        result = np.full((len(group.hypotheses), width, counted.shape[-1]), np.nan)
        result[:, columns] = counted
        return result

    @abstractmethod
    def counts(self, partition: Partition, changed: Sequence[Chunk]) -> list[list[int]]:
        """Return the counts of one hypothesis, a list for each reference or one for all."""


# A worker counts the groups of one family after the other; of so many the next one finds the cuts.
@lru_cache(maxsize=1024)
def _partition(source: str, gold: tuple[str | None, ...]) -> Partition:
    """Return the cut of a source with its references."""
    annotations = gold_annotations(gold, source)
    return Partition(source.split(), annotations)


# Likewise for a hypothesis.
@lru_cache(maxsize=4096)
def _changed(source: str, gold: tuple[str | None, ...], hypothesis: str) -> list[Chunk]:
    """Return the chunks that a hypothesis or a reference changes."""
    return _partition(source, gold).changed(parse_annotation(hypothesis))


class ClemeDependent(Cleme):
    """Counts against each reference."""

    name: ClassVar[str] = "cleme"
    parameters = ()
    statistics = COUNTS
    per_reference = True

    def counts(self, partition: Partition, changed: Sequence[Chunk]) -> list[list[int]]:
        """Return tp, fp_ne, fp_un, fn and tn beside each reference."""
        unchanged = partition.unchanged(changed)
        counts = [[0, 0, 0, 0, unchanged] for _ in partition.positions]
        for chunk in changed:
            for of_reference, text in zip(counts, chunk.references, strict=True):
                of_reference[outcome(chunk, text)] += 1
        return counts


class ClemeIndependent(Cleme):
    """Counts against all references at once."""

    name: ClassVar[str] = "cleme_independent"
    parameters = ()
    statistics = COUNTS
    per_reference = False

    def counts(self, partition: Partition, changed: Sequence[Chunk]) -> list[list[int]]:
        """Return tp, fp_ne, fp_un, fn and tn."""
        counts = [0, 0, 0, 0, partition.unchanged(changed)]
        for chunk in changed:
            counts[outcome_of_all(chunk)] += 1
        return [counts]


def outcome(chunk: Chunk, reference: str | None) -> int:
    """Return which count the chunk adds to, against the text of one reference."""
    text = chunk.source if reference is None else reference
    if chunk.hypothesis is None:
        return TN if text == chunk.source else FN
    if chunk.hypothesis == text:
        return TP
    return FP_UN if reference is None else FP_NE


def outcome_of_all(chunk: Chunk) -> int:
    """Return which count the chunk adds to, against all references at once."""
    unchanged = chunk.references.count(None)
    if chunk.hypothesis is None:
        return TN if unchanged else FN
    if chunk.hypothesis in chunk.references or (unchanged and chunk.hypothesis == chunk.source):
        return TP
    return FP_UN if unchanged == len(chunk.references) else FP_NE
