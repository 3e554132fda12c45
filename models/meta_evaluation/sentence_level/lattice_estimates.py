"""What is known of each metric's correlations beside their counts.

Intervals of its taus and its ranks, from source sentences drawn again; its correlations with the
gold scores over all positions of all chains; the taus of random metrics on the pairs it decides.
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
from maege.analysis.statistics.correlations.lattice_taus import COEFFICIENTS, MEASURES, tau_samples
from maege.analysis.statistics.judgments.rank_ranges import Ranking, ranking
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
from maege.analysis.statistics.significance.random_metrics import RANDOM_METRICS, chance
from maege.analysis.stored.lattices.pair_counts import counts_by_sentence
from maege.analysis.stored.lattices.random_orders import COLUMNS, random_orders
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEYS = ("corpus", "mode", "experiment", "metric")
PEARSON = ("tokens_r", "characters_r", "within_r", "partial_r")
BY_CHANCE = ("chance_median", "chance_low", "chance_high", "chance_p_value", "chance_q_value")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in (*KEYS, "too_few")),
        *((f"{name}_{end}", pa.float64()) for name in COEFFICIENTS for end in ("low", "high")),
        ("n_ranked", pa.int64()),
        ("n_common_pairs", pa.int64()),
        *(
            (f"{name}_{rank}", pa.int64())
            for name in MEASURES
            for rank in ("rank", "rank_low", "rank_high")
        ),
        ("n_nodes", pa.int64()),
        *((name, pa.float64()) for name in PEARSON),
        *((f"{name}_{end}", pa.float64()) for name in NAMES for end in ("low", "high")),
        *((name, pa.float64()) for name in BY_CHANCE),
        ("n_resamples", pa.int64()),
    ]
)
# A node beside another source is another text.
PAIRS = """
    corpus, mode, experiment, metric, sentence_id,
    xor(source_text_id, lower_node_id) as lower_text,
    xor(source_text_id, upper_node_id) as upper_text,
    outcome <> 'tied' as is_decided, outcome = 'discordant' as is_discordant, pair_number
"""

# The columns of SCHEMA that are known of a metric, by the values of KEYS.
Estimates = dict[tuple[str, ...], dict[str, Any]]


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric that has pairs and gold scores."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    shares = dbt.ref("tau_shares").filter("no_rank is null").select(", ".join(KEYS)).fetchall()
    pair_counts = dbt.ref("outcome_counts").filter("question = 'all_pairs'")
    taus = _taus(pair_counts, set(shares), samples, level, seed)
    of_gold = _of_gold(dbt.ref("chain_scores"), samples, level, seed)
    by_chance = _by_chance(dbt.ref("scored_pairs").select(PAIRS), level, seed)
    rows = [
        dict(zip(KEYS, key, strict=True)) | taus[key] | of_gold[key] | by_chance.get(key, {})
        for key in taus
        if key in of_gold
    ]
    return rows_to_table(rows, SCHEMA)


def _taus(
    pair_counts: Any, rankable: set[tuple[str, ...]], samples: int, level: float, seed: int
) -> Estimates:
    """Return the intervals of taus, and the ranks of those that are rankable."""
    found: Estimates = {}
    for key, metrics, by_outcome in counts_by_sentence(pair_counts):
        weights = cluster_weights(by_outcome.shape[1], samples, seed)
        taus = tau_samples(by_outcome, weights)
        pairs = by_outcome.sum(axis=0)
        is_ranked = np.array([(*key, metric) in rankable for metric in metrics])
        ranks = _ranks(by_outcome[:, :, is_ranked], pairs.max(axis=1), weights, level)
        order = iter(range(len(metrics)))
        for column, metric in enumerate(metrics):
            n_sentences, n_pairs = int((pairs[:, column] > 0).sum()), int(pairs[:, column].sum())
            lacking = too_few(sentences=n_sentences, pairs=n_pairs)
            row: dict[str, Any] = {"too_few": lacking}
            for name, samples_of in zip(COEFFICIENTS, taus[:, :, column], strict=True):
                if lacking is None:
                    # In a mean over sentences all of these count alike.
                    n = n_sentences if name == "tau_macro" else n_effective(pairs[:, column])
                    bounds = percentile_intervals(
                        samples_of[:, np.newaxis], expanded_level(level, n)
                    )
                    low, high = with_width(*(float(bound[0]) for bound in bounds))
                    row |= {f"{name}_low": low, f"{name}_high": high}
            if is_ranked[column]:
                row |= ranks[next(order)] if ranks else {}
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
    drawn = tau_samples(counts, weights)
    observed = tau_samples(counts, everything)[:, 0]
    rankings: list[Ranking] = [
        ranking(drawn[place], observed[place], level) for place in range(len(MEASURES))
    ]
    return [
        {
            "n_ranked": n_metrics,
            "n_common_pairs": n_pairs,
            **{
                f"{name}_{rank}": int(getattr(found, rank)[metric])
                for name, found in zip(MEASURES, rankings, strict=True)
                for rank in ("rank", "rank_low", "rank_high")
            },
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


def _by_chance(pairs: Any, level: float, seed: int) -> Estimates:
    """Return the taus of random metrics; those of a lattice are a family of tests."""
    found: Estimates = {}
    groups = stored_groups(pairs, KEYS, ", ".join(COLUMNS), "pair_number")
    for lattice, of_lattice in groupby(groups, key=lambda group: group[0][:3]):
        of_metrics = {key[3]: table for key, table in of_lattice if not key[3].startswith(CHANCE)}
        if not of_metrics:
            continue
        orders = random_orders(of_metrics, seed)
        random, of_metric = (
            1 - 2 * wrong / orders.n_pairs for wrong in (orders.by_chance, orders.n_discordant)
        )
        taus = np.stack(chance(random, of_metric, level))
        taus = np.where(orders.is_enough, taus, np.nan)
        for metric, values, q_value in zip(of_metrics, taus.T, q_values(taus[-1]), strict=True):
            found[(*lattice, metric)] = dict(zip(BY_CHANCE, (*values, q_value), strict=True)) | {
                "n_resamples": RANDOM_METRICS
            }
    return found
