"""Counts of every error type: what each system does right and wrong at it.

As `errant_compare -cat`: a match counts for the type that the gold gives it, any other edit for its
own. Tier 1 merges types by operation (R), tier 2 by category (NOUN), tier 3 merges nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Annotation, Edit
from maege.analysis.metrics.errant import Matching, type_counts
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.options import nearest

UNKNOWN = "UNK"
# The categories of ERRANT; a type is one of them after an operation.
CATEGORIES = (
    *("ADJ", "ADJ:FORM", "ADV", "CONJ", "CONTR", "DET", "MORPH", "NOUN", "NOUN:INFL", "NOUN:NUM"),
    *("NOUN:POSS", "ORTH", "OTHER", "PART", "PREP", "PRON", "PUNCT", "SPELL", "VERB", "VERB:FORM"),
    *("VERB:INFL", "VERB:SVA", "VERB:TENSE", "WO"),
)
Tier = int
# What a plain alignment knows of an edit: ERRANT's missing, replacement, unnecessary.
OPERATIONS = frozenset("MRU")


class UnknownTypeError(ValueError):
    """No error type matches a pattern; the message names it."""


@dataclass(frozen=True)
class TypedCounts:
    """tp, proposed and gold of each type: `counts` has shape (systems, types, sentences, 3)."""

    types: tuple[str, ...]
    counts: NDArray[np.float32]

    @cached_property
    def sums(self) -> FloatArray:
        """Over all sentences: shape (systems, types, 3)."""
        total: FloatArray = self.counts.sum(axis=2, dtype=np.float64)
        return total


def typed_counts(
    outputs: Sequence[Sequence[Annotation]],
    gold: Sequence[Sequence[Annotation]],
    match: Matching,
    tier: Tier,
    patterns: Sequence[str] = (),
) -> TypedCounts:
    """Return the counts of all types that match a pattern, in alphabetical order.

    Args:
        outputs: the edits of each system in each sentence.
        gold: those of the annotator that each system's sentence is scored with.
        match: when two edits are the same.
        tier: 1, 2 or 3.
        patterns: such as `R:*`; of all types if there are none.

    Raises:
        UnknownTypeError: a pattern matches no type of the edits and none of ERRANT's.

    """
    found: dict[str, list[tuple[int, int, int, int, int]]] = {}
    for system, (of_system, of_gold) in enumerate(zip(outputs, gold, strict=True)):
        for sentence, (edits, annotation) in enumerate(zip(of_system, of_gold, strict=True)):
            if not edits and not annotation:
                continue
            for error_type, (tp, fp, fn) in type_counts(edits, annotation, match).items():
                rows = found.setdefault(merged(error_type, tier), [])
                rows.append((system, sentence, tp, tp + fp, tp + fn))
    _refuse_unknown(patterns, found, tier)
    types = tuple(sorted(name for name in found if _is_wanted(name, patterns)))
    counts = np.zeros((len(outputs), len(types), len(outputs[0]), 3), dtype=np.float32)
    for place, name in enumerate(types):
        for system, sentence, *sizes in found[name]:
            counts[system, place, sentence] += sizes
    return TypedCounts(types, counts)


def merged(error_type: str, tier: Tier) -> str:
    """Return the type of a tier that an error type belongs to."""
    if tier == 3 or error_type == UNKNOWN or error_type in OPERATIONS:
        return error_type
    return error_type[0] if tier == 1 else error_type[2:]


def typed_by_place(edits: Annotation, gold: Annotation) -> Annotation:
    """Return the edits of which only the operation is known with the types of the gold's.

    Each has that of the edit that it shares most tokens with; of an edit beside it, if one of the
    two is an insertion; else its operation, as where the gold has operations alone.
    """
    typed = [other for other in gold if other.error_type not in OPERATIONS]
    return tuple(
        edit._replace(error_type=_type_at(edit, typed)) if edit.error_type in OPERATIONS else edit
        for edit in edits
    )


def _type_at(edit: Edit, gold: Iterable[Edit]) -> str:
    shared = {
        other: min(edit.end, other.end) - max(edit.start, other.start)
        for other in gold
        if _overlap(edit, other)
    }
    return max(shared, key=lambda other: shared[other]).error_type if shared else edit.error_type


def _is_wanted(name: str, patterns: Iterable[str]) -> bool:
    wanted = list(patterns)
    return not wanted or any(fnmatchcase(name, pattern) for pattern in wanted)


def _refuse_unknown(patterns: Iterable[str], found: Iterable[str], tier: Tier) -> None:
    of_errant = [f"{operation}:{one}" for operation in sorted(OPERATIONS) for one in CATEGORIES]
    known = dict.fromkeys([*sorted(found), *(merged(one, tier) for one in of_errant), UNKNOWN])
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise UnknownTypeError(f"found {pattern!r}, expected an error type such as 'R:*'")
        if not any(fnmatchcase(name, pattern) for name in known):
            raise UnknownTypeError(
                f"no error type matches {pattern!r}; types of this comparison are such as "
                f"{', '.join([*known][:5])}{nearest(pattern, known)}"
            )


def chosen_annotations(
    gold: Sequence[Mapping[str, Annotation]], positions: Sequence[int]
) -> list[Annotation]:
    """Return the annotation in each sentence's position."""
    return [
        list(of_sentence.values())[position]
        for of_sentence, position in zip(gold, positions, strict=True)
    ]


def _overlap(edit: Edit, other: Edit) -> bool:
    if edit.start == edit.end or other.start == other.end:
        return edit.start <= other.end and other.start <= edit.end
    return edit.start < other.end and other.start < edit.end
