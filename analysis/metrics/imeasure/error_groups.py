"""Group the corrections of a sentence into errors: overlapping corrections are alternatives.

The I-measure (Felice and Briscoe 2015, section 2.1) scores against errors, each with one
alternative per annotator who corrects it. M2 files have only single corrections. The grouping
follows the authors' own converter. Corrections are processed from the longest span to the shortest.
Each joins the first error that has an overlapping correction, or starts a new error. Two
corrections overlap if their spans are equal or share a token. An insertion overlaps only a span
that strictly contains it. Errors are not merged later, so two errors may overlap. They are in the
order of their longest corrections.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from maege.analysis.edits import Edit


class Correction(NamedTuple):
    """The edit of an annotator, given by an index. If there are alternatives, the first one counts.

    `position` is its position in the file (any increasing number). Corrections of equal length are
    grouped in this order.
    """

    annotator: int
    edit: Edit
    position: int = 0


@dataclass(frozen=True)
class Alternative:
    """One annotator's corrections of an error; `corrections` are sorted from the longest span."""

    annotator: int
    corrections: tuple[Correction, ...]


@dataclass(frozen=True)
class ErrorGroup:
    """One error and its alternatives, in the order of annotators.

    `required` says whether every annotator of the sentence corrects it (`req` in the XML).
    `error_types` holds its types in the order in which the corrections joined.
    """

    alternatives: tuple[Alternative, ...]
    error_types: tuple[str, ...]
    required: bool


def error_groups(corrections: Iterable[Correction], annotators: int) -> list[ErrorGroup]:
    """Return the errors of one sentence, in the order of the XML.

    `annotators` is the number of annotators with a line for the sentence, no-ops included.
    `corrections` contains no no-ops, and only the first of several alternatives (`||`).
    """
    found = sorted(clusters(corrections, overlap), key=lambda cluster: _span(cluster[0].edit))
    return [error_group(cluster, annotators) for cluster in found]


def clusters(
    corrections: Iterable[Correction], are_alternatives: Callable[[Edit, Edit], bool]
) -> list[list[Correction]]:
    """Return clusters of corrections about the same error, each sorted from the longest span.

    Whether two corrections are alternatives depends only on their spans. Corrections of equal spans
    always are.
    """
    # Each cluster with one correction per span, because annotators often agree on spans.
    found: list[tuple[list[Correction], dict[tuple[int, int], Edit]]] = []
    ordered = sorted(corrections, key=lambda correction: correction.position)
    for correction in sorted(ordered, key=lambda one: one.edit.start - one.edit.end):
        edit, span = correction.edit, _span(correction.edit)
        for cluster, spans in found:
            if span in spans or any(are_alternatives(edit, o) for o in spans.values()):
                cluster.append(correction)
                spans[span] = edit
                break
        else:
            found.append(([correction], {span: edit}))
    return [cluster for cluster, _ in found]


def error_group(corrections: Iterable[Correction], annotators: int) -> ErrorGroup:
    """Return the error that these corrections belong to."""
    by_annotator: dict[int, list[Correction]] = {}
    error_types: dict[str, None] = {}
    for correction in corrections:
        by_annotator.setdefault(correction.annotator, []).append(correction)
        error_types[correction.edit.error_type] = None
    return ErrorGroup(
        alternatives=tuple(
            Alternative(annotator, tuple(by_annotator[annotator]))
            for annotator in sorted(by_annotator)
        ),
        error_types=tuple(error_types),
        required=len(by_annotator) == annotators,
    )


def overlap(first: Edit, second: Edit) -> bool:
    """Return whether two edits exclude each other, by the rule in the module's docstring."""
    if _span(first) == _span(second):
        return True
    if first.start == first.end:
        return second.start < first.start < second.end
    if second.start == second.end:
        return first.start < second.start < first.end
    return first.start < second.end and second.start < first.end


def _span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end
