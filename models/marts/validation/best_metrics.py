"""The best metrics of each task: those that are not significantly worse than the best one.

The tasks about lattices are computed here; those about judges in best_for_judges.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.best_metrics.lattices import measured_ratios, measured_rhos
from maege.analysis.best_metrics.measured import SCHEMA, Resampling, best_rows
from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.resampling import Floats
from maege.analysis.stored.lattices.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table, stored_groups

EXPERIMENT = "experiment = 'random_source'"
BARRED = "self-referenced"


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per level, corpus and metric.

    Chance baselines and self-referenced metrics do not compete.
    """
    resampling = Resampling(
        int(dbt.config.meta_get("bootstrap_samples")),
        int(dbt.config.meta_get("test_resamples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
        float(dbt.config.meta_get("least_pair_coverage")),
    )
    sums = dbt.ref("outcome_sums").filter(f"question = 'all_pairs' and {EXPERIMENT}")
    shares = sums.select("corpus, metric, no_rank").fetchall()
    rankable = {(corpus, metric) for corpus, metric, no_rank in shares if no_rank is None}
    barred = {(corpus, metric) for corpus, metric, no_rank in shares if no_rank == BARRED}
    first_draws = dbt.ref("metric_registry").filter("n_draws is not null")
    counts = dbt.ref("outcome_counts")
    rows = [
        *_sentences(counts.filter("question = 'all_pairs'"), rankable, resampling),
        *_corrupted_edits(counts.filter("question = 'corrupted_edits'"), barred, resampling),
        *_corpora(
            session,
            dbt.ref("scored_units").filter("used_in = 'sampled_corpus'"),
            dbt.ref("scores_and_chance"),
            dict(first_draws.select("metric, n_draws").distinct().fetchall()),
            barred,
            resampling,
        ),
    ]
    of_judges = dbt.ref("best_for_judges").select(", ".join(f'"{name}"' for name in SCHEMA.names))
    return pa.concat_tables([rows_to_table(rows, SCHEMA), of_judges.to_arrow_table().cast(SCHEMA)])


def _sentences(
    counts: Any, rankable: set[tuple[str, str]], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    for (corpus, *_), metrics, by_outcome in counts_by_sentence(counts.filter(EXPERIMENT)):
        ranked = [metric for metric in metrics if (corpus, metric) in rankable]
        if not ranked:
            continue
        concordant, discordant, tied = by_outcome[:, :, [metrics.index(one) for one in ranked]]
        gained, pairs = concordant - discordant, concordant + discordant + tied
        measured = measured_ratios(ranked, gained, pairs, resampling, chance=0)
        yield from best_rows("sentence", corpus, None, measured, resampling.level)


def _corrupted_edits(
    agreement: Any, barred: set[tuple[str, str]], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    pairs = agreement.filter(f"stratum is null and not starts_with(metric, '{CHANCE}')")
    columns = "metric, sentence_id, n_pairs, n_concordant + n_tied / 2 as n_right"
    for (corpus,), rows in stored_groups(pairs, ("corpus",), columns, "metric, sentence_id"):
        metrics, metric = np.unique(rows["metric"].to_numpy(), return_inverse=True)
        sentences, sentence = np.unique(rows["sentence_id"].to_numpy(), return_inverse=True)
        right, counted = np.zeros((2, len(sentences), len(metrics)))
        right[sentence, metric] = rows["n_right"].to_numpy()
        counted[sentence, metric] = rows["n_pairs"].to_numpy()
        competes = [(corpus, metric) not in barred for metric in metrics.tolist()]
        if not any(competes):
            continue
        measured = measured_ratios(
            metrics[competes].tolist(), right[:, competes], counted[:, competes], resampling
        )
        yield from best_rows("edit", corpus, None, measured, resampling.level)


def _corpora(
    session: Any,
    pairs: Any,
    all_scores: Any,
    n_scored: dict[str, int],
    barred: set[tuple[str, str]],
    resampling: Resampling,
) -> Iterator[dict[str, Any]]:
    drawn = pairs.filter(EXPERIMENT).select("corpus, sentence_id, draw, expected_edits, pair_id")
    scores = all_scores.filter(  # noqa: F841 (read by name in the query)
        f"not starts_with(metric, '{CHANCE}') and score is not null"
    )
    scored = session.sql(
        "select metric, pair_id, direction * score as score from scores "
        "where pair_id in (select pair_id from drawn)"
    )
    of_pairs = {
        metric: (rows["pair_id"].to_numpy(), rows["score"].to_numpy())
        for (metric,), rows in stored_groups(scored, ("metric",), "pair_id, score", "pair_id")
    }
    columns = ("sentence_id, draw, expected_edits, pair_id", "sentence_id")
    for (corpus,), rows in stored_groups(drawn, ("corpus",), *columns):
        pair, gold = _pairs_of_draws(rows)
        metrics, of_metrics = [], []
        for metric, (known, values) in of_pairs.items():
            if (corpus, metric) in barred:
                continue
            of_metric = n_scored[metric] if metric in n_scored else int(pair.shape[1])
            found = _in_draws(pair[:, :of_metric], known, values)
            if found is not None:
                metrics.append(metric)
                of_metrics.append(found)
        if metrics:
            measured = measured_rhos(metrics, of_metrics, gold, pair.shape[1], resampling)
            yield from best_rows("corpus", corpus, None, measured, resampling.level)


def _pairs_of_draws(rows: pa.Table) -> tuple[NDArray[np.int64], Floats]:
    """Return each scoring pair by sentence, draw and corpus, and the corpora's expected edits."""
    (_, sentence), (_, draw), (gold, corpus) = (
        np.unique(rows[name].to_numpy(), return_inverse=True)
        for name in ("sentence_id", "draw", "expected_edits")
    )
    pair = np.zeros((sentence.max() + 1, draw.max() + 1, len(gold)), np.int64)
    pair[sentence, draw, corpus] = rows["pair_id"].to_numpy()
    return pair, gold.astype(np.float64)


def _in_draws(pair: NDArray[np.int64], known: NDArray[np.int64], values: Floats) -> Floats | None:
    """Return a metric's scores of sentences in these draws; None if no sentence has all scores."""
    place = np.minimum(np.searchsorted(known, pair), len(known) - 1)
    scores: Floats = np.where(known[place] == pair, values[place], np.nan)
    whole = ~np.isnan(scores).any(axis=(1, 2))
    return scores if whole.any() else None
