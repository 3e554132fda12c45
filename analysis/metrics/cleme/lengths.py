"""CLEME with weights for the lengths of chunks.

Ye et al. 2023: a long chunk has a higher weight if it is correct or missed, and a lower weight if
it is wrong. Let l be the number of tokens of a chunk (the larger of source and hypothesis). Let m
be the mean number of tokens (the larger of source and reference) of the chunks that references
change, over all sentences of a system in a corpus:

    TP, FN: w = a / (1 + (a - 1) e^(m - l))    FP: w = a / (1 + (a - 1) e^(l - m))    TN: 1

with a = 2. Weights are limited to 0.75 to 1.25, as the authors' program runs. (It declares other
limits for sentences, but never uses them.) If references change nothing, m is undefined and all
weights are 1.

m depends on the system and the corpus. The statistics are therefore the numbers of chunks by
length, and the sum and number for the mean m. Pairs of texts without a corpus, such as lattice
nodes, need counts that are weighted with the m of the sentence. These are stored, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.metrics.cleme.chunks import (
    FN,
    FP_NE,
    FP_UN,
    TN,
    TP,
    Chunk,
    Cleme,
    outcome,
    outcome_of_all,
)
from maege.analysis.metrics.cleme.score import BETA, DECIMALS
from maege.analysis.metrics.families.base import FloatArray, GoldGroup
from maege.analysis.metrics.scores.annotators import choose_greedily
from maege.analysis.metrics.scores.formula import (
    QUIET,
    Named,
    Number,
    f_of_counts,
    f_of_shares,
    rounded,
    share,
)
from maege.analysis.metrics.scores.score import (
    InCorpusScore,
    Positions,
    Reported,
    chosen_statistics,
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
# e^100 is practically infinite.
_FAR = 100

Weighting = Literal["as_run", "declared"]


@dataclass(frozen=True)
class Weight:
    """The weight of a chunk by its length, between two limits."""

    alpha: float
    low: float
    high: float

    def of(self, excess: ArrayLike) -> FloatArray:
        """Return the weight of a chunk that is longer than m by `excess` (for FP, shorter)."""
        power = np.exp(np.minimum(-np.asarray(excess), _FAR))
        weight: FloatArray = np.clip(
            self.alpha / (1 + (self.alpha - 1) * power), self.low, self.high
        )
        return weight


# Weights of TP, FP and FN.
Weights = tuple[Weight, Weight, Weight]
AS_RUN: Weights = (Weight(2, 0.75, 1.25),) * 3
DECLARED: Weights = (Weight(10, 1, 10), Weight(10, 0.25, 1), Weight(10, 1, 1))
DECLARED_INDEPENDENT: Weights = (Weight(10, 2.5, 10), *DECLARED[1:])


class ClemeLengths(Cleme):
    """Numbers of chunks by length, against each reference."""

    name: ClassVar[str] = "cleme_lengths"
    parameters = (("longest", str(LONGEST)),)
    per_reference: ClassVar[bool] = True
    statistics = (
        *_SUMMED,
        *(f"{count}_{weighting}" for weighting in ("as_run", "declared") for count in _WEIGHTED),
    )
    unchanged = _TN
    declared: ClassVar[Weights] = DECLARED

    def group_counts(self, group: GoldGroup) -> FloatArray:
        """Return numbers of chunks, and the counts weighted in the sentence."""
        rows = super().group_counts(group)
        for weighting, weights in (("as_run", AS_RUN), ("declared", self.declared)):
            places = [self.statistics.index(f"{count}_{weighting}") for count in _WEIGHTED]
            rows[..., places] = weighted(rows[..., : len(_SUMMED)], weights)
        return rows

    def counts(self, chunks: Sequence[Chunk], width: int) -> FloatArray:
        """Return the numbers of chunks by length, and of those that references change."""
        counts = super().counts(chunks, width)
        for chunk in chunks:
            lengths = [_length(chunk.source, text) for text in chunk.references if text is not None]
            counts[:, _CHANGED] += len(lengths)
            counts[:, _TOKENS] += sum(lengths)
        return counts

    def outcomes(self, chunk: Chunk) -> list[int]:
        """Return the indices of the numbers that the chunk adds to, per reference."""
        length = min(_length(chunk.source, chunk.hypothesis), LONGEST)
        return [
            _TN if counted == TN else _ROW[counted] * _LENGTHS + length
            for counted in self._outcomes(chunk)
        ]

    def _outcomes(self, chunk: Chunk) -> list[int]:
        return [outcome(chunk, text) for text in chunk.references]


class ClemeLengthsIndependent(ClemeLengths):
    """Numbers of chunks by length, against all references at once."""

    name = "cleme_lengths_independent"
    per_reference = False
    declared = DECLARED_INDEPENDENT

    def _outcomes(self, chunk: Chunk) -> list[int]:
        return [outcome_of_all(chunk)]


def _length(source: str, text: str | None) -> int:
    return max(len(source.split()), 0 if text is None else len(text.split()))


@dataclass(frozen=True)
class ClemeLengthScore(InCorpusScore):
    """CLEME with weighted counts, against single references.

    A sentence has its best reference's score.
    """

    sentence_weights: Weighting = "as_run"

    family: ClassVar[ClemeLengths] = ClemeLengths()

    def sentence_score(self, of: Named) -> Number:
        """Return F of counts that are weighted with the m of the sentence."""
        tp, fp, fn = (of[f"{count}_{self.sentence_weights}"] for count in _WEIGHTED)
        return rounded(f_of_counts(tp, tp + fp, tp + fn, BETA), DECIMALS)

    def scores_in_corpus(self, statistics: FloatArray) -> FloatArray:
        """Return F with the best reference, weighted with the m of the system."""
        weights = AS_RUN if self.sentence_weights == "as_run" else self.family.declared
        counts = weighted(statistics, weights, changed_of_systems(statistics))
        best: FloatArray = np.nanmax(self.f_of_counts(counts), axis=-1)
        return best

    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Return F of weighted counts, from their precision and recall."""
        return self.f_of_counts(weighted(sums, AS_RUN))

    @QUIET
    def f_of_counts(self, counts: FloatArray) -> FloatArray:
        """Return F of weighted TP, FP and FN on the last axis; NaN for NaN."""
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        f = rounded(f_of_shares(share(tp, tp + fp), share(tp, tp + fn), BETA), DECIMALS)
        return np.where(np.isnan(tp), np.nan, f)

    def choose(self, statistics: FloatArray) -> Positions:
        """Return the chosen reference of each sentence, shape (systems, sentences).

        `statistics` has shape (systems, sentences, references, k). The score uses counts that are
        weighted with the m of the system. Ties are broken by the highest TP, then the lowest FP and
        FN, then the highest TN.
        """
        counts = weighted(statistics, AS_RUN, changed_of_systems(statistics))
        tp, fp, fn = np.moveaxis(counts, -1, 0)
        return choose_greedily(counts, self.f_of_counts, (tp, -fp, -fn, statistics[..., _TN]))

    def addends(self, statistics: FloatArray) -> FloatArray:
        """Return the numbers for the chosen reference of each sentence."""
        return chosen_statistics(statistics, self.choose(statistics))[..., : len(_SUMMED)]

    @QUIET
    def reported(self, sums: FloatArray) -> Reported:
        """Return the numbers of chunks, and the scores from weighted counts."""
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
    """CLEME with weighted counts, against all references at once."""

    family = ClemeLengthsIndependent()


