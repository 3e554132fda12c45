"""The judgments of one set, human scores, and metric scores of the same systems."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.scores import Reference, SystemScores
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judgments import JudgmentCounts, sentence_counts
from maege.analysis.statistics.resampling import Integers
from maege.analysis.system_scores import StatisticsOfSets, array_key, summed_families, system_scores

# --- Judgments and metric scores of one corpus, as arrays ---

# The name that replaces the reference set of reference-less metrics.
NO_REFERENCES = "none"
Flags = NDArray[np.bool_]
# By corpus and judgment set.
Key = tuple[str, str]
# Then by the name of the set of systems.
SystemSets = dict[Key, dict[str, list[str]]]


class Judged(NamedTuple):
    corpus: str
    judgment_set: str
    systems: list[str]
    sentence: Integers
    first: Integers
    second: Integers
    preference: Integers
    is_same_output: Flags
    # Whole numbers for the judge and for the two compared outputs. They are equal for all pairs of
    # systems with these outputs.
    judge: Integers
    output_pair: Integers

    def among(self, systems: Sequence[str]) -> "Judged":
        """Return the pairs of chosen systems, with positions among these, sorted by name."""
        names = sorted(set(systems) & set(self.systems))
        place = np.full(len(self.systems), -1)
        for position, name in enumerate(names):
            place[self.systems.index(name)] = position
        pairs = self._of(np.flatnonzero((place[self.first] >= 0) & (place[self.second] >= 0)))
        return pairs._replace(systems=names, first=place[pairs.first], second=place[pairs.second])

    def different_outputs(self) -> "Judged":
        return self._of(np.flatnonzero(~self.is_same_output))

    def pairs_of_outputs(self) -> "Judged":
        """Return only the first pair of systems for each pair of outputs that a judge compared."""
        different = self.different_outputs()
        _, first = np.unique(different.output_pair, return_index=True)
        return different._of(np.sort(first))

    def _of(self, rows: Integers) -> "Judged":
        return self._replace(
            **{
                name: getattr(self, name)[rows]
                for name in self._fields
                if name not in {"corpus", "judgment_set", "systems"}
            }
        )

    def counts(self, n_sentences: int) -> JudgmentCounts:
        """Return the judgments of each sentence, shape (n_sentences, systems, systems)."""
        return sentence_counts(
            self.sentence,
            self.first,
            self.second,
            self.preference,
            n_sentences,
            len(self.systems),
        )

    def is_judged(self, n_sentences: int) -> Flags:
        return np.isin(np.arange(n_sentences), self.sentence)


class HumanScores(NamedTuple):
    """Human scores of a set of systems by one method: shapes (systems,) and (samples, systems).

    NaN in samples without a judgment of a system. `halves` holds the scores by each half of the
    judges, shape (2, splits, systems), with no splits if there is only one judge.
    """

    system_set: str
    method: str
    systems: list[str]
    scores: FloatArray
    samples: FloatArray
    halves: FloatArray

    def among(self, places: Integers) -> "HumanScores":
        return self._replace(
            systems=[self.systems[place] for place in places],
            scores=self.scores[places],
            samples=self.samples[:, places],
            halves=self.halves[:, :, places],
        )


class ScoredSet(NamedTuple):
    """Sentence scores of one metric on one reference set: shape (systems, sentences of the corpus).

    NaN for sentences without a score, which are the same for all systems. Higher is better.
    """

    reference_set: str
    metric: str
    systems: list[str]
    scores: FloatArray

    def is_scored(self) -> Flags:
        return np.asarray(~np.isnan(self.scores).any(axis=0))


def system_positions(metric: ScoredSet, systems: Sequence[str]) -> list[int] | None:
    """Return the positions of these systems among the scored ones, None unless all are scored."""
    if set(systems) <= set(metric.systems):
        return [metric.systems.index(name) for name in systems]
    return None


def by_reference_set(scored_sets: list[ScoredSet]) -> dict[str, list[ScoredSet]]:
    """Return the metrics of each reference set, including the reference-less metrics in each."""
    names = {metric.reference_set for metric in scored_sets} - {NO_REFERENCES}
    sets = {
        name: [metric for metric in scored_sets if metric.reference_set == name]
        for name in sorted(names)
    }
    reference_free = [metric for metric in scored_sets if metric.reference_set == NO_REFERENCES]
    return {name: metrics + reference_free for name, metrics in sets.items()}


# --- Scores of systems over chosen sentences ---

# Number types from the smallest on. Most counts of edits and words fit into one or two bytes.
_NUMBERS = (np.uint8, np.int16, np.float16, np.float32)


def compact(statistics: FloatArray) -> NDArray[Any]:
    """Return the same numbers in the smallest type that represents all of them exactly."""
    for number in _NUMBERS:
        with np.errstate(invalid="ignore", over="ignore"):
            narrow: NDArray[Any] = statistics.astype(number)
        if np.array_equal(narrow, statistics, equal_nan=True):
            return narrow
    return statistics


# A metric, its systems, and a hash of all numbers that its scores depend on.
ScoresKey = tuple[str, tuple[str, ...], bytes]


class CorpusScores:
    """Scores on any sentences, memoised because sets of judgments and references share texts."""

    def __init__(
        self,
        corpus: str,
        statistics: StatisticsOfSets,
        weights: SampleWeights,
        gleu_rng: Reference,
    ) -> None:
        self._corpus, self._statistics, self._gleu_rng = corpus, statistics, gleu_rng
        self._weights = weights
        self._keys: dict[tuple[str, str], ScoresKey] = {}
        self._cache: dict[tuple[ScoresKey, bytes], SystemScores] = {}
        self._sampled: dict[bytes, tuple[Flags, SampleWeights]] = {}

    def compute(self, metric: ScoredSet, sentences: Flags) -> SystemScores:
        """Return the scores on the data and in samples; NaN without any of these sentences."""
        columns = sentences & metric.is_scored()
        key = (self.key(metric), columns.tobytes())
        if key not in self._cache:
            self._cache[key] = self._scores(metric, columns)
        return self._cache[key]

    def key(self, metric: ScoredSet) -> ScoresKey:
        name = (metric.reference_set, metric.metric)
        if name not in self._keys:
            content = array_key(metric.scores, *self._summed(metric).values())
            self._keys[name] = (metric.metric, tuple(metric.systems), content)
        return self._keys[name]

    def _summed(self, metric: ScoredSet) -> dict[str, FloatArray]:
        return summed_families(metric.metric, self._corpus, metric.reference_set, self._statistics)

    def _scores(self, metric: ScoredSet, columns: Flags) -> SystemScores:
        n_systems = len(metric.systems)
        samples = np.full((len(self._weights), n_systems), np.nan)
        selected = columns.tobytes()
        if selected not in self._sampled:
            drawn = self._weights[:, columns]
            sampled = np.asarray(drawn.any(axis=1))
            self._sampled[selected] = sampled, drawn[sampled]
        has_sentence, weights = self._sampled[selected]
        if not has_sentence.any():
            return SystemScores(np.full(n_systems, np.nan), samples)
        summed = self._summed(metric)
        result = system_scores(
            metric.metric,
            metric.scores[:, columns],
            {family: array[:, columns].astype(np.float64) for family, array in summed.items()},
            weights,
            self._gleu_rng,
        )
        samples[has_sentence] = result.samples
        return SystemScores(result.score, samples)
