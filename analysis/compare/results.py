"""What a comparison of systems says, as every form of output reads it.

Numbers are not rounded, missing values are None, and everything has one order: systems as they were
given, the baseline first, and sentences as in the gold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

GoldEdits = Literal["given", "typed", "auto"]
# Edits of B that A lacks, and of A that B lacks: with an annotator who has them, and without.
EditList = Literal["gained", "lost", "new_false", "false_gone"]
EDIT_LISTS: tuple[EditList, ...] = ("gained", "lost", "new_false", "false_gone")
# All annotators with a line have the edit; some of them; none.
Outcome = Literal["right", "disputed", "false"]
Better = Literal["better", "worse", "same"]
# The second system against the first; `untested` where there are no resamples.
Mark = Literal["better", "worse", "equal", "same_outputs", "untested"]


class Interval(NamedTuple):
    """Percentile bounds."""

    low: float
    high: float


class Counts(NamedTuple):
    """Counts of edits and what follows from them; `f_score` with the comparison's beta."""

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f_score: float


class Ranks(NamedTuple):
    """Rank by score, and the ranks that tests against all other systems leave possible.

    `low` is 1 more than the number of systems that are significantly better, `high` the number of
    systems less those that are significantly worse: Holm's correction over all pairs.
    """

    rank: int
    low: int
    high: int


@dataclass(frozen=True)
class Score:
    """One metric's score of one system.

    `counts` is None for metrics that count no edits. `is_like_best`: a test against the best
    system does not tell the two apart (the best itself included); None without tests.
    """

    metric: str
    value: float | None
    ci: Interval | None
    counts: Counts | None
    ranks: Ranks | None
    is_best: bool
    is_like_best: bool | None


@dataclass(frozen=True)
class System:
    """A system: its file, and its scores by metric in the order that was asked for.

    `empty_lines` counts from 1: outputs without a word.
    """

    name: str
    path: str
    sha256: str
    is_baseline: bool
    empty_lines: tuple[int, ...]
    scores: Mapping[str, Score]


@dataclass(frozen=True)
class Annotator:
    """An annotator of the gold, by the name in its file: sentences with a line, and edits there."""

    id: str
    sentences: int
    edits: int


@dataclass(frozen=True)
class Gold:
    """What outputs are compared with.

    `edits` says which edits are counted: those of the file, these with ERRANT's types, or ERRANT's
    of the corrected sentences. `types` is whose types the table of types has; None: there is none.
    """

    path: str
    sha256: str
    sentences: int
    annotators: tuple[Annotator, ...]
    edits: GoldEdits
    types: Literal["given", "errant"] | None


@dataclass(frozen=True)
class ByAnnotator:
    """The difference with one annotator alone, over the `n` sentences where they have a line."""

    id: str
    n: int
    difference: float
    p_value: float | None


@dataclass(frozen=True)
class Equivalence:
    """Whether two systems differ by less than a margin: two one-sided tests at 5 % each.

    They are equivalent where the 90 % interval of the difference lies within the margin.
    """

    margin: float
    ci: Interval
    is_equivalent: bool


@dataclass(frozen=True)
class Comparison:
    """System `b` against system `a` by one metric; the difference is b - a.

    `p_randomisation` is the test's, `p_holm` it among all comparisons by this metric,
    `p_bootstrap` Koehn's (2004). `se` is the standard error of the difference.
    """

    a: str
    b: str
    metric: str
    difference: float | None
    ci: Interval | None
    se: float | None
    p_randomisation: float | None
    p_bootstrap: float | None
    p_holm: float | None
    mark: Mark
    by_annotator: tuple[ByAnnotator, ...]
    equivalence: Equivalence | None

    @property
    def is_significant(self) -> bool:
        """Whether `b` is better or worse by the corrected test."""
        return self.mark in ("better", "worse")

    @property
    def depends_on_annotator(self) -> bool:
        """Whether annotators alone disagree which of the two is better."""
        signs = {one.difference > 0 for one in self.by_annotator if one.difference}
        return len(signs) > 1


@dataclass(frozen=True)
class TypeRow:
    """One error type of a pair of systems.

    `gold_a` and `gold_b` are gold edits of the annotators chosen for each. Where `is_tested` is
    False, too few sentences differ (`n_sentences`), and there is no `q_value`.
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
    """An edit that one of two systems has; `have` of `of` annotators with a line have it, too.

    `sentence` and tokens count from 0. `not_counted`: an annotator has it, but not the annotator
    that the system's sentence is scored with. `other_correction`: the other system corrects the
    same tokens otherwise.
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

    @property
    def is_disputed(self) -> bool:
        """Whether annotators differ about it."""
        return 0 < self.have < self.of


@dataclass(frozen=True)
class EditTotals:
    """How many edits of a pair of systems fall where; all of them, not only those on lists."""

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


@dataclass(frozen=True)
class GoldEdit:
    """An edit of the gold, once, with those who have it."""

    start: int
    end: int
    original: str
    correction: str
    type: str
    annotators: tuple[str, ...]


@dataclass(frozen=True)
class OutputEdit:
    """An edit of a system; `is_counted`: it is a true positive of the score."""

    start: int
    end: int
    original: str
    correction: str
    type: str
    have: int
    of: int
    outcome: Outcome
    is_counted: bool


@dataclass(frozen=True)
class SystemSentence:
    """A system's output of a sentence: its edits, and edits that it misses."""

    output: str
    annotator: str
    counts: tuple[int, int, int]
    edits: tuple[OutputEdit, ...]
    missed: tuple[GoldEdit, ...]


@dataclass(frozen=True)
class Sentence:
    """A sentence of the gold; `systems` in the order of the comparison's systems.

    `better` says of every system but the baseline whether it has more right less false edits.
    """

    id: int
    source: str
    annotators: tuple[str, ...]
    gold: tuple[GoldEdit, ...]
    systems: tuple[SystemSentence, ...]
    better: Mapping[str, Better]


@dataclass(frozen=True)
class Note:
    """Something that a reader should know; `kind` is a name for programs."""

    kind: str
    text: str
    is_warning: bool = False


@dataclass(frozen=True)
class Signature:
    """All that makes the numbers reproducible."""

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
    """A whole comparison.

    `f_as_given` is F against the gold as the file has it, by system, where other edits count.
    `smallest_difference` is what no test with these sentences would see less than: twice the
    median standard error of ERRANT's differences. `type_sums` are all types of a system together.
    Types, lists of edits and their totals are those of every system against the baseline.
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
        """The metrics, the first of which tests and lists are ordered by."""
        return tuple(self.systems[0].scores)

    @property
    def baseline(self) -> System:
        """The first system."""
        return self.systems[0]

    def comparison(self, a: str, b: str, metric: str) -> Comparison | None:
        """Return how `b` differs from `a`, if the two were compared in that order."""
        for one in self.comparisons:
            if (one.a, one.b, one.metric) == (a, b, metric):
                return one
        return None

    def types_of(self, a: str, b: str) -> tuple[TypeRow, ...]:
        """Return the rows of a pair, the most telling first."""
        return tuple(row for row in self.types if (row.a, row.b) == (a, b))

    def changes_of(self, a: str, b: str) -> tuple[EditChange, ...]:
        """Return the edits of a pair's lists, by list, type and sentence."""
        return tuple(one for one in self.changes if (one.a, one.b) == (a, b))
