"""How each metric orders pairs of texts: counts, coefficients, intervals, tests and ranks.

`ci_low`, `ci_high` and the test belong to the headline estimate of the question (`outcome_counts`):

- `all_pairs`: kendall_tau_a, by random signs of source sentences. Only this question has ranks and
  correlations with the gold scores.
- `corrupted_edits`, `steps`: pairwise_accuracy, by random signs of source sentences.
- `adjacent`, `from_origin`: mean_delta, by a bootstrap over source sentences and Student's t. The
  error types of a metric are a family of tests; for other questions the metrics are.
- `shared_edits`: kendall_tau_a, by a bootstrap over source sentences, without a test.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.statistics.correlations import pearson_of_rows
from maege.analysis.statistics.lattice_correlations import (
    CHAIN_CORRELATIONS,
    chain_correlation_intervals,
    chain_correlations,
    sentence_sums,
)
from maege.analysis.statistics.resampling import (
    cluster_weights,
    expanded_level,
    n_effective,
    too_few,
    with_width,
)
from maege.analysis.statistics.significance import q_values
from maege.analysis.stored.lattices import (
    BOOTSTRAPPED,
    RANKS,
    Key,
    Row,
    SentenceMean,
    order_tests,
    sentence_means,
)
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEY = ("corpus", "question", "experiment", "metric", "stratum")
PEARSON = ("tokens_r", "characters_r", "within_r", "partial_r")
SCHEMA = pa.schema(
    {
        "too_few": pa.string(),
        **dict.fromkeys(("ci_low", "ci_high", "p_value", "q_value"), pa.float64()),
        **dict.fromkeys(("n_resamples", "n_ranked", "n_common_pairs", *RANKS), pa.int64()),
        "n_nodes": pa.int64(),
        **dict.fromkeys(PEARSON, pa.float64()),
        **{
            f"{name}_ci_{end}": pa.float64()
            for name in (*BOOTSTRAPPED, *CHAIN_CORRELATIONS)
            for end in ("low", "high")
        },
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    n_samples = dbt.settings.bootstrap_samples
    level = dbt.settings.confidence_level
    seed = dbt.settings.seed
    counts = dbt.ref("outcome_counts").select("* replace (coalesce(stratum, '') as stratum)")
    sums = dbt.ref("outcome_sums").to_arrow_table()
    listed = sums.select([*KEY, "no_rank"]).to_pylist()
    keys = [tuple(row[name] or "" for name in KEY) for row in listed]
    ranked = {key for key, row in zip(keys, listed, strict=True) if not row["no_rank"]}
    sign_counts = counts.filter("question in ('all_pairs', 'corrupted_edits', 'steps')")
    estimates = dict(
        order_tests(sign_counts, ranked, n_samples, dbt.settings.test_resamples, level, seed)
    )
    estimates |= _mean_deltas(counts, n_samples, level, seed)
    estimates |= _shared_edits(counts, n_samples, level, seed)
    for key, row in _gold_correlations(dbt.ref("chain_scores"), n_samples, level, seed):
        estimates.setdefault(key, {}).update(row)
    added = rows_to_table((estimates[key] for key in keys), SCHEMA)
    for name in SCHEMA.names:
        sums = sums.append_column(name, added[name])
    return sums


def _means(counts: Any, n_values: str, total: str, *sampling: Any) -> Iterator[SentenceMean]:
    relation = counts.select(
        f"{', '.join(KEY)}, sentence_id, {n_values} as n_values, {total} as total"
    )
    return sentence_means(relation, KEY[1:], *sampling)


def _mean_deltas(counts: Any, *sampling: Any) -> Iterator[tuple[Key, Row]]:
    deltas = counts.filter("question in ('adjacent', 'from_origin')")
    means = _means(deltas, "n_pairs", "sum_delta", *sampling)
    for _, metric_means in groupby(means, key=lambda mean: mean.key[:-1]):
        family = list(metric_means)
        q = q_values([mean.p_value for mean in family])
        for mean, q_value in zip(family, q, strict=True):
            yield mean.key, _interval(mean) | {"p_value": mean.p_value, "q_value": q_value}


def _shared_edits(counts: Any, *sampling: Any) -> Iterator[tuple[Key, Row]]:
    shared = counts.filter("question = 'shared_edits'")
    decided = shared.filter("n_concordant + n_discordant > 0")
    gain = "n_concordant - n_discordant"
    gammas = {
        mean.key: {"gamma_ci_low": mean.low, "gamma_ci_high": mean.high}
        for mean in _means(decided, "n_concordant + n_discordant", gain, *sampling)
    }
    for mean in _means(shared, "n_pairs", gain, *sampling):
        yield mean.key, _interval(mean) | gammas.get(mean.key, {})


def _interval(mean: SentenceMean) -> Row:
    return {"too_few": mean.too_few, "ci_low": mean.low, "ci_high": mean.high}


def _gold_correlations(
    chain_scores: Any, n_samples: int, level: float, seed: int
) -> Iterator[tuple[Key, Row]]:
    """Yield Pearson correlations with the gold scores over all positions of all chains.

    The pooled r uses the gold scores of both scales, the other correlations those of the lattices.
    """
    columns = (
        "score, gold_score, gold_tokens, gold_characters, n_edits, sentence_id",
        "sentence_id, chain_id, position",
    )
    groups = stored_groups(chain_scores, ("corpus", "experiment", "metric"), *columns)
    for _, lattice_groups in groupby(groups, key=lambda group: group[0][:2]):
        weights: dict[int, Any] = {}
        for (corpus, *key), metric_rows in lattice_groups:
            scores, gold, tokens, characters, n_edits, sentence = (
                column.to_numpy() for column in metric_rows.columns
            )
            sums = sentence_sums(scores, gold, n_edits, sentence)
            if len(sums) not in weights:
                weights[len(sums)] = cluster_weights(len(sums), n_samples, seed)
            _, *within_and_partial = chain_correlations(sums.sum(axis=0))
            pooled = (float(pearson_of_rows(scores, scale)) for scale in (tokens, characters))
            row: Row = dict(zip(PEARSON, (*pooled, *within_and_partial), strict=True))
            row |= {"n_nodes": len(scores)} | _bounds(sums, weights[len(sums)], level)
            yield (corpus, "all_pairs", *key, ""), row


def _bounds(sums: NDArray[np.float64], weights: Any, level: float) -> Row:
    if too_few(sentences=len(sums)):
        return {}
    # The first sum is the number of positions.
    lows, highs = chain_correlation_intervals(
        sums, weights, expanded_level(level, n_effective(sums[:, 0]))
    )
    bounds: Row = {}
    for name, low, high in zip(CHAIN_CORRELATIONS, lows, highs, strict=True):
        bounds[f"{name}_ci_low"], bounds[f"{name}_ci_high"] = with_width(low, high)
    return bounds
