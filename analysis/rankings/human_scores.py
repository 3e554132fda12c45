"""Scores that judges gave the systems, by every method, and the same in samples of sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from maege.analysis.rankings.judged import Judged
from maege.analysis.sample_weights import SampleWeights
from maege.analysis.statistics.judged_pairs import JudgmentCounts, redrawn_pairs, resampled_counts
from maege.analysis.statistics.rank_ranges import ranking
from maege.analysis.statistics.trueskill import trueskill_resamples, trueskill_runs
from maege.analysis.statistics.wins import (
    expected_wins,
    expected_wins_of_samples,
    undecided_opponents,
)

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
    skills = trueskill_runs(counts, runs, seed, THREADS)
    redrawn = ranking(
        expected_wins(redrawn_pairs(counts, len(weights), seed).wins),
        expected_wins(counts.wins),
        level,
    )
    wins = expected_wins_of_samples(resampled.wins)
    # The range of a rank is over TrueSkill's runs, as published, and over samples of sentences
    # where there are no runs.
    by_wins, by_skill = (
        ranking(wins, expected_wins(counts.wins), level),
        ranking(skills, level=level),
    )
    methods = {
        "expected_wins": (by_wins, redrawn, wins),
        "trueskill": (by_skill, by_skill, trueskill_resamples(resampled, seed, THREADS)),
    }
    judgments = (counts.wins + counts.wins.T + counts.ties).sum(axis=1)
    empty = undecided_opponents(counts.wins)
    return [
        {
            "corpus": judged.corpus,
            "judgment_set": judged.judgment_set,
            "method": method,
            "system": system,
            # Of the choice, others may have been judged alone.
            "score": ranked.score[place] if judgments[place] else None,
            "rank": ranked.rank[place],
            "rank_low": ranked.rank_low[place],
            "rank_high": ranked.rank_high[place],
            "cluster": ranked.cluster[place],
            "published_rank_low": published.rank_low[place],
            "published_rank_high": published.rank_high[place],
            "n_judgments": judgments[place],
            "n_empty_pairs": empty[place],
            "samples": samples[:, place],
            "n_samples": np.count_nonzero(~np.isnan(samples[:, place])),
        }
        for method, (ranked, published, samples) in methods.items()
        for place, system in enumerate(judged.systems)
    ]
