"""Scores that judges gave the systems, and the same in samples of source sentences.

One row per judgment set, choice of systems, method and system. Judgments that involve a system
outside the choice are left out, as in published rankings of fewer systems. A sample that draws no
judgment of a system has no score of it; a choice without a judgment has no row.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from analysis.metrics.base import FloatArray
from analysis.statistics.bootstrap import cluster_weights
from analysis.statistics.expected_wins import (
    expected_wins,
    expected_wins_of_samples,
    undecided_opponents,
)
from analysis.statistics.judged_pairs import JudgmentCounts, redrawn_pairs, resampled_counts
from analysis.statistics.rank_ranges import ranking
from analysis.statistics.trueskill import trueskill_resamples, trueskill_runs
from analysis.stored.rankings import Judged, judged_sets, system_sets

THREADS = 2
SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "judgment_set": pa.string(),
        "system_set": pa.string(),
        "method": pa.string(),
        "system": pa.string(),
        "score": pa.float64(),
        "rank": pa.int32(),
        "rank_low": pa.int32(),
        "rank_high": pa.int32(),
        "cluster": pa.int32(),
        # The range as published for Expected Wins: over samples of single judgments.
        "published_rank_low": pa.int32(),
        "published_rank_high": pa.int32(),
        "n_judgments": pa.int32(),
        "n_empty_pairs": pa.int32(),
        # Of every bootstrap sample, the same samples for all that is compared with them; NULL where
        # a sample has no score.
        "samples": pa.list_(pa.float64()),
        "n_samples": pa.int32(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return the rows of every judgment set."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    runs = int(dbt.config.meta_get("trueskill_runs"))
    seed = int(dbt.config.meta_get("seed"))

    n_sentences = dict(dbt.ref("corpora").select("corpus, sentences").fetchall())
    chosen = system_sets(dbt.ref("judged_systems"))
    rows = []
    for judged in judged_sets(dbt.ref("judged_pairs")):
        weights = cluster_weights(n_sentences[judged.corpus], samples, seed)
        # Choices often hold the same systems.
        scores: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for system_set, systems in chosen[judged.corpus, judged.judgment_set].items():
            among = judged.among(systems)
            key = tuple(among.systems)
            if key not in scores:
                scores[key] = _scores(among, weights, level, runs, seed)
            rows += [row | {"system_set": system_set} for row in scores[key]]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _scores(
    judged: Judged, weights: FloatArray, level: float, runs: int, seed: int
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
            "samples": pa.array(samples[:, place], from_pandas=True),
            "n_samples": np.count_nonzero(~np.isnan(samples[:, place])),
        }
        for method, (ranked, published, samples) in methods.items()
        for place, system in enumerate(judged.systems)
    ]
