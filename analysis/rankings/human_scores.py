"""Scores that judges gave the systems, by every method, and the same in samples of sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from maege.analysis.rankings.judged import Judged
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judge_agreement import halves_of_judges
from maege.analysis.statistics.judgments import (
    JudgmentCounts,
    expected_wins,
    expected_wins_of_samples,
    ranking,
    redrawn_pairs,
    resampled_counts,
    sentence_counts,
    simultaneous_ranking,
    undecided_opponents,
)
from maege.analysis.statistics.resampling import percentile_intervals, too_few
from maege.analysis.statistics.trueskill import trueskill_resamples, trueskill_runs

THREADS = 2


def human_score_rows(
    judged: Judged,
    choices: Mapping[str, Sequence[str]],
    weights: SampleWeights,
    level: float,
    runs: int,
    seed: int,
) -> list[dict[str, Any]]:
    """Return a row for each choice of systems, method and system, none without a judgment.

    Args:
        judged: one judgment set.
        choices: systems by the name of the choice.
        weights: how often each sample draws each sentence, shape (samples, sentences).
        level: the share of samples and runs that ranges of ranks cover.
        runs: of TrueSkill.
        seed: of TrueSkill, and of samples of single judgments.

    """
    rows: list[dict[str, Any]] = []
    # Choices often hold the same systems.
    scores: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for system_set, systems in choices.items():
        among = judged.among(systems)
        key = tuple(among.systems)
        if key not in scores:
            scores[key] = _scores(among, weights, level, runs, seed)
        rows += [row | {"system_set": system_set} for row in scores[key]]
    return rows


def _scores(
    judged: Judged, weights: SampleWeights, level: float, runs: int, seed: int
) -> list[dict[str, Any]]:
    if not judged.sentence.size:
        return []
    by_sentence = judged.counts(weights.shape[1])
    counts = JudgmentCounts(by_sentence.wins.sum(axis=0), by_sentence.ties.sum(axis=0))
    resampled = resampled_counts(by_sentence, weights)
    halves = _counts_of_halves(judged, seed)
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
    sentences = np.unique(judged.sentence).size
    missing = too_few(systems=len(judged.systems), sentences=sentences)
    rows = []
    for method, (samples, of_halves) in methods.items():
        ranked = simultaneous_ranking(samples, published[method].score, level)
        low, high = percentile_intervals(samples, level)
        for place, system in enumerate(judged.systems):
            # Of the choice, others may have been judged alone.
            is_judged = judgments[place] > 0
            row = {
                "corpus": judged.corpus,
                "judgment_set": judged.judgment_set,
                "method": method,
                "system": system,
                "score": ranked.score[place] if is_judged else None,
                "published_rank_low": published[method].rank_low[place],
                "published_rank_high": published[method].rank_high[place],
                "n_judgments": judgments[place],
                "n_empty_pairs": empty[place],
                "n_sentences": sentences,
                "samples": samples[:, place],
                "halves": of_halves[:, place],
                "n_resamples": np.count_nonzero(~np.isnan(samples[:, place])),
                "too_few": missing,
            }
            if missing is None:
                row |= {
                    "rank": ranked.rank[place],
                    "rank_low": ranked.rank_low[place],
                    "rank_high": ranked.rank_high[place],
                    "cluster": ranked.cluster[place],
                }
                if low[place] < high[place]:
                    row |= {"ci_low": low[place], "ci_high": high[place]}
            rows.append(row)
    return rows


def _counts_of_halves(judged: Judged, seed: int) -> JudgmentCounts:
    """Return the judgments of halves of the judges, first halves first: (2 splits, n, n)."""
    n_judges = int(judged.judge.max()) + 1
    first = halves_of_judges(n_judges, seed)
    by_judge = sentence_counts(
        judged.judge, judged.first, judged.second, judged.preference, n_judges, len(judged.systems)
    )
    return resampled_counts(by_judge, np.concatenate([first, ~first]).astype(np.uint8))
