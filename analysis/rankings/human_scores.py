"""Scores of systems by Expected Wins and TrueSkill, TrueSkill of metrics, and judge agreement."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.metrics.families import FloatArray
from maege.analysis.rankings.judged import Flags, Judged, ScoredSet
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judgments import (
    JudgmentCounts,
    expected_wins,
    expected_wins_of_samples,
    halves_of_judges,
    judge_agreement,
    mean_kappa,
    ranking,
    redrawn_pairs,
    resampled_counts,
    sentence_counts,
    simultaneous_ranking,
    undecided_opponents,
)
from maege.analysis.statistics.pair_agreement import score_differences
from maege.analysis.statistics.resampling import percentile_intervals, too_few
from maege.analysis.statistics.trueskill import trueskill_resamples, trueskill_runs

# --- TrueSkill of a metric's sentence scores ---
#
# Goto, Sakai and Watanabe (2025), "Rethinking evaluation metrics for grammatical error correction:
# why use a different evaluation process than human?", arXiv 2502.09416. On each sentence, the
# metric prefers the higher-scored of two systems, or neither. Their program processes each pair
# once, in the order of sentences, with a beta of .25.

# A run of 15 systems on 391 sentences takes 4 ms for 41,056 matches. Its scores have a range of
# about .2 and a standard deviation of .02 between runs.
RUNS = 20
MATCHES = 400_000
THREADS = 2


def preference_counts(scores: FloatArray) -> JudgmentCounts:
    """Return on how many sentences each system beats and ties each other one, shape (n, n)."""
    gaps = [score_differences(system_scores, scores) for system_scores in scores]
    wins = np.stack([np.count_nonzero(gap > 0, axis=1) for gap in gaps])
    ties = np.stack([np.count_nonzero(gap == 0, axis=1) for gap in gaps])
    np.fill_diagonal(ties, 0)
    return JudgmentCounts(wins, ties)


def metric_skills(counts: JudgmentCounts, seed: int) -> FloatArray:
    """Return the mean mu of each system over RUNS runs, fewer with many pairs; NaN without any."""
    pairs = int(counts.wins.sum() + counts.ties.sum() // 2)
    if not pairs:
        return np.full(len(counts.wins), np.nan)
    runs = min(RUNS, -(-MATCHES // pairs))
    skills: FloatArray = trueskill_runs(counts, runs, seed, THREADS).mean(axis=0)
    return skills


class MetricSkills:
    """TrueSkill scores, memoised because reference sets often share texts, and so preferences."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._cache: dict[bytes, FloatArray] = {}

    def estimate(self, metric: ScoredSet, judgments: Judged, sentences: Flags) -> dict[str, float]:
        systems = [name for name in judgments.systems if name in metric.systems]
        if not systems:
            return {}
        rows = [metric.systems.index(name) for name in systems]
        counts = preference_counts(metric.scores[rows][:, sentences & metric.is_scored()])
        key = np.stack(counts).tobytes()
        if key not in self._cache:
            self._cache[key] = metric_skills(counts, self._seed)
        return dict(zip(systems, self._cache[key].tolist(), strict=True))


# --- Human scores by every method, with samples of sentences ---


def human_score_rows(
    judgments: Judged,
    choices: Mapping[str, Sequence[str]],
    weights: SampleWeights,
    level: float,
    runs: int,
    seed: int,
) -> list[dict[str, Any]]:
    """Return a row for each set of systems, method and system; none without judgments."""
    rows: list[dict[str, Any]] = []
    # Sets of systems are often equal.
    scores: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for system_set, systems in choices.items():
        selected = judgments.among(systems)
        key = tuple(selected.systems)
        if key not in scores:
            scores[key] = _scores(selected, weights, level, runs, seed)
        rows += [row | {"system_set": system_set} for row in scores[key]]
    return rows


