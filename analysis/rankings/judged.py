"""Judgments and metric scores of one corpus, as arrays."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.statistics.judgments import JudgmentCounts, sentence_counts
from maege.analysis.statistics.resampling import Integers

# In place of a reference set: of metrics that read no references.
CHANCE = "none"
Flags = NDArray[np.bool_]
# By corpus and judgment set.
Key = tuple[str, str]
# Then by the name of the choice.
SystemSets = dict[Key, dict[str, list[str]]]


class Judged(NamedTuple):
    """The judged pairs of one judgment set; systems are positions in `systems`, sorted by name."""

    corpus: str
    judgment_set: str
    systems: list[str]
    sentence: Integers
    first: Integers
    second: Integers
    preference: Integers
    is_same_output: Flags
    # Of whole numbers: who judged, and the two outputs that were judged, equal for all pairs of
    # systems that made them.
    judge: Integers
    output_pair: Integers

    def among(self, chosen: Sequence[str]) -> "Judged":
        """Return the pairs of two chosen systems, with positions among those, sorted by name."""
        names = sorted(set(chosen) & set(self.systems))
        place = np.full(len(self.systems), -1)
        for position, name in enumerate(names):
            place[self.systems.index(name)] = position
        kept = self._of(np.flatnonzero((place[self.first] >= 0) & (place[self.second] >= 0)))
        return kept._replace(systems=names, first=place[kept.first], second=place[kept.second])

    def different_outputs(self) -> "Judged":
        """Return the pairs that a judge was asked about: nobody was about one output of two."""
        return self._of(np.flatnonzero(~self.is_same_output))

    def pairs_of_outputs(self) -> "Judged":
        """Return one pair of systems for each two outputs that a judge compared, the first."""
        asked = self.different_outputs()
        _, first = np.unique(asked.output_pair, return_index=True)
        return asked._of(np.sort(first))

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
        """Return whether each sentence of the corpus has a judgment."""
        return np.isin(np.arange(n_sentences), self.sentence)


class HumanScores(NamedTuple):
    """Human scores of a choice of systems by one method: (systems,) and (samples, systems).

    NaN in samples that draw no judgment of a system. `halves` are those by halves of the judges:
    shape (2, splits, systems), without splits where a judge was alone.
    """

    system_set: str
    method: str
    systems: list[str]
    scores: FloatArray
    samples: FloatArray
    halves: FloatArray

    def among(self, chosen: Integers) -> "HumanScores":
        """Return the scores of the systems at some places."""
        return self._replace(
            systems=[self.systems[place] for place in chosen],
            scores=self.scores[chosen],
            samples=self.samples[:, chosen],
            halves=self.halves[:, :, chosen],
        )


class ScoredSet(NamedTuple):
    """Sentence scores of one metric on one reference set: shape (systems, sentences of the corpus).

    NaN where a sentence has no score; all systems lack the same sentences. Larger is better.
    """

    reference_set: str
    metric: str
    systems: list[str]
    scores: FloatArray

    def is_scored(self) -> Flags:
        """Return whether each sentence of the corpus has a score of every system."""
        return np.asarray(~np.isnan(self.scores).any(axis=0))


def of_systems(scored: ScoredSet, systems: Sequence[str]) -> list[int] | None:
    """Return where these systems stand among those scored, None unless all of them are."""
    if set(systems) <= set(scored.systems):
        return [scored.systems.index(name) for name in systems]
    return None


def by_reference_set(scored: list[ScoredSet]) -> dict[str, list[ScoredSet]]:
    """Return the metrics of each reference set, those that read no references beside each."""
    names = {one.reference_set for one in scored} - {CHANCE}
    found = {name: [one for one in scored if one.reference_set == name] for name in sorted(names)}
    without = [one for one in scored if one.reference_set == CHANCE]
    return {name: metrics + without for name, metrics in found.items()}
