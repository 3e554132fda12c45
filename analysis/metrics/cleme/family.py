"""Counts of the chunks that a hypothesis changes correctly, wrongly or not at all.

The chunks are those of the common partition, counted as in the program of Ye et al. 2023:

- Dependent assumption, against each reference: a chunk that the hypothesis changes is TP if the
  texts are equal, else FP (`fp_ne` if the reference changes it, else `fp_un`). A chunk that the
  hypothesis keeps is FN if the texts differ, else TN.
- Independent assumption, against all references: a changed chunk is TP if any reference has its
  text, else FP (`fp_ne` if any reference changes it, else `fp_un`). A kept chunk is FN only if all
  references change it, else TN.

A stretch that no text changes is one TN, whatever its length. Error types and the way in which an
annotator splits a change into edits do not matter. Duplicate edits count once.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np

from maege.analysis.edits import gold_annotations, parse_annotation
from maege.analysis.metrics.cleme.partition import Chunk, Partition
from maege.analysis.metrics.families.base import EditFamily, FloatArray, GoldGroup

COUNTS = ("tp", "fp_ne", "fp_un", "fn", "tn")
TP, FP_NE, FP_UN, FN, TN = range(len(COUNTS))


class Cut(NamedTuple):
    """Indices of the chunks of the partition that a hypothesis or a reference changes.

    `unchanged` is the number of unchanged stretches between them.
    """

    chunks: list[int]
    unchanged: int


class Cleme(EditFamily):
    """Counts of the chunks of a hypothesis."""

    version = "1"
    reads_edits = True
    # Index of the statistic that counts unchanged chunks.
    unchanged: ClassVar[int] = TN

    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return counts, shape (hypotheses, annotators or 1, k); NaN without a reference."""
        return [self.of_group(group) for group in groups]

    def of_group(self, group: GoldGroup) -> FloatArray:
        """Return the counts of one group."""
        cuts = _cuts(group.source, group.gold)
        columns = cuts.partition.positions if self.per_reference else [0]
        width = len(group.gold) if self.per_reference else 1
        found = [cuts.of(text) for text in group.hypotheses]
        result = np.full((len(group.hypotheses), width, len(self.statistics)), np.nan)
        result[:, columns] = self.counts(cuts.partition, found, len(columns))
        return result

    def counts(self, partition: Partition, cuts: Sequence[Cut], width: int) -> FloatArray:
        """Return the counts per hypothesis and reference, or per hypothesis: (cuts, width, k)."""
        shape = len(cuts), width, len(self.statistics)
        outcomes = np.array([self.outcomes(c) for c in partition.chunks], dtype=np.intp)
        chunks = np.array([chunk for cut in cuts for chunk in cut.chunks], dtype=np.intp)
        hypotheses = np.repeat(np.arange(len(cuts)), [len(cut.chunks) for cut in cuts])
        rows = hypotheses[:, np.newaxis] * width + np.arange(width)
        places = (rows * len(self.statistics) + outcomes.reshape(-1, width)[chunks]).ravel()
        counts = np.bincount(places, minlength=prod(shape)).astype(np.float64).reshape(shape)
        counts[..., self.unchanged] += np.array([[cut.unchanged] for cut in cuts])
        return counts

    @abstractmethod
    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the index of the statistic that the chunk adds to, per reference or overall."""


class _Cuts:
    """A partition, with a cache of its cuts with hypotheses."""

    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self._known: dict[str, Cut] = {}

    def of(self, hypothesis: str) -> Cut:
        """Return the cut with a hypothesis."""
        cut = self._known.get(hypothesis)
        if cut is None:
            chunks = self.partition.cut(parse_annotation(hypothesis))
            changed = [self.partition.chunks[chunk] for chunk in chunks]
            cut = self._known[hypothesis] = Cut(chunks, self.partition.unchanged(changed))
        return cut


# A worker counts the groups of the families one family after the other. This cache keeps enough
# cuts for the next family.
@lru_cache(maxsize=1024)
def _cuts(source: str, gold: tuple[str | None, ...]) -> _Cuts:
    """Return the cuts of a source with its references."""
    return _Cuts(Partition(source.split(), gold_annotations(gold, source)))


class ClemeDependent(Cleme):
    """Counts against each reference."""

    name: ClassVar[str] = "cleme"
    parameters = ()
    statistics = COUNTS
    per_reference = True

    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the index of tp, fp_ne, fp_un, fn or tn for the chunk, per reference."""
        return [outcome(chunk, text) for text in chunk.references]


class ClemeIndependent(Cleme):
    """Counts against all references at once."""

    name: ClassVar[str] = "cleme_independent"
    parameters = ()
    statistics = COUNTS
    per_reference = False

    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the index of tp, fp_ne, fp_un, fn or tn for the chunk, over all references."""
        return [outcome_of_all(chunk)]


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
