"""Count edits by error type, and test the differences of each type."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maege.analysis.compare.edits import counts_of
from maege.analysis.compare.inference import Resampling, comparisons, score_counts
from maege.analysis.compare.results import TypeRow
from maege.analysis.edits import Annotation, Edit
from maege.analysis.metrics.errant import BETA, UNKNOWN, Matching, type_counts
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.scores import Pair
from maege.analysis.options import nearest
from maege.analysis.statistics.resampling import Intervals, percentile_intervals
from maege.analysis.statistics.significance import q_values
from maege.names import UnknownError

# --- Counts of every error type ---
#
# The counts equal those of `errant_compare -cat`: a match counts for the type in the gold, any
# other edit for its own type. Tier 1 merges types by operation (R), tier 2 by category (NOUN), and
# tier 3 merges nothing.

# ERRANT's categories. A type consists of an operation and a category.
CATEGORIES = (
    *("ADJ", "ADJ:FORM", "ADV", "CONJ", "CONTR", "DET", "MORPH", "NOUN", "NOUN:INFL", "NOUN:NUM"),
    *("NOUN:POSS", "ORTH", "OTHER", "PART", "PREP", "PRON", "PUNCT", "SPELL", "VERB", "VERB:FORM"),
    *("VERB:INFL", "VERB:SVA", "VERB:TENSE", "WO"),
)
# The types of a plain alignment: ERRANT's operations missing, replacement and unnecessary.
OPERATIONS = frozenset("MRU")


@dataclass(frozen=True)
class TypedCounts:
    """tp, proposed and gold of each type: `counts` has shape (systems, types, sentences, 3)."""

    types: tuple[str, ...]
    counts: NDArray[np.float32]

    @cached_property
    def sums(self) -> FloatArray:
        """Return the sums over all sentences, shape (systems, types, 3)."""
        total: FloatArray = self.counts.sum(axis=2, dtype=np.float64)
        return total


def typed_counts(
    outputs: Sequence[Sequence[Annotation]],
    gold: Sequence[Sequence[Annotation]],
    match: Matching,
    tier: int,
    patterns: Sequence[str] = (),
) -> TypedCounts:
    """Return the counts of all types that match a pattern such as `R:*`, in alphabetical order.

    An empty list means all types. Raises UnknownError if a pattern matches no type of the edits and
    none of ERRANT's.
    """
    rows_of_type: dict[str, list[tuple[int, int, int, int, int]]] = {}
    for system, (system_edits, system_gold) in enumerate(zip(outputs, gold, strict=True)):
        for sentence, (edits, annotation) in enumerate(zip(system_edits, system_gold, strict=True)):
            if not edits and not annotation:
                continue
            for error_type, (tp, fp, fn) in type_counts(edits, annotation, match).items():
                rows = rows_of_type.setdefault(merged(error_type, tier), [])
                rows.append((system, sentence, tp, tp + fp, tp + fn))
    _refuse_unknown(patterns, rows_of_type, tier)
    types = tuple(
        name
        for name in sorted(rows_of_type)
        if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
    )
    counts = np.zeros((len(outputs), len(types), len(outputs[0]), 3), dtype=np.float32)
    for place, name in enumerate(types):
        for system, sentence, *sizes in rows_of_type[name]:
            counts[system, place, sentence] += sizes
    return TypedCounts(types, counts)


def merged(error_type: str, tier: int) -> str:
    if tier == 3 or error_type == UNKNOWN or error_type in OPERATIONS:
        return error_type
    return error_type[0] if tier == 1 else error_type[2:]


def typed_by_place(edits: Annotation, gold: Annotation) -> Annotation:
    """Replace types that are only an operation by the types of the gold edits at the same position.

    Each edit gets the type of the gold edit that it shares most tokens with. An insertion may also
    get the type of an adjacent edit. Without such a gold edit, the type is the operation.
    """
    typed = [gold_edit for gold_edit in gold if gold_edit.error_type not in OPERATIONS]
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
    return max(shared, key=shared.__getitem__).error_type if shared else edit.error_type


def _refuse_unknown(patterns: Iterable[str], present: Iterable[str], tier: int) -> None:
    errant_types = [
        f"{operation}:{error_type}" for operation in sorted(OPERATIONS) for error_type in CATEGORIES
    ]
    known_types = dict.fromkeys(
        [*sorted(present), *(merged(error_type, tier) for error_type in errant_types), UNKNOWN]
    )
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known_types):
            raise UnknownError(
                f"types: no error type matches {pattern!r}; types of this comparison include "
                f"{', '.join([*known_types][:5])}{nearest(pattern, known_types)}"
            )


def chosen_annotations(
    gold: Sequence[Mapping[str, Annotation]], positions: Sequence[int]
) -> list[Annotation]:
    return [
        list(annotations.values())[position]
        for annotations, position in zip(gold, positions, strict=True)
    ]


def _overlap(edit: Edit, other: Edit) -> bool:
    if edit.start == edit.end or other.start == other.end:
        return edit.start <= other.end and other.start <= edit.end
    return edit.start < other.end and other.start < edit.end


# --- The table of error types of a pair of systems ---
#
# A type is tested if the two systems' counts differ in at least ten sentences and both systems have
# edits of the type. With fewer sentences a difference is noise. P-values are corrected for the
# tested types of the pair.

LEAST_DIFFERING = 10


def type_rows(
    typed: TypedCounts, resampling: Resampling, names: Sequence[str], pair: Pair, beta: float
) -> list[TypeRow]:
    if not typed.types:
        return []
    a, b = pair
    first, second = typed.sums[a], typed.sums[b]
    # Columns of proposed and gold edits; a match counts in both.
    size_a, size_b = first[:, 1:].sum(axis=1), second[:, 1:].sum(axis=1)
    occurring = np.flatnonzero(size_a + size_b).tolist()
    differing = (typed.counts[a] != typed.counts[b]).any(axis=2).sum(axis=1)
    is_tested = (differing >= LEAST_DIFFERING) & (size_a > 0) & (size_b > 0)
    n_types = len(typed.types)
    # Each system's counts of each type, as if they were systems.
    counts = typed.counts[[a, b]].reshape(2 * n_types, -1, 3).astype(np.float64)
    pairs = [(place, n_types + place) for place in range(n_types)]
    tests = score_counts(counts, beta, resampling, pairs)
    compared = comparisons("", tests, typed.types * 2, pairs, 1, None)
    tested = [place for place in occurring if is_tested[place]]
    type_q: dict[int, float] = {}
    if tests.p_values is not None:
        type_q = dict(zip(tested, q_values(tests.p_values[tested]).tolist(), strict=True))
    rows = [
        TypeRow(
            names[a],
            names[b],
            typed.types[place],
            int(first[place, 2]),
            int(second[place, 2]),
            counts_of(first[place], beta),
            counts_of(second[place], beta),
            compared[place].difference,
            compared[place].ci,
            compared[place].p_randomisation,
            type_q.get(place),
            int(differing[place]),
            bool(is_tested[place]),
        )
        for place in occurring
    ]
    return sorted(
        rows, key=lambda row: (-abs(row.difference) * (row.gold_a + row.gold_b), row.type)
    )


def type_intervals(counts: FloatArray, resamples: int, seed: int, level: float) -> Intervals:
    """Return F0.5's bootstrap interval by type; `counts` has shape (sentences, types, 3)."""
    resampling = Resampling(len(counts), resamples, seed)
    samples = score_counts(counts.transpose(1, 0, 2), BETA, resampling, ()).samples
    return percentile_intervals(samples, level)
