"""Errors of a sentence: corrections that overlap in the source are alternatives of one error.

The I-measure (Felice and Briscoe 2015, section 2.1) scores against errors, each with one
alternative per annotator who corrects it; M2 knows single corrections only. The rule that leads
from one to the other is that of the authors' own converter. Corrections are taken from the longest
span to the shortest; each joins the first error of which it overlaps a correction, or opens a new
one. Two corrections overlap where their spans are equal or share a token; an insertion overlaps
only a span that it is strictly inside of. Errors are not merged later, so that two errors may
overlap, and they come in the order of their longest corrections.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from maege.analysis.edits import Edit


class Correction(NamedTuple):
    """The edit of an annotator, who has an index; of alternatives the first counts.

    `position` is its place in the file (any increasing number): corrections of equal length are
    grouped in this order.
    """

    annotator: int
    edit: Edit
    position: int = 0


@dataclass(frozen=True)
class Alternative:
    """What one annotator does about an error; `corrections` from the longest span on."""

    annotator: int
    corrections: tuple[Correction, ...]


@dataclass(frozen=True)
class ErrorGroup:
    """One error and its alternatives, in the order of annotators.

    `required` says whether every annotator of the sentence corrects it (`req` in the XML);
    `error_types` are its types in the order in which the corrections joined.
    """

    alternatives: tuple[Alternative, ...]
    error_types: tuple[str, ...]
    required: bool


def error_groups(corrections: Iterable[Correction], annotators: int) -> list[ErrorGroup]:
    """Return the errors of one sentence, in the order of the XML.

    `annotators` counts those who have a line for the sentence, no-ops included. `corrections` hold
    no no-ops, and of corrections with `||` the first alternative only.
    """
    found = sorted(clusters(corrections, overlap), key=lambda cluster: _span(cluster[0].edit))
    return [error_group(cluster, annotators) for cluster in found]


def clusters(
    corrections: Iterable[Correction], are_alternatives: Callable[[Edit, Edit], bool]
) -> list[list[Correction]]:
    """Return corrections that are about one error together, each cluster from the longest on.

    Whether two are alternatives follows from their spans, those of equal spans always are.
    """
    # With each cluster one correction of each span: annotators agree about many.
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
    """Return the error that these corrections are about."""
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
    """Return whether two edits cannot both be made, by the rule of the module."""
    if _span(first) == _span(second):
        return True
    if first.start == first.end:
        return second.start < first.start < second.end
    if second.start == second.end:
        return first.start < second.start < first.end
    return first.start < second.end and second.start < first.end


def _span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end
