"""Systems ranked by a metric as judges' preferences rank them: TrueSkill of its sentence scores.

Goto, Sakai and Watanabe (2025), "Rethinking evaluation metrics for grammatical error correction:
why use a different evaluation process than human?", arXiv 2502.09416. Of every two systems the
metric prefers, on each sentence, the one that it scores higher, or neither; these preferences are
played like those of judges. Their program plays each pair once, in the order of sentences, with a
beta of .25.
"""

import numpy as np

from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.rankings.judged import Flags, Judged, ScoredSet
from maege.analysis.statistics.judgments import JudgmentCounts
from maege.analysis.statistics.pair_agreement import score_differences
from maege.analysis.statistics.trueskill import trueskill_runs

# A run of 15 systems on 391 sentences plays 41,056 matches in 4 ms, and its scores, which spread by
# .2, have a standard deviation of .02.
RUNS = 20
MATCHES = 400_000
THREADS = 2


def preference_counts(scores: FloatArray) -> JudgmentCounts:
    """Return on how many sentences each system beats each other one, or ties it: (n, n).

    Args:
        scores: of sentences, shape (n, sentences), without NaN; larger is better.

    """
    gaps = [score_differences(of_system, scores) for of_system in scores]
    wins = np.stack([np.count_nonzero(gap > 0, axis=1) for gap in gaps])
    ties = np.stack([np.count_nonzero(gap == 0, axis=1) for gap in gaps])
    np.fill_diagonal(ties, 0)
    return JudgmentCounts(wins, ties)


def metric_skills(scores: FloatArray, seed: int) -> FloatArray:
    """Return each system's score: its mean mu over RUNS runs, or fewer of MATCHES matches in all.

    NaN without a sentence or with fewer than two systems.

    Args:
        scores: as for `preference_counts`.
        seed: of the runs.

    """
    n_systems, n_sentences = scores.shape
    pairs = n_sentences * n_systems * (n_systems - 1) // 2
    if not pairs:
        return np.full(n_systems, np.nan)
    runs = min(RUNS, -(-MATCHES // pairs))
    skills: FloatArray = trueskill_runs(preference_counts(scores), runs, seed, THREADS).mean(axis=0)
    return skills


class MetricSkills:
    """Skills of systems among all that judges compared, as choices of them keep judges' scores.

    What was played once is kept: judgment sets often share systems and sentences, and metrics
    without references stand beside every reference set.
    """

    def __init__(self, seed: int) -> None:
        """Play nothing yet."""
        self._seed = seed
        self._kept: dict[tuple[str, str, tuple[str, ...], bytes], dict[str, float]] = {}

    def of(self, scored: ScoredSet, judged: Judged, sentences: Flags) -> dict[str, float]:
        """Return the skill of each judged system with an output, by name.

        Args:
            scored: the metric's sentence scores; sentences without one are left out.
            judged: whose systems are compared.
            sentences: of the corpus, those that were judged.

        """
        systems = tuple(name for name in judged.systems if name in scored.systems)
        columns = sentences & scored.is_scored()
        key = (scored.reference_set, scored.metric, systems, columns.tobytes())
        if key not in self._kept:
            rows = [scored.systems.index(name) for name in systems]
            skills = metric_skills(scored.scores[rows][:, columns], self._seed)
            self._kept[key] = dict(zip(systems, skills.tolist(), strict=True))
        return self._kept[key]
