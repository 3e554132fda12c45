"""Scores of systems by a metric over the sentences that were judged, or over any others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.draws import Reference
from maege.analysis.metrics.scores.score import SystemScores
from maege.analysis.rankings.judged import Flags, ScoredSet
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.system_scores import StatisticsOfSets, summed_families, system_scores

# From the smallest on. Counts of edits and words fit into one or two bytes, most of them.
_NUMBERS = (np.uint8, np.int16, np.float16, np.float32)


def compact(statistics: FloatArray) -> NDArray[Any]:
    """Return the same numbers in as few bytes as hold every one of them exactly."""
    for number in _NUMBERS:
        with np.errstate(invalid="ignore", over="ignore"):
            narrow: NDArray[Any] = statistics.astype(number)
        if np.array_equal(narrow, statistics, equal_nan=True):
            return narrow
    return statistics


class CorpusScores:
    """Corpus scores of one corpus's systems and those of samples, over whatever sentences.

    What was scored once is kept: judgment sets often share their sentences, and metrics without
    references stand beside every reference set.
    """

    def __init__(
        self,
        corpus: str,
        statistics: StatisticsOfSets,
        weights: SampleWeights,
        gleu_rng: Reference,
    ) -> None:
        """Score nothing yet.

        Args:
            corpus: to which the systems belong.
            statistics: of all families, compact or not, as from `judged_statistics`.
            weights: how often each sample draws each sentence of the corpus.
            gleu_rng: the generator of GLEU's references.

        """
        self._corpus, self._statistics, self._gleu_rng = corpus, statistics, gleu_rng
        self._weights = weights
        self._kept: dict[tuple[str, str, bytes], SystemScores] = {}
        # Metrics mostly have the same sentences: their columns are cut out once in a row.
        self._columns = b""
        self._drawn: Flags = np.zeros(0, np.bool_)
        self._of_columns: SampleWeights = weights

    def of(self, scored: ScoredSet, sentences: Flags) -> SystemScores:
        """Return the scores of all systems over some sentences, and those of every sample.

        NaN in a sample that draws none of these sentences, and everywhere where there are none.

        Args:
            scored: the metric's sentence scores; sentences without one are left out.
            sentences: which of the corpus to score.

        """
        columns = sentences & scored.is_scored()
        key = (scored.reference_set, scored.metric, columns.tobytes())
        if key not in self._kept:
            self._kept[key] = self._scores(scored, columns)
        return self._kept[key]

    def forget(self, reference_set: str) -> None:
        """Keep no scores on a reference set any more."""
        self._kept = {key: kept for key, kept in self._kept.items() if key[0] != reference_set}

    def _scores(self, scored: ScoredSet, columns: Flags) -> SystemScores:
        self._cut(columns)
        n_systems = len(scored.systems)
        samples = np.full((len(self._weights), n_systems), np.nan)
        if not self._drawn.any():
            return SystemScores(np.full(n_systems, np.nan), samples)
        summed = summed_families(
            scored.metric, self._corpus, scored.reference_set, self._statistics
        )
        result = system_scores(
            scored.metric,
            scored.scores[:, columns],
            {family: array[:, columns].astype(np.float64) for family, array in summed.items()},
            self._of_columns,
            self._gleu_rng,
        )
        samples[self._drawn] = result.samples
        return SystemScores(result.score, samples)

    def _cut(self, columns: Flags) -> None:
        if columns.tobytes() != self._columns:
            self._columns = columns.tobytes()
            self._drawn = np.asarray(self._weights[:, columns].any(axis=1))
            self._of_columns = self._weights[np.ix_(self._drawn, columns)]
