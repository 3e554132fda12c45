"""Intervals of the taus of each metric and its ranks, from source sentences drawn again."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.bootstrap import Floats, cluster_weights, percentile_intervals
from maege.analysis.statistics.lattice_taus import COEFFICIENTS, MEASURES, tau_samples
from maege.analysis.statistics.least_samples import (
    expanded_level,
    n_effective,
    too_few,
    with_width,
)
from maege.analysis.statistics.rank_ranges import Ranking, ranking
from maege.analysis.stored.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table

KEYS = ("corpus", "mode", "experiment", "metric")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in KEYS),
        ("n_sentences", pa.int64()),
        ("too_few", pa.string()),
        *((f"{name}_{end}", pa.float64()) for name in COEFFICIENTS for end in ("low", "high")),
        ("n_ranked", pa.int64()),
        ("n_common_pairs", pa.int64()),
        *(
            (f"{name}_{rank}", pa.int64())
            for name in MEASURES
            for rank in ("rank", "rank_low", "rank_high")
        ),
    ]
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    shares = dbt.ref("tau_shares").filter("no_rank is null").select(", ".join(KEYS)).fetchall()
    rankable = set(shares)
    rows: list[dict[str, Any]] = []
    for key, metrics, by_outcome in counts_by_sentence(dbt.ref("sentence_pair_counts")):
        weights = cluster_weights(by_outcome.shape[1], samples, seed)
        taus = tau_samples(by_outcome, weights)
        pairs = by_outcome.sum(axis=0)
        is_ranked = np.array([(*key, metric) in rankable for metric in metrics])
        ranks = _ranks(by_outcome[:, :, is_ranked], pairs.max(axis=1), weights, level)
        order = iter(range(len(metrics)))
        for column, metric in enumerate(metrics):
            n_sentences, n_pairs = int((pairs[:, column] > 0).sum()), int(pairs[:, column].sum())
            lacking = too_few(sentences=n_sentences, pairs=n_pairs)
            row: dict[str, Any] = dict(zip(KEYS, (*key, metric), strict=True))
            row |= {"n_sentences": n_sentences, "too_few": lacking}
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
            rows.append(row)
    return rows_to_table(rows, SCHEMA)


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
