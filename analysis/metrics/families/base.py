"""Base classes of all metrics: families that turn groups of requests into statistics.

A request is one (source, hypothesis, references) triple, less the parts that a family does not
read. Requests that share their references travel together, because the n-grams of the references
are then counted once. A family stores SUFFICIENT STATISTICS (lengths, matches, distances):
sentence scores, corpus scores and bootstraps are computed from them later, and no text is scored
twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.slices import RequestGroup, Slice, cut

FloatArray = NDArray[np.float64]

__all__ = [
    "EditFamily",
    "Family",
    "FloatArray",
    "GoldGroup",
    "RequestGroup",
    "Slice",
    "StatisticsFamily",
]


class Family(ABC):
    """One way of turning texts into sufficient statistics; several metrics may share it.

    `parameters` are what a change of would change the numbers; `version` changes with the code.
    `statistics` names the columns of the result in order. A family either reads references as
    texts (StatisticsFamily) or, with `reads_gold`, as edits of the source (EditFamily); with
    `reads_edits` it reads, in place of the hypothesis, the edits that lead to it. With
    `reads_types` the gold has ERRANT's types, extracted anew where the annotators gave others; else
    it is theirs. With `counts_silence` an annotator who saw no error and left no line counts as one
    who changes nothing; else who has no line is passed over. `cost` is the work of one request in
    units of the cheapest. `languages` are the tags of BCP 47 of what it can read, None for any;
    `other_languages` says then what to do about a corpus in another.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    reads_source: ClassVar[bool]
    reads_references: ClassVar[bool]
    reads_gold: ClassVar[bool]
    reads_edits: ClassVar[bool] = False
    reads_types: ClassVar[bool] = False
    reads_outputs: ClassVar[bool] = False
    counts_silence: ClassVar[bool] = False
    per_reference: ClassVar[bool]
    statistics: ClassVar[tuple[str, ...]]
    cost: ClassVar[int] = 1
    languages: ClassVar[frozenset[str] | None] = None
    other_languages: ClassVar[str] = ""

    @property
    @abstractmethod
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """What a change of would change the numbers, as names and values."""

    def signature(self) -> str:
        """Return what the cache key holds of this family, such as `gleu_statistics|n:4|v:1`."""
        parameters = [f"{key}:{value}" for key, value in self.parameters]
        return "|".join([f"{self.name}_statistics", *parameters, f"v:{self.version}"])


class StatisticsFamily(Family):
    """A family whose statistics come from texts alone."""

    reads_gold = False

    def compute(self, group: RequestGroup) -> FloatArray:
        """Return the statistics of one group.

        Shape (requests, references if `per_reference` else 1, len(`statistics`)); NaN in the rows
        of references that are not there.
        Raises ValueError where the group lacks a part that the family reads.
        """
        return self.compute_batch([group])[0]

    def compute_batch(self, groups: Sequence[RequestGroup]) -> list[FloatArray]:
        """Return the statistics of many groups, one array a group, shaped as `compute` says.

        Many small groups cost far less together than one by one. Temporary memory is bounded: the
        groups are cut into slices of limited size, and no number depends on where the cuts fall.
        """
        for group in groups:
            group.check(self.reads_source, self.reads_references)
        if any(None in group.references for group in groups):
            found = self.compute_batch([group.without_gaps() for group in groups])
            return [self._with_gaps(group, rows) for group, rows in zip(groups, found, strict=True)]
        results = [self._empty(group) for group in groups]
        for piece in cut(groups, self.reads_source, self.reads_references):
            rows = self._compute_slice(piece)
            start = 0
            for share in piece.shares:
                target = results[share.group][share.start : share.stop]
                stop = start + target.shape[0] * target.shape[1]
                target[...] = rows[start:stop].reshape(target.shape)
                start = stop
        return results

    def _with_gaps(self, group: RequestGroup, rows: FloatArray) -> FloatArray:
        """Return the rows with NaN for the references that are not there."""
        if not self.per_reference:
            return rows
        is_there = [text is not None for text in group.references]
        wide = np.full((group.requests, len(is_there), len(self.statistics)), np.nan)
        wide[:, is_there] = rows
        return wide

    def _empty(self, group: RequestGroup) -> FloatArray:
        columns = len(group.references) if self.per_reference else 1
        return np.empty((group.requests, columns, len(self.statistics)))

    @abstractmethod
    def _compute_slice(self, piece: Slice) -> FloatArray:
        """Return one row per request, in order; per (request, reference) if `per_reference`."""


@dataclass(frozen=True)
class GoldGroup:
    """Hypotheses for one source, to be compared with its gold.

    `gold` holds one annotation for each annotator or reference as text (analysis/edits.py),
    None where an annotator has no line for the sentence; at least one is not None. `hypotheses` are
    texts, or annotations as text for a family that `reads_edits`; `outputs` what systems did to the
    source, one annotation each, for a family that `reads_outputs`.
    """

    source: str
    gold: tuple[str | None, ...]
    hypotheses: tuple[str, ...]
    outputs: tuple[str, ...] = ()


class EditFamily(Family):
    """A family that compares hypotheses with edits of their source."""

    reads_source = True
    reads_references = False
    reads_gold = True

    @abstractmethod
    def compute_gold(self, groups: Sequence[GoldGroup]) -> list[FloatArray]:
        """Return the statistics of every group, in order.

        Shape (hypotheses, annotations if `per_reference` else 1, len(`statistics`)); NaN in the
        rows of annotators without a line.
        """
