"""Results of a comparison of systems, as read by every output format.

Numbers are not rounded and missing values are None. Systems keep the order in which they were
given, with the baseline first. Sentences keep the order of the gold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

# The edits of the file, the same with ERRANT's types, or those that ERRANT extracts from the
# corrected sentences.
GoldEdits = Literal["given", "typed", "auto"]
# Lists of edits that only B or only A has, divided by whether an annotator has them.
EditList = Literal["gained", "lost", "new_false", "false_gone"]
EDIT_LISTS: tuple[EditList, ...] = ("gained", "lost", "new_false", "false_gone")
Better = Literal["better", "worse", "same"]
# Verdict on the second system against the first; `untested` without resamples.
Mark = Literal["better", "worse", "equal", "same_outputs", "untested"]


class Interval(NamedTuple):
    low: float
    high: float


class Counts(NamedTuple):
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f_score: float


class Ranks(NamedTuple):
    """Rank by score, and the range of ranks that tests of all pairs allow (Holm's correction)."""

    rank: int
    low: int
    high: int


@dataclass(frozen=True)
class Score:
    """One metric's score of a system; `is_like_best`: best, or statistically tied with it."""

    value: float
    ci: Interval | None
    counts: Counts | None
    ranks: Ranks | None
    is_best: bool
    is_like_best: bool | None


@dataclass(frozen=True)
class System:
    name: str
    path: str
    sha256: str
    is_baseline: bool
    empty_lines: tuple[int, ...]
    scores: Mapping[str, Score]


@dataclass(frozen=True)
class Annotator:
    id: str
    sentences: int
    edits: int


@dataclass(frozen=True)
class Gold:
    """The gold; `edits` says which edits count, `types` the origin of types in their table."""

    path: str
    sha256: str
    sentences: int
    annotators: tuple[Annotator, ...]
    edits: GoldEdits
    types: Literal["given", "errant"] | None


@dataclass(frozen=True)
class ByAnnotator:
    """The difference with one annotator alone, over that annotator's `n` sentences."""

    id: str
    n: int
    difference: float
    p_value: float | None


@dataclass(frozen=True)
class Equivalence:
    """Whether the 90 % interval `ci` of the difference lies within the margin."""

    margin: float
    ci: Interval
    is_equivalent: bool


@dataclass(frozen=True)
class Comparison:
    """System `b` against system `a` by one metric; the difference is b - a.

    `p_randomisation` is the p-value of approximate randomisation, `p_holm` the same corrected for
    all comparisons by this metric, `p_bootstrap` that of Koehn's (2004) test. `se` is the standard
    error of the difference.
    """

    a: str
    b: str
    metric: str
    difference: float
    ci: Interval | None = None
    se: float | None = None
    p_randomisation: float | None = None
    p_bootstrap: float | None = None
    p_holm: float | None = None
    mark: Mark = "untested"
    by_annotator: tuple[ByAnnotator, ...] = ()
    equivalence: Equivalence | None = None

    @property
    def is_significant(self) -> bool:
        return self.mark in ("better", "worse")

    @property
    def depends_on_annotator(self) -> bool:
        signs = {
            comparison.difference > 0 for comparison in self.by_annotator if comparison.difference
        }
        return len(signs) > 1


@dataclass(frozen=True)
class TypeRow:
    """One error type of a pair of systems.

    `gold_a` and `gold_b` are numbers of gold edits of the annotators chosen for each system. If
    `is_tested` is False, the systems differ in too few sentences (`n_sentences`), and there is no
    `q_value`.
    """

    a: str
    b: str
    type: str
    gold_a: int
    gold_b: int
    counts_a: Counts
    counts_b: Counts
    difference: float
    ci: Interval | None
    p_value: float | None
    q_value: float | None
    n_sentences: int
    is_tested: bool


@dataclass(frozen=True)
class EditChange:
    """An edit that only one of two systems has; `have` of `of` annotators with a line have it, too.

    `sentence` and tokens count from 0. `not_counted`: some annotator has the edit, but not the one
    that the system's sentence is scored with. `other_correction`: the other system corrects the
    same tokens differently.
    """

    a: str
    b: str
    list: EditList
    sentence: int
    start: int
    end: int
    original: str
    correction: str
    type: str
    have: int
    of: int
    not_counted: bool
    other_correction: bool


@dataclass(frozen=True)
class EditTotals:
    """Totals of the edit lists of a pair of systems, including edits that the lists do not show."""

    a: str
    b: str
    gained: int
    gained_by_all: int
    lost: int
    lost_by_all: int
    new_false: int
    false_gone: int
    both_right: int
    both_false: int


class Place(NamedTuple):
    """The tokens that an edit replaces, and its correction, which identify it in a sentence."""

    start: int
    end: int
    correction: str


class GoldEdit(NamedTuple):
    place: Place
    type: str
    annotators: tuple[str, ...]


class OutputEdit(NamedTuple):
    """An edit that `have` of `of` annotators have; `is_counted`: it is a true positive."""

    place: Place
    type: str
    have: int
    of: int
    is_counted: bool


@dataclass(frozen=True)
class SystemSentence:
    output: str
    annotator: str
    counts: tuple[int, int, int]
    edits: tuple[OutputEdit, ...]
    missed: tuple[GoldEdit, ...]


@dataclass(frozen=True)
class Sentence:
    """A sentence of the gold; `better` compares TP - FP of each system with the baseline's."""

    id: int
    source: str
    annotators: tuple[str, ...]
    gold: tuple[GoldEdit, ...]
    systems: tuple[SystemSentence, ...]
    better: Mapping[str, Better]


@dataclass(frozen=True)
class Note:
    kind: str
    text: str
    is_warning: bool = False


@dataclass(frozen=True)
class Signature:
    maege: str
    extractor: str
    metrics: Mapping[str, str]
    language: str
    match: str
    gold_edits: GoldEdits
    beta: float
    tier: int
    resamples: int
    seed: int
    alpha: float
    margin: float | None
    all_pairs: bool


@dataclass(frozen=True)
class Result:
    """A complete comparison.

    `f_as_given` is F by system against the gold as read from the file, if other edits count.
    `smallest_difference` is the smallest detectable difference: twice the median standard error of
    ERRANT's differences. `type_sums` holds the sums over all types of a system. Types, lists of
    edits and their totals compare every system with the baseline.
    """

    signature: Signature
    gold: Gold
    systems: tuple[System, ...]
    comparisons: tuple[Comparison, ...]
    types: tuple[TypeRow, ...]
    type_sums: Mapping[str, Counts]
    changes: tuple[EditChange, ...]
    totals: tuple[EditTotals, ...]
    sentences: tuple[Sentence, ...]
    notes: tuple[Note, ...]
    f_as_given: Mapping[str, float]
    smallest_difference: float | None
    seconds: Mapping[str, float]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.systems[0].scores)

    @property
    def baseline(self) -> System:
        return self.systems[0]

    def comparison(self, a: str, b: str, metric: str) -> Comparison | None:
        """Return how `b` differs from `a`, if the two were compared in that order."""
        by_key = {(each.a, each.b, each.metric): each for each in self.comparisons}
        return by_key.get((a, b, metric))

    def types_of(self, a: str, b: str) -> tuple[TypeRow, ...]:
        return tuple(row for row in self.types if (row.a, row.b) == (a, b))
