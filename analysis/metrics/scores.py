"""Compute scores of sentences and corpora from sufficient statistics."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families import Family, FloatArray, common
from maege.analysis.metrics.formula import (
    Named,
    Number,
    f_of_sums,
    shares_of_sums,
)
from maege.analysis.sample_weights import SampleWeights, drawn_sums

# The Python whose random references GLEU draws.
Generator = Literal["py2", "py3"]
# `expected` draws no references. It is the limit of the mean over many draws.
Reference = Literal[Generator, "expected"]
# Single precision represents all whole numbers up to this one exactly.
SINGLES = 2.0**24
CHOICES_AT_ONCE = 64
# Statistics by family, with the shape of its `compute`: (requests, references, statistics).
Statistics: TypeAlias = Mapping[str, FloatArray]
Positions = NDArray[np.int64]
# Reported numbers by aspect, then by name of a count or measure: one value per system.
Reported: TypeAlias = Mapping[str, Mapping[str, FloatArray]]


class SystemScores(NamedTuple):
    """Corpus scores, one per system, and those of bootstrap samples, shape (samples, systems)."""

    score: FloatArray
    samples: FloatArray


# Positions of two systems, and their corpus scores after swaps, each of shape (swaps,).
Pair: TypeAlias = tuple[int, int]
SwappedPair: TypeAlias = tuple[FloatArray, FloatArray]
# A function from the addends of sentences, (systems, sentences, k), to sums over the sentences in
# each swap, (swaps, systems, k).
Moved: TypeAlias = Callable[[FloatArray], FloatArray]


class Score(ABC):
    """Score computed from statistics. The corpus score is the mean of its sentence scores."""

    is_summed: ClassVar[bool] = False

    @property
    @abstractmethod
    def families(self) -> tuple[Family, ...]: ...

    @property
    def languages(self) -> frozenset[str] | None:
        return common(family.languages for family in self.families)

    @abstractmethod
    def sentence_scores(self, statistics: Statistics) -> FloatArray:
        """Return one score per request, shape (requests,)."""


class SummedScore(Score):
    """A score whose corpus scores are computed from sums over sentences.

    Statistics of systems have the systems on an axis before the sentences.
    """

    is_summed = True

    @abstractmethod
    def system_scores(
        self, statistics: Statistics, weights: SampleWeights, gleu_rng: Reference
    ) -> SystemScores:
        """Return the corpus scores of systems, on the data and in samples of sentences.

        Statistics have shape (systems, sentences, references, statistics). `weights` say how often
        each sample contains each sentence, shape (samples, sentences).
        """

    @abstractmethod
    def swapped_scores(
        self, statistics: Statistics, moved: Moved, pairs: Sequence[Pair]
    ) -> Iterator[SwappedPair]:
        """Yield for each pair both corpus scores after each swap of sentences."""


class FamilyScore(Score):
    """A score from one family's statistics.

    If the family has statistics per reference, the formula gives one value per reference, and
    `over_references` says how they are combined. Missing annotators are excluded.
    """

    family: ClassVar[Family]
    over_references: ClassVar[Literal["max", "mean"]] = "max"

    @property
    def families(self) -> tuple[Family, ...]:
        return (self.family,)

    @abstractmethod
    def sentence_score(self, of: Named) -> Number:
        """Return the score from its ingredients by name."""

    def ingredients(self, of: Named) -> Named:
        """Return the statistics, and values that the formula uses twice, which SQL would repeat."""
        return of

    def published_score(self, of: Named, score: Number) -> Number:
        """Return the score of the published MAEGE run; `of` also has `has_empty_reference`."""
        del of
        return score

    def sentence_scores(self, statistics: Statistics) -> FloatArray:
        return self.over(self.reference_scores(statistics[self.family.name]))

    def reference_scores(self, statistics: FloatArray) -> FloatArray:
        """Return the formula's value for each reference, NaN where there is no reference."""
        # Formulas turn missing counts into numbers, because 0 / 0 counts as 1.
        is_there = ~np.isnan(statistics[..., 0])
        return np.where(is_there, self.formula(statistics), np.nan)

    def over(self, scores: FloatArray) -> FloatArray:
        over = np.nanmax if self.over_references == "max" else np.nanmean
        result: FloatArray = over(scores, axis=-1)
        return result

    @np.errstate(divide="ignore", invalid="ignore")
    def formula(self, statistics: FloatArray) -> FloatArray:
        columns = np.moveaxis(statistics, -1, 0)
        statistics_by_name = dict(zip(self.family.statistics, columns, strict=True))
        score: FloatArray = self.sentence_score(self.ingredients(statistics_by_name))
        return score


