"""What is known of each metric's correlations beside their counts.

Intervals of its taus and its ranks, from source sentences drawn again; the test of kendall_tau_a
against chance and its interval, from random signs of sentences; its correlations with the gold
scores over all positions of all chains.
"""

from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.correlations.chain_correlation import (
    NAMES,
    correlation_intervals,
    correlations,
    sentence_sums,
)
from maege.analysis.statistics.correlations.correlation import pearson
from maege.analysis.statistics.correlations.lattice_taus import COEFFICIENTS, tau_samples
from maege.analysis.statistics.judgments.rank_ranges import ranking
from maege.analysis.statistics.samples.bootstrap import (
    Floats,
    cluster_weights,
    percentile_intervals,
)
from maege.analysis.statistics.samples.least_samples import (
    expanded_level,
    n_effective,
    too_few,
    with_width,
)
from maege.analysis.statistics.significance.multiple_tests import q_values
from maege.analysis.statistics.significance.random_signs import sign_tests
from maege.analysis.stored.lattices.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEYS = ("corpus", "mode", "experiment", "metric")
PEARSON = ("tokens_r", "characters_r", "within_r", "partial_r")
RANKS = ("rank", "rank_low", "rank_high")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in (*KEYS, "too_few")),
        *((f"{name}_{end}", pa.float64()) for name in COEFFICIENTS for end in ("low", "high")),
        ("n_ranked", pa.int64()),
        ("n_common_pairs", pa.int64()),
        *((name, pa.int64()) for name in RANKS),
        ("n_nodes", pa.int64()),
        *((name, pa.float64()) for name in PEARSON),
        *((f"{name}_{end}", pa.float64()) for name in NAMES for end in ("low", "high")),
        ("chance_p_value", pa.float64()),
        ("chance_q_value", pa.float64()),
        ("n_resamples", pa.int64()),
    ]
)

# The columns of SCHEMA that are known of a metric, by the values of KEYS.
Estimates = dict[tuple[str, ...], dict[str, Any]]


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric that has pairs and gold scores."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    shares = dbt.ref("tau_shares").filter("no_rank is null").select(", ".join(KEYS)).fetchall()
    n_signs = int(dbt.config.meta_get("test_resamples"))
    pair_counts = dbt.ref("outcome_counts").filter("question = 'all_pairs'")
    taus = _taus(pair_counts, set(shares), samples, n_signs, level, seed)
    of_gold = _of_gold(dbt.ref("chain_scores"), samples, level, seed)
    rows = [
        dict(zip(KEYS, key, strict=True)) | taus[key] | of_gold[key]
        for key in taus
        if key in of_gold
    ]
    return rows_to_table(rows, SCHEMA)


def _taus(
    pair_counts: Any,
    rankable: set[tuple[str, ...]],
    samples: int,
    n_signs: int,
    level: float,
    seed: int,
) -> Estimates:
    """Return intervals of taus, tests against chance, and the ranks of those that are rankable."""
    found: Estimates = {}
    for key, metrics, by_outcome in counts_by_sentence(pair_counts):
        weights = cluster_weights(by_outcome.shape[1], samples, seed)
        taus = tau_samples(by_outcome, weights)
        pairs = by_outcome.sum(axis=0)
        tests = sign_tests(by_outcome[0] - by_outcome[1], pairs, level, n_signs, seed)
        is_ranked = np.array([(*key, metric) in rankable for metric in metrics])
        ranks = _ranks(by_outcome[:, :, is_ranked], pairs.max(axis=1), weights, level)
        order = iter(range(len(metrics)))
        rows: list[dict[str, Any]] = []
        for column in range(len(metrics)):
            n_sentences, n_pairs = int((pairs[:, column] > 0).sum()), int(pairs[:, column].sum())
            lacking = too_few(sentences=n_sentences, pairs=n_pairs)
            row: dict[str, Any] = {"too_few": lacking}
            if lacking is None:
                bounds = {COEFFICIENTS[0]: (tests.low[column], tests.high[column])}
                for name, samples_of in zip(COEFFICIENTS[1:], taus[1:, :, column], strict=True):
                    # In a mean over sentences all of these count alike.
                    n = n_sentences if name == "tau_macro" else n_effective(pairs[:, column])
                    low, high = percentile_intervals(
                        samples_of[:, np.newaxis], expanded_level(level, n)
                    )
                    bounds[name] = low[0], high[0]
                for name, (low, high) in bounds.items():
                    row[f"{name}_low"], row[f"{name}_high"] = with_width(float(low), float(high))
            if is_ranked[column]:
                row |= ranks[next(order)] if ranks else {}
            rows.append(row)
        tested = [
            row["too_few"] is None and not metric.startswith(CHANCE)
            for metric, row in zip(metrics, rows, strict=True)
        ]
        p_values = np.where(tested, tests.p_value, np.nan)
        for metric, row, p_value, q_value in zip(
            metrics, rows, p_values, q_values(p_values), strict=True
        ):
            row |= {"chance_p_value": p_value, "chance_q_value": q_value, "n_resamples": n_signs}
            found[(*key, metric)] = row
    return found


