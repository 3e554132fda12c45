"""The gold of a sentence as the I-measure reads it: references, or errors with their alternatives.

Felice and Briscoe 2015, section 2.1. Without mixing there is one reference per annotator. With
mixing, overlapping corrections are alternatives of one error, and every combination of alternatives
is a reference. An error that some annotator does not correct may stay uncorrected. If a correction
has alternatives in M2 (`||`), the first one counts. A correction that deletes the whole sentence is
ignored.

As in the authors' converter, a comma is a separate token, and so is the full stop at the end of a
correction. Their tokeniser for English also changes quotation marks into ``, which is omitted here,
because hypotheses do not contain ``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

from maege.analysis.edits import Annotation, Edit
from maege.analysis.metrics.imeasure.error_groups import (
    Correction,
    ErrorGroup,
    error_group,
    error_groups,
)

Tokens = tuple[str, ...]

_COMMA = re.compile(r"(?<!\d),|,(?!\d)")
_LAST_STOP = re.compile(r"(?<=[^.\s])\.$")


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
    by_overlap: list[Correction] = []
    stated: dict[str, list[Correction]] = {}
    for correction in listed_corrections(annotations):
        if correction.edit.error_group:
            stated.setdefault(correction.edit.error_group, []).append(correction)
        else:
            by_overlap.append(correction)
    groups = [error_group(corrections, present) for corrections in stated.values()]
    return [*groups, *error_groups(by_overlap, present)]


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
    for start, end, tokens in sorted(replacements, key=lambda made: made[:2]):
        if start < position:
            continue
        text += source[position:start]
        text += tokens
        position = end
    return (*text, *source[position:])


def _gold_error(source: Tokens, group: ErrorGroup) -> GoldError:
    alternatives = [
        _replacements(
            one.edit for one in sorted(alternative.corrections, key=lambda one: one.position)
        )
        for alternative in group.alternatives
    ]
    start = min(made.start for option in alternatives for made in option)
    end = max(made.end for option in alternatives for made in option)
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