@dataclass(frozen=True)
class ScoredElsewhere(Score):
    """Part of a composite that has no family of statistics: LanguageTool's score, by name."""

    metric: str

    @property
    def families(self) -> tuple[Family, ...]:
        return ()

    def sentence_scores(self, statistics: Statistics) -> FloatArray:
        return statistics[self.metric]


class SummedFamilyScore(FamilyScore, SummedScore):
    """A score from sums over sentences, by default the sums of their statistics."""

    def addends(self, statistics: FloatArray) -> FloatArray:
        """Return one row per sentence, whole numbers, from (systems, sentences, references, k)."""
        return statistics[..., 0, :]

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return self.formula(sums)

    def system_scores(
        self,
        statistics: Statistics,
        weights: SampleWeights,
        gleu_rng: Reference,  # noqa: ARG002 (for GLEU alone)
    ) -> SystemScores:
        addends = self.addends(statistics[self.family.name])
        return SystemScores(
            self.of_sums(addends.sum(axis=1)), self.of_sums(resampled(addends, weights))
        )

    def swapped_scores(
        self, statistics: Statistics, moved: Moved, pairs: Sequence[Pair]
    ) -> Iterator[SwappedPair]:
        addends = self.addends(statistics[self.family.name])
        yield from scores_of_swaps(addends.sum(axis=1), moved(addends), pairs, self.of_sums)


class BestReferenceScore(SummedFamilyScore):
    @abstractmethod
    def choose(self, statistics: FloatArray) -> Positions:
        """Return the chosen reference of each sentence, shape (systems, sentences).

        NaN in `statistics` means that the annotator did not annotate the sentence.
        """

    def addends(self, statistics: FloatArray) -> FloatArray:
        return chosen_statistics(statistics, self.choose(statistics))


class CountedScore(SummedFamilyScore):
    @abstractmethod
    def reported(self, sums: FloatArray) -> Reported:
        """Return the counts behind corpus scores and other reported numbers, by aspect."""


class InCorpusScore(CountedScore):
    """A score whose sentences have another score within a corpus than alone."""

    @abstractmethod
    def scores_in_corpus(self, statistics: FloatArray) -> FloatArray:
        """Return sentence scores: (systems, sentences, references, k) to (systems, sentences)."""


class ChosenScore(BestReferenceScore, CountedScore):
    """F with one annotator, who is chosen for every sentence of a corpus."""

    beta: float

    @abstractmethod
    def counts(self, statistics: FloatArray) -> FloatArray:
        """Return tp, proposed and gold from statistics: shape (..., k) to (..., 3)."""

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return f_of_sums(sums, self.beta)

    def reported(self, sums: FloatArray) -> Reported:
        return {"correction": shares_of_sums(sums, self.beta)}

    def addends(self, statistics: FloatArray) -> FloatArray:
        return self.chosen_counts(statistics, self.choose(statistics))

    def chosen_counts(self, statistics: FloatArray, positions: Positions) -> FloatArray:
        return self.counts(chosen_statistics(statistics, positions))


class Composite(Score):
    """A score computed from other scores. It has a corpus score if all of these are summed."""

    @property
    @abstractmethod
    def parts(self) -> Mapping[str, Score]:
        """The scores that the formula combines, by name."""

    @abstractmethod
    def combine(self, of: Named) -> Number:
        """Return the score from its parts by name."""

    @property
    def scored_elsewhere(self) -> tuple[str, ...]:
        return tuple(
            part.metric for part in self.parts.values() if isinstance(part, ScoredElsewhere)
        )

    @property
    def families(self) -> tuple[Family, ...]:
        return tuple(dict.fromkeys(f for part in self.parts.values() for f in part.families))

    def sentence_scores(self, statistics: Statistics) -> FloatArray:
        scores: FloatArray = self.combine(
            {name: part.sentence_scores(statistics) for name, part in self.parts.items()}
        )
        return scores


class SummedComposite(Composite, SummedScore):
    @property
    @abstractmethod
    def parts(self) -> Mapping[str, SummedScore]: ...

    def system_scores(
        self, statistics: Statistics, weights: SampleWeights, gleu_rng: Reference
    ) -> SystemScores:
        results = {
            name: part.system_scores(statistics, weights, gleu_rng)
            for name, part in self.parts.items()
        }
        return SystemScores(
            self.combine({name: result.score for name, result in results.items()}),
            self.combine({name: result.samples for name, result in results.items()}),
        )

    def swapped_scores(
        self, statistics: Statistics, moved: Moved, pairs: Sequence[Pair]
    ) -> Iterator[SwappedPair]:
        part_pairs = [part.swapped_scores(statistics, moved, pairs) for part in self.parts.values()]
        for pair_scores in zip(*part_pairs, strict=True):
            first, second = (
                self.combine(dict(zip(self.parts, system_scores, strict=True)))
                for system_scores in zip(*pair_scores, strict=True)
            )
            yield first, second


