"""The best metrics of each task: those that are not significantly worse than the best one.

Tasks about judges use the default references and the systems `base`, or all judged systems if the
manifest has no selection `base`. Chance baselines and self-referenced metrics do not compete.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.best_metrics.judges import (
    CHOICES,
    METHOD,
    measured_agreements,
    measured_correlations,
)
from maege.analysis.best_metrics.lattices import measured_ratios, measured_rhos
from maege.analysis.best_metrics.measured import Resampling, best_rows
from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.rankings.judged import NO_REFERENCES, CorpusScores
from maege.analysis.statistics.resampling import Floats, cluster_weights
from maege.analysis.stored.judgments import (
    human_scores,
    judged_corpora,
    judged_sets,
    judged_statistics,
    scored_sets,
    system_sets,
)
from maege.analysis.stored.lattices import counts_by_sentence
from maege.analysis.stored.rows import contract_schema, rows_to_table, sql_list, stored_groups

EXPERIMENT = "experiment = 'random_source'"


def model(dbt: Any, session: Any) -> pa.Table:
    resampling = Resampling(
        dbt.settings.bootstrap_samples,
        dbt.settings.test_resamples,
        dbt.settings.confidence_level,
        dbt.settings.seed,
        dbt.settings.least_pair_coverage,
    )
    sums = dbt.ref("outcome_sums").filter(f"question = 'all_pairs' and {EXPERIMENT}")
    rankable, barred = (
        set(sums.filter(condition).select("corpus, metric").fetchall())
        for condition in ("no_rank is null", "no_rank = 'self-referenced'")
    )
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
        *_judges(dbt, resampling),
    ]
    return rows_to_table(rows, contract_schema(dbt))


def _sentences(
    counts: Any, rankable: set[tuple[str, str]], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    for (corpus, *_), metrics, by_outcome in counts_by_sentence(counts.filter(EXPERIMENT)):
        ranked = [metric for metric in metrics if (corpus, metric) in rankable]
        if not ranked:
            continue
        concordant, discordant, tied = by_outcome[:, :, [*map(metrics.index, ranked)]]
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
        right, n_pairs = np.zeros((2, len(sentences), len(metrics)))
        right[sentence, metric] = rows["n_right"].to_numpy()
        n_pairs[sentence, metric] = rows["n_pairs"].to_numpy()
        competes = [(corpus, metric) not in barred for metric in metrics.tolist()]
        if not any(competes):
            continue
        measured = measured_ratios(
            metrics[competes].tolist(), right[:, competes], n_pairs[:, competes], resampling
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
    drawn_pairs = pairs.filter(EXPERIMENT).select(
        "corpus, sentence_id, draw, expected_edits, pair_id"
    )
    scores = all_scores.filter(  # noqa: F841 (read by name in the query)
        f"not starts_with(metric, '{CHANCE}') and score is not null"
    )
    draw_scores = session.sql(
        "select metric, pair_id, direction * score as score from scores "
        "where pair_id in (select pair_id from drawn_pairs)"
    )
    scores_by_metric = {
        metric: (rows["pair_id"].to_numpy(), rows["score"].to_numpy())
        for (metric,), rows in stored_groups(draw_scores, ("metric",), "pair_id, score", "pair_id")
    }
    columns = ("sentence_id, draw, expected_edits, pair_id", "sentence_id")
    for (corpus,), rows in stored_groups(drawn_pairs, ("corpus",), *columns):
        pair, gold = _pairs_of_draws(rows)
        metrics, scores_in_draws = [], []
        for metric, (pair_ids, values) in scores_by_metric.items():
            if (corpus, metric) in barred:
                continue
            metric_scores = _draw_scores(pair[:, : n_scored.get(metric)], pair_ids, values)
            if metric_scores is not None:
                metrics.append(metric)
                scores_in_draws.append(metric_scores)
        if metrics:
            measured = measured_rhos(metrics, scores_in_draws, gold, pair.shape[1], resampling)
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


def _draw_scores(
    pair: NDArray[np.int64], pair_ids: NDArray[np.int64], values: Floats
) -> Floats | None:
    """Return a metric's scores in these draws; None if no sentence has all scores."""
    place = np.minimum(np.searchsorted(pair_ids, pair), len(pair_ids) - 1)
    scores: Floats = np.where(pair_ids[place] == pair, values[place], np.nan)
    is_complete = ~np.isnan(scores).any(axis=(1, 2))
    return scores if is_complete.any() else None


def _judges(dbt: Any, resampling: Resampling) -> Iterator[dict[str, Any]]:
    sets = dbt.ref("reference_sets").filter("is_default").select("corpus, reference_set")
    default = dict(sets.fetchall())
    judgment_sets = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judgment_sets, dbt.source("raw", "corpora"))
    shown = [NO_REFERENCES, *default.values()]
    scores = scored_sets(
        dbt.ref("judged_sentence_scores").filter(
            f"reference_set in {sql_list(shown)} and not starts_with(metric, '{CHANCE}')"
        ),
        n_sentences,
    )
    systems_by_set = system_sets(dbt.ref("judged_systems").filter("has_output"))
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    statistics = judged_statistics(
        dbt.ref("system_inputs").filter(f"reference_set in {sql_list(shown)}"),
        dbt.ref("metric_statistics"),
        dbt.ref("metric_registry"),
        n_sentences,
    )
    for corpus, number in n_sentences.items():
        metrics = [
            item
            for item in scores[corpus]
            if item.reference_set in (NO_REFERENCES, default.get(corpus))
        ]
        if not metrics:
            continue
        weights = cluster_weights(number, resampling.intervals, resampling.seed)
        corpus_scores = CorpusScores(corpus, statistics, weights, dbt.settings.gleu_rng)
        for item in (item for item in judgment_sets if item.corpus == corpus):
            key = (corpus, item.judgment_set)
            choice = next((name for name in CHOICES if name in systems_by_set.get(key, {})), None)
            if choice is None:  # no judged system has an output
                continue
            for human_choice in human.get(key, []):
                if (human_choice.system_set, human_choice.method) == (choice, METHOD):
                    measured = measured_correlations(
                        item, human_choice, metrics, corpus_scores, resampling
                    )
                    yield from best_rows("system", *key, measured, resampling.level)
            selection = item.among(systems_by_set[key][choice])
            agreements = measured_agreements(selection, metrics, resampling)
            if agreements is not None:
                yield from best_rows("output", *key, agreements, resampling.level)
