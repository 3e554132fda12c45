"""Levenshtein distance in characters between a hypothesis and its source or a reference.

Levenshtein 1966: insertion, deletion and substitution cost 1 each, and case counts. Choshen and
Abend 2018 use it as a similarity, 1 - distance / length: LD compares with the source, MinLD with
the nearest reference. The published run divides by the length of the source or reference, not of
the hypothesis.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from maege.analysis.metrics.families import Family, FloatArray, IndexArray, Slice, StatisticsFamily
from maege.analysis.metrics.formula import Named, Number, is_equal, where
from maege.analysis.metrics.scores import FamilyScore

PARAMETERS = (("unit", "character"), ("case", "mixed"))


class SourceDistance(StatisticsFamily):
    name = "source_distance"
    parameters = PARAMETERS
    reads_source = True
    statistics = ("distance", "source_length", "hypothesis_length")

    def _compute_slice(self, piece: Slice) -> FloatArray:
        return _distances(piece.texts, piece.sources, piece.hypotheses)


class ReferenceDistance(StatisticsFamily):
    name = "reference_distance"
    parameters = PARAMETERS
    reads_references = True
    per_reference = True
    statistics = ("distance", "reference_length", "hypothesis_length")

    def _compute_slice(self, piece: Slice) -> FloatArray:
        requests, references = piece.comparisons()
        return _distances(piece.texts, piece.references[references], piece.hypotheses[requests])


class DistanceScore(FamilyScore):
    family: ClassVar[Family] = SourceDistance()
    length: ClassVar[str] = "source_length"

    def sentence_score(self, of: Named) -> Number:
        length = of[self.length]
        return where(is_equal(length, 0), 1.0, 1 - of["distance"] / length)


class MinDistanceScore(DistanceScore):
    family = ReferenceDistance()
    length = "reference_length"


def _distances(texts: Sequence[str], left: IndexArray, right: IndexArray) -> FloatArray:
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    distances = cpdist(
        [texts[row] for row in left.tolist()],
        [texts[row] for row in right.tolist()],
        scorer=Levenshtein.distance,
        dtype=np.int32,
    )
    return np.column_stack([distances, lengths[left], lengths[right]]).astype(np.float64)
