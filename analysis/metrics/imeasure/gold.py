"""The gold of a sentence as the I-measure reads it: references, or errors with their alternatives.

Felice and Briscoe 2015, section 2.1. Without mixing there is one reference per annotator. With
mixing, overlapping corrections are alternatives of one error, and every combination of alternatives
is a reference. An error that some annotator does not correct may stay uncorrected. If a correction
has alternatives in M2 (`||`), the first one counts. A correction that deletes the whole sentence is
ignored.

M2 files have only single corrections. They are grouped into errors as in the authors' own
converter, from the longest span to the shortest. Each joins the first error that has an overlapping
correction, or starts a new error. Two corrections overlap if their spans are equal or share a
token. An insertion overlaps only a span that strictly contains it. Errors are not merged later, so
two errors may overlap.

As in the authors' converter, a comma is a separate token, and so is the full stop at the end of a
correction. Their tokeniser for English also changes quotation marks into ``, which is omitted here,
because hypotheses do not contain ``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

from maege.analysis.edits import Annotation, Edit

Tokens = tuple[str, ...]

_COMMA = re.compile(r"(?<!\d),|,(?!\d)")
_LAST_STOP = re.compile(r"(?<=[^.\s])\.$")


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


class Replacement(NamedTuple):
    """Source tokens from `start` to `end` (exclusive), replaced by `tokens`."""

    start: int
    end: int
    tokens: Tokens


Option = tuple[Replacement, ...]


@dataclass(frozen=True)
class GoldError:
    """An error with its possible corrections; an empty one if the error may stay.

    `start` and `end` span all of its replacements.
    """

    start: int
    end: int
    options: tuple[Option, ...]


def references(source: Tokens, annotations: Sequence[Annotation | None]) -> dict[Tokens, Option]:
    """Return the distinct references, each with the replacements that produce it.

    References of annotators who correct something come first, in order. The source is the last
    reference if some annotator corrects nothing.
    """
    present = [annotation for annotation in annotations if annotation is not None]
    options = [_replacements(annotation) for annotation in present if annotation]
    if not all(present) or not options:
        options.append(())
    texts: dict[Tokens, Option] = {}
    for option in options:
        texts.setdefault(corrected(source, option), option)
    return texts


def gold_errors(source: Tokens, annotations: Sequence[Annotation | None]) -> list[GoldError]:
    """Return the errors in the order of their positions."""
    errors = [_gold_error(source, group) for group in grouped(annotations)]
    return sorted(errors, key=lambda error: (error.start, error.end))


def grouped(annotations: Sequence[Annotation | None]) -> list[ErrorGroup]:
    """Return the errors of the annotations: as stated in the gold, else grouped by overlap."""
    present = sum(annotation is not None for annotation in annotations)
    ungrouped: list[Correction] = []
    stated: dict[str, list[Correction]] = {}
    for correction in listed_corrections(annotations):
        if correction.edit.error_group:
            stated.setdefault(correction.edit.error_group, []).append(correction)
        else:
            ungrouped.append(correction)
    groups = [error_group(corrections, present) for corrections in stated.values()]
    return [*groups, *error_groups(ungrouped, present)]


def listed_corrections(annotations: Sequence[Annotation | None]) -> Iterator[Correction]:
    """Yield every annotator's corrections."""
    edits = ((place, edit) for place, edits in enumerate(annotations) for edit in edits or ())
    for position, (place, edit) in enumerate(edits):
        yield Correction(place, edit, position)


def reference_count(errors: Iterable[GoldError]) -> int:
    """Return the number of mixed references: the product of the errors' numbers of options."""
    return prod(len(error.options) for error in errors)


def corrected(source: Tokens, replacements: Iterable[Replacement]) -> Tokens:
    """Apply all replacements to the source, in the order of their spans.

    A replacement that starts before an earlier one has ended is skipped. If the result would be
    empty, return the source.
    """
    return _replaced(source, replacements) or source


def _replaced(source: Tokens, replacements: Iterable[Replacement]) -> Tokens:
    text: list[str] = []
    position = 0
    for start, end, tokens in sorted(replacements, key=lambda replacement: replacement[:2]):
        if start < position:
            continue
        text += source[position:start]
        text += tokens
        position = end
    return (*text, *source[position:])


def _gold_error(source: Tokens, group: ErrorGroup) -> GoldError:
    alternatives = [
        _replacements(
            correction.edit
            for correction in sorted(
                alternative.corrections, key=lambda correction: correction.position
            )
        )
        for alternative in group.alternatives
    ]
    start = min(replacement.start for option in alternatives for replacement in option)
    end = max(replacement.end for option in alternatives for replacement in option)
    # Two annotators who produce the same text with different edits have made one reference.
    options: dict[Tokens, Option] = {}
    for option in (*alternatives, *([] if group.required else [()])):
        moved = [Replacement(a - start, b - start, tokens) for a, b, tokens in option]
        options.setdefault(_replaced(source[start:end], moved), option)
    return GoldError(start, end, tuple(options.values()))


def _replacements(edits: Iterable[Edit]) -> Option:
    return tuple(Replacement(edit.start, edit.end, _tokens(edit.corrections[0])) for edit in edits)


# The same annotations occur in many lists.
@lru_cache(maxsize=4096)
def _tokens(correction: str) -> Tokens:
    return tuple(_LAST_STOP.sub(" .", _COMMA.sub(" , ", correction)).split())


def error_groups(corrections: Iterable[Correction], annotators: int) -> list[ErrorGroup]:
    """Return the errors of one sentence, in the order of the XML.

    `annotators` is the number of annotators with a line for the sentence, no-ops included.
    `corrections` contains no no-ops, and only the first of several alternatives (`||`).
    """
    ordered = sorted(clusters(corrections, overlap), key=lambda cluster: _span(cluster[0].edit))
    return [error_group(cluster, annotators) for cluster in ordered]


def clusters(
    corrections: Iterable[Correction], are_alternatives: Callable[[Edit, Edit], bool]
) -> list[list[Correction]]:
    """Return clusters of corrections about the same error, each sorted from the longest span.

    Whether two corrections are alternatives depends only on their spans. Corrections of equal spans
    always are.
    """
    # Each cluster with one correction per span, because annotators often agree on spans.
    groups: list[tuple[list[Correction], dict[tuple[int, int], Edit]]] = []
    ordered = sorted(corrections, key=lambda correction: correction.position)
    for correction in sorted(
        ordered, key=lambda correction: correction.edit.start - correction.edit.end
    ):
        edit, span = correction.edit, _span(correction.edit)
        for cluster, spans in groups:
            if span in spans or any(are_alternatives(edit, o) for o in spans.values()):
                cluster.append(correction)
                spans[span] = edit
                break
        else:
            groups.append(([correction], {span: edit}))
    return [cluster for cluster, _ in groups]


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