def _ranks(
    by_outcome: Floats, comparable: Floats, weights: Any, level: float
) -> list[dict[str, int]]:
    """Return the ranks of each metric on the sentences of which all have scored every pair.

    None where these are too few.
    """
    whole = (by_outcome.sum(axis=0) == comparable[:, np.newaxis]).all(axis=1)
    common = by_outcome[:, whole]
    n_metrics, n_pairs = common.shape[2], int(comparable[whole].sum())
    if not n_metrics or too_few(sentences=int(whole.sum()), pairs=n_pairs):
        return []
    counts = np.where(whole[:, np.newaxis], by_outcome, 0.0)
    everything = np.ones((1, len(whole)))
    found = ranking(tau_samples(counts, weights)[0], tau_samples(counts, everything)[0, 0], level)
    return [
        {
            "n_ranked": n_metrics,
            "n_common_pairs": n_pairs,
            **{name: int(getattr(found, name)[metric]) for name in RANKS},
        }
        for metric in range(n_metrics)
    ]


def _of_gold(chain_scores: Any, samples: int, level: float, seed: int) -> Estimates:
    """Return Pearson correlations with the gold scores.

    The pooled r is that of both scales of the gold, all else is of the scale of the mode.
    """
    columns = (
        "score, gold_score, gold_tokens, gold_characters, n_edits, sentence_id",
        "sentence_id, chain_id, position",
    )
    found: Estimates = {}
    groups = stored_groups(chain_scores, KEYS, *columns)
    for _, of_lattice in groupby(groups, key=lambda group: group[0][:3]):
        weights: dict[int, Any] = {}
        for key, of_metric in of_lattice:
            scores, gold, tokens, characters, n_edits, sentence = (
                column.to_numpy() for column in of_metric.columns
            )
            sums = sentence_sums(scores, gold, n_edits, sentence)
            if len(sums) not in weights:
                weights[len(sums)] = cluster_weights(len(sums), samples, seed)
            _, *within = correlations(sums.sum(axis=0))
            pooled = (pearson(scores, scale).coefficient for scale in (tokens, characters))
            found[key] = {
                "n_nodes": len(scores),
                **dict(zip(PEARSON, (*pooled, *within), strict=True)),
                **_bounds(sums, weights[len(sums)], level),
            }
    return found


def _bounds(sums: NDArray[np.float64], weights: Any, level: float) -> dict[str, float]:
    if too_few(sentences=len(sums)):
        return {}
    # The first sum is the number of positions.
    lows, highs = correlation_intervals(
        sums, weights, expanded_level(level, n_effective(sums[:, 0]))
    )
    bounds: dict[str, float] = {}
    for name, low, high in zip(NAMES, lows, highs, strict=True):
        bounds[f"{name}_low"], bounds[f"{name}_high"] = with_width(low, high)
    return bounds