@QUIET
def weighted(
    statistics: FloatArray, weights: Weights, changed: FloatArray | None = None
) -> FloatArray:
    """Return weighted TP, FP and FN: shape (..., k) to (..., 3).

    `changed` has the number of chunks and the sum of their tokens, whose ratio is m, on an axis
    after those of the statistics. By default they come from the statistics.
    """
    mean_terms = statistics[..., _CHANGED : _TOKENS + 1] if changed is None else changed
    n_chunks, tokens = mean_terms[..., :1], mean_terms[..., 1:]
    excess = np.arange(_LENGTHS) - tokens / n_chunks
    signs = (1, -1, 1)
    worth = [weight.of(sign * excess) for weight, sign in zip(weights, signs, strict=True)]
    worths = np.where(n_chunks[..., np.newaxis] > 0, np.stack(worth, axis=-2), 1)
    total: FloatArray = np.einsum("...kl,...kl->...k", _chunks_by_length(statistics), worths)
    return total


def changed_of_systems(statistics: FloatArray) -> FloatArray:
    """Return how many chunks and tokens references change in all sentences: (systems, 1, 1, 2)."""
    # These numbers are equal for all references of a sentence.
    sentence_sums = np.nanmax(statistics[..., _CHANGED : _TOKENS + 1], axis=2)
    system_sums: FloatArray = sentence_sums.sum(axis=1)[:, np.newaxis, np.newaxis]
    return system_sums


def _chunks_by_length(statistics: FloatArray) -> FloatArray:
    """Return the numbers of chunks by length: shape (..., k) to (..., 3, lengths)."""
    numbers: FloatArray = statistics[..., :_TN].reshape(*statistics.shape[:-1], 3, _LENGTHS)
    return numbers
