"""ERRANT: compare the edits of a hypothesis with those of each annotator, as sets.

Bryant, Felice and Briscoe 2017, "Automatic Annotation and Evaluation of Error Types for Grammatical
Error Correction", as the program's `compare` computes it:

    P = tp / (tp + fp), 1 without fp    R = tp / (tp + fn), 1 without fn
    F = (1 + beta^2) P R / (beta^2 P + R)

By default edits match if span and correction match, whatever their types. If several gold edits of
one annotator match the same edit, each counts. Duplicate edits of the hypothesis count several
times only if they are wrong. Edits of type UNK have no correction and count in detection only. If
an edit has alternatives, the first one is used, because ERRANT supports none. For each sentence the
annotator with the highest corpus score so far is chosen. Annotators who did not annotate a sentence
are excluded if another annotator did.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from maege.analysis.edits import Edit, parse_annotation
from maege.analysis.metrics.families import EditFamily, FloatArray, GoldGroup
from maege.analysis.metrics.formula import Named, Number, f_of_counts, f_of_sums, rounded
from maege.analysis.metrics.scores import ChosenScore, Positions, choose_greedily

# Names of compare's options: correction of spans, correction of spans and types, detection of
# spans, detection of tokens.
Matching = Literal["cs", "cse", "ds", "dt"]
BETA = 0.5
DECIMALS = 4

UNKNOWN = "UNK"
_NOOP = "noop"

_Typed = dict[Hashable, list[str]]


@dataclass(frozen=True)
class Errant(EditFamily):
    matching: Matching = "cs"

    name: ClassVar[str] = "errant"
    version = "2"
    reads_source = False
    reads_edits = True
    reads_types = True
    per_reference = True
    statistics = ("tp", "fp", "fn")

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        silent = "no_error" if self.counts_silence else "passed_over"
        return (("matching", self.matching), ("silent", silent))

    def group_counts(self, group: GoldGroup) -> FloatArray:
        gold = [
            None if text is None else _by_key(parse_annotation(text), self.matching)
            for text in group.gold
        ]
        absent = (np.nan,) * len(self.statistics)
        rows = []
        for text in group.hypotheses:
            hypothesis = _by_key(parse_annotation(text), self.matching)
            rows.append(
                [absent if edits is None else _numbers(hypothesis, edits) for edits in gold]
            )
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(gold), len(absent))


class ErrantNoError(Errant):
    name = "errant_no_error"
    counts_silence = True


@dataclass(frozen=True)
class ErrantScore(ChosenScore):
    beta: float = BETA

    family: ClassVar[Errant] = Errant()

    def sentence_score(self, of: Named) -> Number:
        tp = of["tp"]
        return f_of_counts(tp, tp + of["fp"], tp + of["fn"], self.beta)

    def choose(self, statistics: FloatArray) -> Positions:
        tp, fp, fn = np.moveaxis(statistics, -1, 0)
        # F is rounded as in `compare`, because the choice can depend on the last digit.
        return choose_greedily(
            self.counts(statistics),
            lambda sums: rounded(f_of_sums(sums, self.beta), DECIMALS),
            (tp, -fp, -fn),
        )

    def counts(self, statistics: FloatArray) -> FloatArray:
        return np.concatenate([statistics[..., :1], statistics[..., :1] + statistics[..., 1:]], -1)


class ErrantNoErrorScore(ErrantScore):
    family = ErrantNoError()


def type_counts(
    hypothesis: Iterable[Edit], gold: Iterable[Edit], matching: Matching = "cs"
) -> dict[str, tuple[int, int, int]]:
    """Return tp, fp and fn by error type, as compare's `-cat 3`. A match has the gold's type."""
    outcomes = Counter(_outcomes(_by_key(hypothesis, matching), _by_key(gold, matching)))
    types = sorted({error_type for _, error_type in outcomes})
    return {t: (outcomes["tp", t], outcomes["fp", t], outcomes["fn", t]) for t in types}


def _outcomes(hypothesis: _Typed, gold: _Typed) -> Iterator[tuple[str, str]]:
    for key, types in hypothesis.items():
        if types[0] == _NOOP:
            continue
        matched = gold.get(key)
        yield from (("fp", t) for t in types) if matched is None else (("tp", t) for t in matched)
    for key, types in gold.items():
        if types[0] != _NOOP and key not in hypothesis:
            yield from (("fn", t) for t in types)


def _numbers(hypothesis: _Typed, gold: _Typed) -> tuple[int, int, int]:
    outcomes = [outcome for outcome, _ in _outcomes(hypothesis, gold)]
    return outcomes.count("tp"), outcomes.count("fp"), outcomes.count("fn")


def _by_key(edits: Iterable[Edit], matching: Matching) -> _Typed:
    detects = matching in ("ds", "dt")
    typed: _Typed = {}
    for edit in edits:
        if detects or edit.error_type != UNKNOWN:
            for key in _KEYS[matching](edit):
                typed.setdefault(key, []).append(edit.error_type)
    return typed


_KEYS: dict[Matching, Callable[[Edit], Iterable[Hashable]]] = {
    "cs": lambda edit: [(edit.start, edit.end, edit.corrections[0])],
    "cse": lambda edit: [(edit.start, edit.end, edit.error_type, edit.corrections[0])],
    "ds": lambda edit: [(edit.start, edit.end)],
    # An insertion affects the token on its right.
    "dt": lambda edit: range(edit.start, max(edit.end, edit.start + 1)),
}
