"""Base classes of all metrics: families that turn groups of requests into statistics.

A request is one triple (source, hypothesis, references), without the parts that a family does not
read. Requests with the same references are grouped, so that the n-grams of the references are
counted once. A family stores sufficient statistics (lengths, matches, distances). Sentence scores,
corpus scores and bootstrap resamples are computed from them later, and no text is scored twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
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

    `parameters` are the settings that affect the statistics. `version` changes with the code.
    `statistics` names the columns of the result in order.

    A family reads references either as texts (StatisticsFamily) or, with `reads_gold`, as edits of
    the source (EditFamily). With `reads_edits` it reads the edits of the hypothesis instead of its
    text. With `reads_types` the gold has ERRANT's types: ERRANT extracts the edits again if the
    annotators used other types. Without it, the annotators' own edits are used. With
    `counts_silence` an annotator without a line who found no error counts as one who changed
    nothing; without it, all annotators without a line are excluded.

    `cost` is the work of one request in units of the cheapest family. `languages` holds the BCP 47
    tags of the languages that the family can read, None for all. `other_languages` says what the
    user can do about a corpus in another language.
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
        """Names and values of the settings that affect the statistics."""

    def signature(self) -> str:
        """Return the part of the cache key for this family, such as `gleu_statistics|n:4|v:1`."""
        parameters = [f"{key}:{value}" for key, value in self.parameters]
        return "|".join([f"{self.name}_statistics", *parameters, f"v:{self.version}"])


class StatisticsFamily(Family):
    """A family whose statistics come from texts alone."""

    reads_gold = False

    def compute(self, group: RequestGroup) -> FloatArray:
        """Return the statistics of one group.

        Shape (requests, references if `per_reference` else 1, len(`statistics`)), with NaN for
        missing references. Raises ValueError if the group lacks a part that the family reads.
        """
        return self.compute_batch([group])[0]

    def compute_batch(self, groups: Sequence[RequestGroup]) -> list[FloatArray]:
        """Return the statistics of many groups, one array per group, shaped as in `compute`.

        Many small groups together take far less time than one by one. Groups are cut into slices,
        so temporary memory is limited. The results do not depend on the cuts.
        """
        for group in groups:
            group.check(self.reads_source, self.reads_references)
        if any(None in group.references for group in groups):
            arrays = self.compute_batch([group.without_gaps() for group in groups])
            return [
                self._with_gaps(group, rows) for group, rows in zip(groups, arrays, strict=True)
            ]
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
        """Return the rows with NaN for missing references."""
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

    `gold` holds one annotation per annotator or reference as text (analysis/edits.py), None for an
    annotator without a line for the sentence. At least one is not None. `hypotheses` are texts, or
    annotations as text for a family that `reads_edits`. `outputs` holds the annotations of all
    systems for the source, for a family that `reads_outputs`.
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


ENGLISH = frozenset({"en"})


def common(languages: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the languages that all parts of a metric can read."""
    tag_sets = [tags for tags in languages if tags is not None]
    return frozenset.intersection(*tag_sets) if tag_sets else None


def is_among(language: str, languages: frozenset[str] | None) -> bool:
    """Return whether a language, such as `en-GB`, is one of the languages.

    A macro does the same in SQL.
    """
    return languages is None or any(
        language == tag or language.startswith(f"{tag}-") for tag in languages
    )
