"""CLEME and CLEME2.0: scores from the chunks that a hypothesis changes correctly or wrongly.

Ye et al. 2023, "CLEME: Debiasing Multi-reference Evaluation for Grammatical Error Correction",
implemented as in their program. One common partition cuts a sentence into chunks for hypothesis and
references together. All edits of hypothesis and references are sorted by start. An edit that
overlaps or touches the previous interval joins it, whether the edits come from the same text or
not. The intervals and the unchanged stretches between them are the chunks. A chunk's text is its
source text with the edits inside it applied. A sequence has changed a chunk if it has an edit
there, even an edit that leaves the tokens as they were.

- Dependent assumption, against each reference: a chunk that the hypothesis changes is TP if the
  texts are equal, else FP (`fp_ne` if the reference changes it, else `fp_un`). A chunk that the
  hypothesis keeps is FN if the texts differ, else TN. In each sentence of a corpus, the reference
  is chosen that maximises the corpus score so far.
- Independent assumption, against all references: a changed chunk is TP if any reference has its
  text, else FP (`fp_ne` if any reference changes it, else `fp_un`). A kept chunk is FN only if all
  references change it, else TN.

A stretch that no text changes is one TN, whatever its length. Duplicate edits count once.

    P = TP / (TP + FP)    R = TP / (TP + FN)    F.5 of both

0 / 0 counts as 1. F is rounded to four decimals before it is compared or averaged, as in the
program.

Ye et al. 2024, "CLEME2.0: Towards Interpretable Evaluation by Disentangling Edits for Grammatical
Error Correction", with four aspects (0 / 0 counts as 0) and factors for corpora and sentences:

    hit = TP / ne    wrong = fp_ne / ne    under = FN / ne      where ne = TP + fp_ne + FN
    over = fp_un / (TP + fp_ne + fp_un)
    a hit + b (1 - wrong) + c (1 - under) + d (1 - over)

`cleme_length` weights the counts of CLEME by the lengths of chunks (Ye et al. 2023). Let l be the
number of tokens of a chunk (the larger of source and hypothesis). Let m be the mean number of
tokens (the larger of source and reference) of the chunks that references change, over all sentences
of a system in a corpus:

    TP, FN: w = a / (1 + (a - 1) e^(m - l))    FP: w = a / (1 + (a - 1) e^(l - m))    TN: 1

with a = 2. Weights are limited to 0.75 to 1.25, as the authors' program runs. (It declares other
limits for sentences, but never uses them.) If references change nothing, all weights are 1. m
depends on the system and the corpus, so the statistics are the numbers of chunks by length, and the
sum and number for m. Pairs of texts without a corpus need counts weighted with the m of the
sentence, which are stored, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.edits import BARS, Annotation, Edit, gold_annotations, parse_annotation
from maege.analysis.metrics.families import EditFamily, Family, FloatArray, GoldGroup
from maege.analysis.metrics.formula import (
    QUIET,
    Named,
    Number,
    f_of_counts,
    f_of_shares,
    rounded,
    share,
    where,
)
from maege.analysis.metrics.scores import (
    BestReferenceScore,
    CountedScore,
    InCorpusScore,
    Positions,
    Reported,
    choose_greedily,
    chosen_statistics,
)

COUNTS = ("tp", "fp_ne", "fp_un", "fn", "tn")
TP, FP_NE, FP_UN, FN, TN = range(len(COUNTS))
# Verdict for each count of the independent assumption. If a changed chunk counts as TN, some
# references change it, but the hypothesis and the other references do not.
VERDICTS = {TP: "right", FP_NE: "wrong", FP_UN: "unnecessary", FN: "missed", TN: "optional"}

_Span = tuple[int, int]


class Chunk(NamedTuple):
    """Texts of a changed chunk after the edits, None where there is no edit."""

    start: int
    end: int
    source: str
    hypothesis: str | None
    references: tuple[str | None, ...]


class Partition:
    """A source and its references, partitioned together with one hypothesis at a time.

    A reference that deletes everything is excluded if another one does not: only an empty
    hypothesis could match it. `positions` are those of the remaining references in `gold`.
    """

    def __init__(self, source: Sequence[str], gold: Sequence[Annotation | None]) -> None:
        self._source = source
        lines = [(place, edits) for place, edits in enumerate(gold) if edits is not None]
        used = [(place, edits) for place, edits in lines if self._leaves_words(edits)] or lines[:1]
        self.positions = [place for place, _ in used]
        self._references = [edits for _, edits in used]
        self._spans = _joined(
            (edit.start, edit.end) for edits in self._references for edit in edits
        )
        # Most chunks are those of other hypotheses, too.
        self._texts: dict[_Span, tuple[str | None, ...]] = {}

    def changed(self, hypothesis: Annotation) -> list[Chunk]:
        spans = _joined([*self._spans, *((edit.start, edit.end) for edit in hypothesis)])
        for span in spans:
            if span not in self._texts:
                self._texts[span] = tuple(self._text(span, edits) for edits in self._references)
        return [
            Chunk(
                *span,
                " ".join(self._source[slice(*span)]),
                self._text(span, hypothesis),
                self._texts[span],
            )
            for span in spans
        ]

    def unchanged(self, changed: Sequence[Chunk]) -> int:
        if not changed:
            return int(len(self._source) > 0)
        # Changed chunks never touch.
        edges = (changed[0].start == 0) + (changed[-1].end == len(self._source))
        return len(changed) + 1 - edges

    def _text(self, span: _Span, edits: Annotation) -> str | None:
        start, end = span
        inside = [edit for edit in edits if start <= edit.start and edit.end <= end]
        return _applied(self._source, span, inside) if inside else None

    def _leaves_words(self, edits: Annotation) -> bool:
        if sum(edit.end - edit.start for edit in edits) < len(self._source):
            return True
        return bool(edits and _applied(self._source, (0, len(self._source)), edits))


class ClemeDependent(EditFamily):
    name: ClassVar[str] = "cleme"
    parameters: ClassVar[tuple[tuple[str, str], ...]] = ()
    statistics: ClassVar[tuple[str, ...]] = COUNTS
    reads_edits = True
    per_reference: ClassVar[bool] = True
    # Index of the statistic that counts unchanged chunks.
    unchanged: ClassVar[int] = TN

    def group_counts(self, group: GoldGroup) -> FloatArray:
        partition = Partition(group.source.split(), gold_annotations(group.gold, group.source))
        columns = partition.positions if self.per_reference else [0]
        width = len(group.gold) if self.per_reference else 1
        result = np.full((len(group.hypotheses), width, len(self.statistics)), np.nan)
        for row, hypothesis in zip(result, group.hypotheses, strict=True):
            chunks = partition.changed(parse_annotation(hypothesis))
            counts = self.counts(chunks, len(columns))
            counts[:, self.unchanged] += partition.unchanged(chunks)
            row[columns] = counts
        return result

    def counts(self, chunks: Sequence[Chunk], width: int) -> FloatArray:
        counts = [[0] * len(self.statistics) for _ in range(width)]
        for chunk in chunks:
            for row, outcome_index in zip(counts, self.outcomes(chunk), strict=True):
                row[outcome_index] += 1
        return np.array(counts, np.float64)

    def outcomes(self, chunk: Chunk) -> list[int]:
        if self.per_reference:
            return [outcome(chunk, text) for text in chunk.references]
        return [outcome_of_all(chunk)]


class ClemeIndependent(ClemeDependent):
    name = "cleme_independent"
    per_reference = False


def outcome(chunk: Chunk, reference: str | None) -> int:
    text = chunk.source if reference is None else reference
    if chunk.hypothesis is None:
        return TN if text == chunk.source else FN
    if chunk.hypothesis == text:
        return TP
    return FP_UN if reference is None else FP_NE


def outcome_of_all(chunk: Chunk) -> int:
    unchanged = chunk.references.count(None)
    if chunk.hypothesis is None:
        return TN if unchanged else FN
    if chunk.hypothesis in chunk.references or (unchanged and chunk.hypothesis == chunk.source):
        return TP
    return FP_UN if unchanged == len(chunk.references) else FP_NE


class ChunkRow(NamedTuple):
    chunk_index: int
    start_token: int
    end_token: int
    original: str
    hypothesis_text: str
    positions: list[int]
    reference_texts: list[str]
    verdict: str


def chunk_rows(
    source: str, gold: Sequence[str | None], hypotheses: Sequence[str]
) -> list[list[ChunkRow]]:
    annotations = gold_annotations(gold, source)
    partition = Partition(source.split(), annotations)
    return [
        [
            _row(index, chunk, partition.positions)
            for index, chunk in enumerate(partition.changed(parse_annotation(text)))
        ]
        for text in hypotheses
    ]


def _row(index: int, chunk: Chunk, positions: list[int]) -> ChunkRow:
    hypothesis, *references = (
        chunk.source if text is None else text for text in (chunk.hypothesis, *chunk.references)
    )
    return ChunkRow(
        index,
        chunk.start,
        chunk.end,
        chunk.source,
        hypothesis,
        positions,
        references,
        VERDICTS[outcome_of_all(chunk)],
    )


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    joined: list[_Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _applied(source: Sequence[str], span: _Span, edits: Sequence[Edit]) -> str:
    """Return the text of the span after the edits in it, applied one by one as in the program.

    A later edit of a token replaces the result of an earlier one. Alternative corrections are read
    as one text.
    """
    start, end = span
    tokens, offset = list(source[start:end]), -start
    for edit in sorted(dict.fromkeys(edits), key=attrgetter("start")):
        words = BARS.join(edit.corrections).split()
        place = max(edit.start + offset, 0)
        tokens[place : max(edit.end + offset, place)] = words
        offset += len(words) - (edit.end - edit.start)
    return " ".join(tokens)


BETA = 0.5
DECIMALS = 4
# The factors of hit, wrong, under and over.
Factors = tuple[float, float, float, float]


class _ChunkScore(BestReferenceScore, CountedScore):
    def choose(self, statistics: FloatArray) -> Positions:
        tp, fp_ne, fp_un, fn, _ = np.moveaxis(statistics, -1, 0)
        return choose_greedily(statistics, self.of_sums, (tp, -fp_ne - fp_un, -fn))

    def reported(self, sums: FloatArray) -> Reported:
        of = dict(zip(COUNTS, np.moveaxis(sums, -1, 0), strict=True))
        fp = of["fp_ne"] + of["fp_un"]
        counts = {"tp": of["tp"], "tn": of["tn"], "fp": fp, "fn": of["fn"], "fpn": of["fp_ne"]}
        return {"correction": {**counts, **measures(of), **aspects(of)}}


class ClemeScore(_ChunkScore):
    family: ClassVar[Family] = ClemeDependent()

    def sentence_score(self, of: Named) -> Number:
        return rounded(f_of_shares(*_precision_and_recall(of), BETA), DECIMALS)


class ClemeIndependentScore(ClemeScore):
    family = ClemeIndependent()


@dataclass(frozen=True)
class Cleme2Score(_ChunkScore):
    corpus_factors: Factors = (0.45, 0.35, 0.15, 0.05)
    sentence_factors: Factors = (0.35, 0.25, 0.20, 0.20)

    family: ClassVar[Family] = ClemeDependent()

    def sentence_score(self, of: Named) -> Number:
        return _weighted(of, self.sentence_factors)

    @QUIET
    def of_sums(self, sums: FloatArray) -> FloatArray:
        of = dict(zip(COUNTS, np.moveaxis(sums, -1, 0), strict=True))
        score: FloatArray = _weighted(of, self.corpus_factors)
        return score


class Cleme2IndependentScore(Cleme2Score):
    family = ClemeIndependent()


@QUIET
def measures(of: Named) -> dict[str, Number]:
    p, r = _precision_and_recall(of)
    exact = {
        "p": p,
        "r": r,
        "f": f_of_shares(p, r, BETA),
        "acc": (of["tp"] + of["tn"]) / sum(of[name] for name in COUNTS),
    }
    return {name: rounded(value, DECIMALS) for name, value in exact.items()}


def _precision_and_recall(of: Named) -> tuple[Number, Number]:
    tp, fn = of["tp"], of["fn"]
    return share(tp, tp + of["fp_ne"] + of["fp_un"]), share(tp, tp + fn)


@QUIET
def aspects(of: Named) -> dict[str, Number]:
    tp, wrong, over, fn = (of[name] for name in COUNTS[:TN])
    errors = tp + wrong + fn
    return {
        "hit": _part(tp, errors),
        "wrong": _part(wrong, errors),
        "under": _part(fn, errors),
        "over": _part(over, tp + wrong + over),
    }


def _part(part: Number, total: Number) -> Number:
    return where(total > 0, part / total, 0)


def _weighted(of: Named, factors: Factors) -> Number:
    shares = aspects(of)
    a, b, c, d = factors
    return (
        a * shares["hit"]
        + b * (1 - shares["wrong"])
        + c * (1 - shares["under"])
        + d * (1 - shares["over"])
    )


# Longer chunks count as chunks of this length, because weights reach their limits one or two tokens
# from m.
LONGEST = 40
_LENGTHS = LONGEST + 1
_WEIGHTED = ("tp", "fp", "fn")
# The counts that a chunk can add to. TN has no weight.
_ROW = {TP: 0, FP_NE: 1, FP_UN: 1, FN: 2}
_SUMMED = (
    *(f"{count}_{length}" for count in _WEIGHTED for length in range(_LENGTHS)),
    *("tn", "changed", "changed_tokens"),
)
_TN, _CHANGED, _TOKENS = range(len(_SUMMED) - 3, len(_SUMMED))

# The factor a, the lowest and the highest weight, of TP, FP and FN.
Weights = tuple[tuple[float, float, float], ...]
AS_RUN: Weights = ((2, 0.75, 1.25),) * 3
DECLARED: Weights = ((10, 1, 10), (10, 0.25, 1), (10, 1, 1))


def chunk_weight(excess: ArrayLike, a: float, low: float, high: float) -> FloatArray:
    """Return the weight of a chunk that is longer than m by `excess` (for FP, shorter)."""
    # e^100 is practically infinite.
    power = np.exp(np.minimum(-np.asarray(excess), 100))
    weight: FloatArray = np.clip(a / (1 + (a - 1) * power), low, high)
    return weight


class ClemeLengths(ClemeDependent):
    name = "cleme_lengths"
    parameters = (("longest", str(LONGEST)),)
    statistics = (
        *_SUMMED,
        *(f"{count}_{weighting}" for weighting in ("as_run", "declared") for count in _WEIGHTED),
    )
    unchanged = _TN
    declared: ClassVar[Weights] = DECLARED

    def group_counts(self, group: GoldGroup) -> FloatArray:
        rows = super().group_counts(group)
        for weighting, weights in (("as_run", AS_RUN), ("declared", self.declared)):
            places = [self.statistics.index(f"{count}_{weighting}") for count in _WEIGHTED]
            rows[..., places] = weighted(rows[..., : len(_SUMMED)], weights)
        return rows

    def counts(self, chunks: Sequence[Chunk], width: int) -> FloatArray:
        counts = super().counts(chunks, width)
        for chunk in chunks:
            lengths = [_length(chunk.source, text) for text in chunk.references if text is not None]
            counts[:, _CHANGED] += len(lengths)
            counts[:, _TOKENS] += sum(lengths)
        return counts

    def outcomes(self, chunk: Chunk) -> list[int]:
        length = min(_length(chunk.source, chunk.hypothesis), LONGEST)
        return [
            _TN if counted == TN else _ROW[counted] * _LENGTHS + length
            for counted in super().outcomes(chunk)
        ]


class ClemeLengthsIndependent(ClemeLengths):
    name = "cleme_lengths_independent"
    per_reference = False
    declared = ((10, 2.5, 10), *DECLARED[1:])


def _length(source: str, text: str | None) -> int:
    return max(len(source.split()), 0 if text is None else len(text.split()))


@dataclass(frozen=True)
class ClemeLengthScore(InCorpusScore):
    sentence_weights: Literal["as_run", "declared"] = "as_run"

    family: ClassVar[ClemeLengths] = ClemeLengths()

    def sentence_score(self, of: Named) -> Number:
        tp, fp, fn = (of[f"{count}_{self.sentence_weights}"] for count in _WEIGHTED)
        return rounded(f_of_counts(tp, tp + fp, tp + fn, BETA), DECIMALS)

    def scores_in_corpus(self, statistics: FloatArray) -> FloatArray:
        weights = AS_RUN if self.sentence_weights == "as_run" else self.family.declared
        counts = weighted(statistics, weights, changed_of_systems(statistics))
        best: FloatArray = np.nanmax(self.f_of_counts(counts), axis=-1)
        return best

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return self.f_of_counts(weighted(sums, AS_RUN))

    @QUIET
    def f_of_counts(self, counts: FloatArray) -> FloatArray:
        """Return F of weighted TP, FP and FN on the last axis; NaN for NaN."""
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        f = rounded(f_of_shares(share(tp, tp + fp), share(tp, tp + fn), BETA), DECIMALS)
        return np.where(np.isnan(tp), np.nan, f)

    def choose(self, statistics: FloatArray) -> Positions:
        counts = weighted(statistics, AS_RUN, changed_of_systems(statistics))
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        return choose_greedily(counts, self.f_of_counts, (tp, -fp, -fn, statistics[..., _TN]))

    def addends(self, statistics: FloatArray) -> FloatArray:
        return chosen_statistics(statistics, self.choose(statistics))[..., : len(_SUMMED)]

    @QUIET
    def reported(self, sums: FloatArray) -> Reported:
        tp, fp, fn = np.moveaxis(weighted(sums, AS_RUN), -1, 0)
        tn = sums[..., _TN]
        p, r = share(tp, tp + fp), share(tp, tp + fn)
        f, acc = f_of_shares(p, r, BETA), (tp + tn) / (tp + fp + fn + tn)
        measures = {"p": p, "r": r, "f": f, "acc": acc}
        numbers = np.moveaxis(_chunks_by_length(sums).sum(axis=-1), -1, 0)
        return {
            "correction": {
                **dict(zip(_WEIGHTED, numbers, strict=True)),
                "tn": tn,
                **{name: rounded(value, DECIMALS) for name, value in measures.items()},
            }
        }


class ClemeLengthIndependentScore(ClemeLengthScore):
    family = ClemeLengthsIndependent()


@QUIET
def weighted(
    statistics: FloatArray, weights: Weights, changed: FloatArray | None = None
) -> FloatArray:
    """Return weighted TP, FP, FN; `changed` has numbers of chunks and tokens, whose ratio is m."""
    mean_terms = statistics[..., _CHANGED : _TOKENS + 1] if changed is None else changed
    n_chunks, tokens = mean_terms[..., :1], mean_terms[..., 1:]
    excess = np.arange(_LENGTHS) - tokens / n_chunks
    signs = (1, -1, 1)
    worth = [chunk_weight(s * excess, *limits) for s, limits in zip(signs, weights, strict=True)]
    worths = np.where(n_chunks[..., np.newaxis] > 0, np.stack(worth, axis=-2), 1)
    total: FloatArray = np.einsum("...kl,...kl->...k", _chunks_by_length(statistics), worths)
    return total


def changed_of_systems(statistics: FloatArray) -> FloatArray:
    # These numbers are equal for all references of a sentence.
    sentence_sums = np.nanmax(statistics[..., _CHANGED : _TOKENS + 1], axis=2)
    system_sums: FloatArray = sentence_sums.sum(axis=1)[:, np.newaxis, np.newaxis]
    return system_sums


def _chunks_by_length(statistics: FloatArray) -> FloatArray:
    """Return the numbers of chunks by length: shape (..., k) to (..., 3, lengths)."""
    return statistics[..., :_TN].reshape(*statistics.shape[:-1], 3, _LENGTHS)