def scores_of_swaps(
    totals: FloatArray,
    moved: NDArray[Any],
    pairs: Sequence[Pair],
    of_sums: Callable[[FloatArray], FloatArray],
) -> Iterator[SwappedPair]:
    """Yield for each pair both corpus scores after each swap.

    `totals` are sums over the sentences of each system, shape (systems, k), `moved` sums over the
    swapped sentences, shape (swaps, systems, k).
    """
    # Contiguous sums of each system, because all its pairs read them.
    system_sums = np.ascontiguousarray(np.moveaxis(moved, 0, -1))
    for a, b in pairs:
        gained = np.moveaxis(system_sums[b] - system_sums[a], -1, 0)
        yield of_sums(totals[a] + gained), of_sums(totals[b] - gained)


def chosen_statistics(statistics: FloatArray, positions: Positions) -> FloatArray:
    """Return the statistics at each chosen position: (..., annotators, k) to (..., k)."""
    places = positions[..., np.newaxis, np.newaxis]
    return np.take_along_axis(statistics, places, axis=-2)[..., 0, :]


def resampled(addends: FloatArray, weights: SampleWeights) -> FloatArray:
    """Return the sums of every sample: (systems, sentences, k) to (samples, systems, k)."""
    systems, sentences, width = addends.shape
    columns = addends.transpose(1, 0, 2).reshape(sentences, systems * width)
    if (columns != np.rint(columns)).any():
        # These sums round differently in blocks of different sizes.
        sums = weights.astype(np.float64, copy=False) @ columns
    else:
        # Single precision where it is exact, which halves the time.
        largest = weights.sum(axis=1).max(initial=0) * np.abs(columns).max(initial=0)
        kind = np.float32 if largest <= SINGLES else np.float64
        sums = drawn_sums(weights, columns.astype(kind))
    return sums.reshape(-1, systems, width)


def choose_greedily(
    counts: FloatArray, score: Callable[[FloatArray], FloatArray], ties: Sequence[FloatArray]
) -> Positions:
    """Return the annotator with the highest score of the sums so far, shape (..., sentences).

    Args:
        counts: whole numbers, shape (..., sentences, annotators, k), NaN for annotators without a
            line. Each combination of the leading axes (systems) is independent.
        score: function from sums, shape (..., k), to scores, shape (...).
        ties: criteria that break ties of the score, in order, higher is better; shapes (...,
            sentences, annotators). Remaining ties go to the first annotator.
    """
    absent = np.isnan(counts[..., 0])
    if absent.all(axis=-1).any():
        raise ValueError("expected a line of at least one annotator for every sentence")
    *leading, n_sentences, n_annotators = absent.shape
    if n_annotators == 1:
        return np.zeros((*leading, n_sentences), dtype=np.int64)
    # Annotators in the order in which they win ties, those without a line last.
    order = np.lexsort([*(-values for values in reversed(ties)), absent])
    ordered = np.take_along_axis(counts, order[..., np.newaxis], axis=-2)
    # Each count is contiguous in memory, which makes the formulas faster.
    ordered = ordered.reshape(-1, n_sentences, n_annotators, counts.shape[-1])
    local = np.ascontiguousarray(np.moveaxis(ordered, -1, 0))
    is_absent = np.isnan(local[0])
    places: Positions = np.zeros(is_absent.shape[:2], np.int64)
    before, start = np.zeros_like(local[:, :, :1, 0]), 0
    # A block of sentences chooses at once, given the present choices of all sentences before each.
    # From the first sentence whose choice changes on, all choose again.
    while start < n_sentences:
        block = (slice(None), slice(start, start + CHOICES_AT_ONCE))
        chosen = np.take_along_axis(local[:, *block], places[np.newaxis, *block, np.newaxis], -1)
        before = np.cumsum(np.concatenate([before, chosen[..., 0]], axis=-1), axis=-1)
        scores = score(np.moveaxis(before[..., :-1, np.newaxis] + local[:, *block], 0, -1))
        scores[is_absent[block]] = -np.inf
        best = scores.argmax(axis=-1)
        n_final = int(np.append((best == places[block]).all(axis=0), values=False).argmin())
        places[block], before = best, before[..., n_final : n_final + 1]
        start += n_final
    return np.take_along_axis(order, places.reshape(*absent.shape[:-1], 1), axis=-1)[..., 0]
