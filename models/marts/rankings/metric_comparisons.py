"""Tests of whether one metric is better than another, for all pairs of metrics.

- `system`: which metric correlates better with human scores, over the judged sentences and the
  systems `base`, or all judged systems if the manifest has no selection `base`. Metrics with a
  score for every judged sentence are compared together. A metric without some scores is compared
  with each other metric on the sentences that both score.
- `sentence`: which metric orders the corrections of a sentence better, over all pairs of nodes. The
  pairs of metrics are a family of tests.
- `edit`: the same for pairs of nodes of the random-source experiment that differ in one edit, by
  its error type. The types of two metrics are a family, because a reader of both cards sees all of
  them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.rankings.judged import CorpusScores
from maege.analysis.rankings.significance import (
    Resampling,
    direction,
    significance_rows,
    with_q_values,
)
from maege.analysis.statistics.lattice_correlations import TauDifference, tau_differences
from maege.analysis.statistics.resampling import cluster_weights, too_few, with_width
from maege.analysis.stored.judgments import (
    human_scores,
    judged_corpora,
    judged_sets,
    judged_statistics,
    scored_sets,
)
from maege.analysis.stored.lattices import counts_by_sentence
from maege.analysis.stored.rows import contract_schema, rows_to_table


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    resampling = Resampling(
        dbt.settings.confidence_level,
        dbt.settings.test_resamples,
        dbt.settings.seed,
    )
    compared = _lattices(dbt.ref("outcome_counts"), resampling)
    lattices = [row for row in compared if not np.isnan(row["difference"])]
    return rows_to_table([*_systems(dbt, resampling), *lattices], contract_schema(dbt))


def _systems(dbt: Any, resampling: Resampling) -> Iterator[dict[str, Any]]:
    samples, gleu_rng = dbt.settings.bootstrap_samples, dbt.settings.gleu_rng
    judgment_sets = judged_sets(dbt.ref("judged_pairs"))
    n_sentences = judged_corpora(judgment_sets, dbt.source("raw", "corpora"))
    statistics = judged_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        dbt.ref("metric_registry"),
        n_sentences,
    )
    human = human_scores(dbt.ref("human_score_samples"), dbt.ref("judged_systems"))
    scores = scored_sets(dbt.ref("judged_sentence_scores"), n_sentences)
    corpus_scores = {
        corpus: CorpusScores(
            corpus, statistics, cluster_weights(number, samples, resampling.seed), gleu_rng
        )
        for corpus, number in n_sentences.items()
    }
    level = {"level": "system", "sentence_set": "judged", "measure": "pearson_r"}
    for judgments in judgment_sets:
        for row in significance_rows(
            judgments,
            human.get((judgments.corpus, judgments.judgment_set), []),
            scores[judgments.corpus],
            corpus_scores[judgments.corpus],
            resampling,
        ):
            yield level | row


def _lattices(counts: Any, resampling: Resampling) -> Iterator[dict[str, Any]]:
    all_pairs, by_type = (
        counts.filter(f"question = '{question}'") for question in ("all_pairs", "adjacent")
    )
    sentence_rows = (
        {"level": "sentence", "corpus": corpus, "experiment": experiment} | metrics | row
        for (corpus, experiment), metrics, row in _tests(all_pairs, "experiment", resampling)
    )
    yield from with_q_values(sentence_rows, ("corpus", "experiment"))
    edit = {"level": "edit", "experiment": "random_source"}
    edit_rows = (
        edit | {"corpus": corpus, "error_type": error_type} | metrics | row
        for (corpus, error_type), metrics, row in _tests(by_type, "stratum", resampling)
    )
    yield from with_q_values(edit_rows, ("corpus", "metric_a", "metric_b"))


def _tests(
    counts: Any, key: str, resampling: Resampling
) -> Iterator[tuple[tuple[str, ...], dict[str, str], dict[str, Any]]]:
    for keys, metrics, by_outcome in counts_by_sentence(counts, ("corpus", key)):
        tested = [n for n, metric in enumerate(metrics) if not metric.startswith(CHANCE)]
        # Comparisons on too few sentences, which are most of those by error type, have no test.
        n_signs = 0 if too_few(sentences=by_outcome.shape[1]) else resampling.swaps
        signs = (resampling.level, n_signs, resampling.seed)
        for test in tau_differences(by_outcome[:, :, tested], *signs):
            first, second = metrics[tested[test.a]], metrics[tested[test.b]]
            yield keys, {"metric_a": first, "metric_b": second}, _row(test, resampling.swaps)


def _row(test: TauDifference, n_signs: int) -> dict[str, Any]:
    missing = too_few(sentences=test.n_sentences, pairs=test.n_pairs)
    low, high = (np.nan, np.nan) if missing else with_width(test.low, test.high)
    return {
        "measure": "kendall_tau_a",
        "estimate_a": test.estimate_a,
        "estimate_b": test.estimate_b,
        "difference": test.difference,
        "ci_low": low,
        "ci_high": high,
        "p_value": np.nan if missing else test.p_value,
        "test": "random_signs",
        "n": test.n_sentences,
        "n_sentences": test.n_sentences,
        "resampled": "sentences",
        "direction": direction(test.difference),
        "n_resamples": n_signs,
        "too_few": missing,
    }
