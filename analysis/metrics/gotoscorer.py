"""GoToScorer: an F score in which difficult corrections have a higher weight.

Gotou et al. 2020, "Taking the Correction Difficulty into Account in Grammatical Error Correction
Evaluation":

    P = TP / (TP + FP)    R = TP / (TP + FN)    Acc = (TP + TN) / all    F.5 of P and R

of summed weights; 0 / 0 counts as 0. If n of the N systems that corrected the sentence get a gold
chunk right, the weight of the chunk is 1 - n / N. (The stored weights are N - n, because sums of
integers are exact.) Scores from different sets of systems are therefore not comparable. The program
reads one annotator. With several annotators, this module chooses for each sentence the one that
maximises the corpus score so far.

There is no common partition: each annotation cuts the source separately. Each edit is a chunk, and
so is every token that no edit changes. An empty chunk, where a token could be inserted, precedes
each of them and ends the sentence, unless the chunk before it is an insertion. Only the chunks of
the gold count. Chunks of the unchanged source have a position, start + end: empty chunks have even
positions, tokens odd ones.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from maege.analysis.edits import BARS, EDIT_SEPARATOR, parse_edit
from maege.analysis.metrics.families import EditFamily, Family, FloatArray, GoldGroup
from maege.analysis.metrics.formula import QUIET, Named, Number, where
from maege.analysis.metrics.scores import (
    BestReferenceScore,
    CountedScore,
    Positions,
    Reported,
    choose_greedily,
)

BETA = 0.5
# What a hypothesis does to a chunk of the gold. FP_AND_FN: it edits wrongly what the gold edits.
OUTCOMES = ("tp", "fp", "fp_and_fn", "fn", "tn")
TP, FP, FP_AND_FN, FN, TN = range(len(OUTCOMES))

# An annotation that only detects an error is not an edit.
_PASSED_OVER = frozenset({"noop", "UNK", "Um"})


class ChunkEdit(NamedTuple):
    start: int
    end: int
    text: str


class Chunks:
    """The chunks of an annotation, with its edits in the order of the file.

    `places` holds the texts of the chunks of the unchanged source, `times` how often each is kept.
    """

    def __init__(self, source: str, edits: list[ChunkEdit]) -> None:
        tokens = source.split()
        self.edits = edits
        self.places = [""] * (2 * len(tokens) + 1)
        self.places[1::2] = tokens
        self.times = [0] * len(self.places)
        # Each position is kept for the first time before one of the edits. The edits are not
        # sorted.
        self._left_before: dict[int, int] = {}
        token = is_inserted = 0
        for number, (start, end, _) in enumerate([*edits, (len(tokens), len(tokens) + 1, "")]):
            # Tokens between overlapping edits count twice.
            for place in range(2 * min(token, start) + is_inserted, 2 * start + (start < end)):
                self.times[place] += 1
                self._left_before.setdefault(place, number)
            token, is_inserted = end, int(start == end)
        # Empty chunks within a longer edit are correct.
        self.touched = {
            place: self.outcome(ChunkEdit(place // 2, (place + 1) // 2, self.places[place]))
            for start, end, _ in edits
            for place in range(2 * start + (start < end), 2 * end + (start == end), 2)
        }

    def outcome(self, chunk: ChunkEdit) -> int:
        """Return what the annotation, as a hypothesis, does to a chunk of the gold."""
        start, end, text = chunk
        left_before = len(self.edits) + 1
        if end - start <= 1 and self.places[start + end] == text:
            left_before = self._left_before.get(start + end, left_before)
        is_edited = False
        for number, edit in enumerate(self.edits):
            if left_before <= number:
                return TN
            if edit.start == start and edit.end == end:
                if edit.text == text:
                    return TP
                is_edited = True
            elif start < end and (start <= edit.start < end or edit.start <= start < edit.end):
                is_edited = True
        if left_before <= len(self.edits):
            return TN
        return FP if is_edited else FN


# Groups of the same sentence share many annotations.
@lru_cache(maxsize=4096)
def chunks_of(source: str, annotation: str, *, is_gold: bool = False) -> Chunks:
    """Return the chunks of an annotation; raise ValueError for an edit outside the source.

    Gold edits that end beyond the source are ignored, because nothing can match them.
    """
    length = len(source.split())
    edits = []
    for line in filter(None, annotation.split(EDIT_SEPARATOR)):
        start, end, error_type, corrections, _ = parse_edit(line)
        if error_type in _PASSED_OVER or (is_gold and end > length):
            continue
        text = BARS.join(corrections)
        if not 0 <= start <= end <= length:
            message = (
                f"an edit of tokens {start} to {end} in a sentence of {length}, with the "
                f"correction {text!r}; correct the span or give the edit its own sentence"
            )
            raise ValueError(message)
        edits.append(ChunkEdit(start, end, text))
    return Chunks(source, edits)


COUNTS = ("tp", "fp", "fn", "tn", "chunks")


class GoToScorerChunks(EditFamily):
    name: ClassVar[str] = "gotoscorer_chunks"
    parameters = ()
    reads_edits = True
    per_reference = True
    statistics: ClassVar[tuple[str, ...]] = COUNTS
    # Numbers of sums of weights, of counts, and of systems among the statistics.
    columns: ClassVar[list[int]] = [*range(5, 10)]

    def group_counts(self, group: GoldGroup) -> FloatArray:
        hypotheses = [chunks_of(group.source, text) for text in group.hypotheses]
        outputs = [
            (chunks_of(group.source, text), n_systems)
            for text, n_systems in Counter(group.outputs).items()
        ]
        # Chunks of the unchanged source have the same weight in every annotation.
        weights: Counter[int] = Counter()
        for output, n_systems in outputs:
            for place, outcome in output.touched.items():
                if outcome not in (TP, TN):
                    weights[place] += n_systems
        result = np.full((len(hypotheses), len(group.gold), len(self.statistics)), np.nan)
        for column, text in enumerate(group.gold):
            if text is None:
                continue
            gold = chunks_of(group.source, text, is_gold=True)
            edit_weights = [
                sum(n for output, n in outputs if output.outcome(edit) not in (TP, TN))
                for edit in gold.edits
            ]
            for row, hypothesis in enumerate(hypotheses):
                weighed, numbers = sums(gold, hypothesis, weights, edit_weights)
                values = [*weighed, *numbers, len(group.outputs)]
                result[row, column] = [values[number] for number in self.columns]
        return result


class GoToScorer(GoToScorerChunks):
    name = "gotoscorer"
    reads_outputs = True
    statistics = (*COUNTS[:4], "weight", *(f"{count}_chunks" for count in COUNTS[:4]), "systems")
    columns: ClassVar[list[int]] = [*range(9), 10]


def sums(
    gold: Chunks, hypothesis: Chunks, weights: Counter[int], edit_weights: Sequence[int]
) -> list[list[int]]:
    """Return sums of weights, and numbers, of chunks: tp, fp, fn, tn and all.

    `weights` are those of chunks of the unchanged source by position.
    """
    sums = [[0] * len(OUTCOMES), [0] * len(OUTCOMES)]
    # The hypothesis keeps chunks that none of its edits touches.
    sums[0][TN] = sum(gold.times[place] * weight for place, weight in weights.items())
    sums[1][TN] = sum(gold.times)
    for place, outcome in hypothesis.touched.items():
        for kind, value in enumerate((gold.times[place] * weights[place], gold.times[place])):
            sums[kind][TN] -= value
            sums[kind][outcome] += value
    for edit, weight in zip(gold.edits, edit_weights, strict=True):
        outcome = hypothesis.outcome(edit)
        if outcome == FP:
            outcome = FP_AND_FN
        sums[0][outcome] += weight
        sums[1][outcome] += 1
    return [
        [tp, fp + fp_and_fn, fn + fp_and_fn, tn, tp + fp + fp_and_fn + fn + tn]
        for tp, fp, fp_and_fn, fn, tn in sums
    ]


@dataclass(frozen=True)
class GoToScore(BestReferenceScore, CountedScore):
    beta: float = BETA

    family: ClassVar[Family] = GoToScorer()

    def sentence_score(self, of: Named) -> Number:
        tp = (1 + self.beta**2) * of["tp"]
        return where(tp > 0, tp / (tp + of["fp"] + self.beta**2 * of["fn"]), 0)

    def choose(self, statistics: FloatArray) -> Positions:
        tp, fp, fn = np.moveaxis(statistics[..., :3], -1, 0)
        return choose_greedily(statistics, self.of_sums, (tp, -fp, -fn))

    @QUIET
    def reported(self, sums: FloatArray) -> Reported:
        of = dict(zip(self.family.statistics, np.moveaxis(sums, -1, 0), strict=True))
        suffix = "_chunks" if self.family.reads_outputs else ""
        tp, fp, fn, tn = (of[count] for count in COUNTS[:4])
        right, total = tp + tn, of["weight" if suffix else "chunks"]
        measures = {
            "p": where(tp > 0, tp / (tp + fp), 0),
            "r": where(tp > 0, tp / (tp + fn), 0),
            "f": self.of_sums(sums),
            "acc": where(right > 0, right / total, 0),
        }
        return {"correction": {n: of[f"{n}{suffix}"] for n in COUNTS[:4]} | measures}


class UnweightedGoToScore(GoToScore):
    family = GoToScorerChunks()
