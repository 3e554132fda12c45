"""Requests for the tests of M2."""

from collections.abc import Sequence

from maege.analysis.edits import Annotation, Edit, format_annotation
from maege.analysis.metrics.families.base import FloatArray, GoldGroup
from maege.analysis.metrics.m2.family import M2


def edit(start: int, end: int, *corrections: str) -> Edit:
    return Edit(start, end, "", corrections)


def counts(
    source: str, hypothesis: str, annotations: Sequence[Annotation], family: M2 | None = None
) -> list[list[float]]:
    """Return tp, proposed and gold for each annotation; none may be approximated."""
    statistics = all_statistics(source, hypothesis, annotations, family)
    assert not statistics[:, 3].any()
    rows: list[list[float]] = statistics[:, :3].tolist()
    return rows


def all_statistics(
    source: str, hypothesis: str, annotations: Sequence[Annotation], family: M2 | None = None
) -> FloatArray:
    gold = tuple(format_annotation(annotation) for annotation in annotations)
    statistics: FloatArray = (family or M2()).compute_gold(
        [GoldGroup(source, gold, (hypothesis,))]
    )[0][0]
    return statistics