def _scores(
    pairs: Judged, weights: SampleWeights, level: float, runs: int, seed: int
) -> list[dict[str, Any]]:
    if not pairs.sentence.size:
        return []
    by_sentence = pairs.counts(weights.shape[1])
    counts = JudgmentCounts(by_sentence.wins.sum(axis=0), by_sentence.ties.sum(axis=0))
    resampled = resampled_counts(by_sentence, weights)
    n_judges = int(pairs.judge.max()) + 1
    first_half = halves_of_judges(n_judges, seed)
    by_judge = sentence_counts(
        pairs.judge, pairs.first, pairs.second, pairs.preference, n_judges, len(pairs.systems)
    )
    sides = np.concatenate([first_half, ~first_half]).astype(np.uint8)
    halves = resampled_counts(by_judge, sides)
    wins = expected_wins_of_samples(resampled.wins)
    skills = trueskill_resamples(resampled, seed, THREADS)
    runs_of_skill = trueskill_runs(counts, runs, seed, THREADS)
    published = {
        "expected_wins": ranking(
            expected_wins(redrawn_pairs(counts, len(weights), seed).wins),
            expected_wins(counts.wins),
            level,
        ),
        "trueskill": ranking(runs_of_skill, level=level),
    }
    methods = {
        "expected_wins": (wins, expected_wins_of_samples(halves.wins)),
        "trueskill": (skills, trueskill_resamples(halves, seed, THREADS)),
    }
    judgments = (counts.wins + counts.wins.T + counts.ties).sum(axis=1)
    empty = undecided_opponents(counts.wins)
    sentences = np.unique(pairs.sentence).size
    missing = too_few(systems=len(pairs.systems), sentences=sentences)
    rows = []
    for method, (samples, half_scores) in methods.items():
        ranked = simultaneous_ranking(samples, published[method].score, level)
        low, high = percentile_intervals(samples, level)
        for place, system in enumerate(pairs.systems):
            # Only systems of the set, because others may have been judged as well.
            is_judged = judgments[place] > 0
            row = {
                "corpus": pairs.corpus,
                "judgment_set": pairs.judgment_set,
                "method": method,
                "system": system,
                "score": ranked.score[place] if is_judged else None,
                "published_rank_low": published[method].rank_low[place],
                "published_rank_high": published[method].rank_high[place],
                "n_judgments": judgments[place],
                "n_empty_pairs": empty[place],
                "n_sentences": sentences,
                "samples": samples[:, place],
                "halves": half_scores[:, place],
                "n_resamples": np.count_nonzero(~np.isnan(samples[:, place])),
                "too_few": missing,
            }
            if missing is None:
                names = ("rank", "rank_low", "rank_high", "cluster")
                row |= {name: getattr(ranked, name)[place] for name in names}
                if low[place] < high[place]:
                    row |= {"ci_low": low[place], "ci_high": high[place]}
            rows.append(row)
    return rows


# --- Agreement of the judges of one judgment set ---


def kappa_rows(
    judge: Sequence[str], output_pair: Sequence[str], preference: ArrayLike
) -> list[tuple[Any, ...]]:
    """Return kind, two judges, number of compared judgments, P(A), P(E) and kappa.

    A judge paired with themselves gives the agreement within the judge. Rows over all judges have
    no names, and NaN for P(A) and P(E).
    """
    judges, judge_places = np.unique(judge, return_inverse=True)
    _, unit = np.unique(output_pair, return_inverse=True)
    agreement = judge_agreement(judge_places, unit, preference)
    rows: list[tuple[Any, ...]] = [
        ("intra" if first == second else "inter", judges[first], judges[second], *numbers)
        for first, second, *numbers in zip(*(c.tolist() for c in agreement), strict=True)
    ]
    for kind, is_same_judge in (("inter", False), ("intra", True)):
        kappa, n_compared = mean_kappa(agreement, is_same_judge=is_same_judge)
        rows.append((kind, None, None, n_compared, np.nan, np.nan, kappa))
    return [row for row in rows if row[3]]
