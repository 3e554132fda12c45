"""Scores of systems, corrected for incomplete references by several estimators."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import ChosenScore
from maege.analysis.stored.coverage import AdjustableScores, adjustment_rows
from maege.analysis.stored.rows import contract_schema, rows_to_table
from maege.analysis.stored.statistics import selected_signatures, summed_statistics

ADJUSTED = ("m2", "errant")


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per reference set, metric, system, estimator and subset of annotators."""
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    crowds = dict(dbt.config.meta_get("crowds"))
    signatures = selected_signatures(dbt.ref("metric_registry"))
    inputs = dbt.ref("system_inputs")
    statistics = summed_statistics(
        inputs,
        dbt.ref("metric_statistics"),
        {name: key for name, key in signatures.items() if name in ADJUSTED},
    )
    systems = _lists(inputs.select("corpus, reference_set, system").distinct())
    sets = dbt.source("raw", "reference_sets").set_alias("sets")
    positions = dbt.source("raw", "annotators").set_alias("positions")
    annotators = _lists(
        sets.join(
            positions,
            "sets.corpus = positions.corpus and sets.annotation_set = positions.annotation_set",
        ).select("sets.corpus, reference_set, annotator, positions.position"),
        "position",
    )
    curves = _curves(dbt.ref("coverage"))
    rows: list[tuple[Any, ...]] = []
    for metric, metric_statistics in sorted(statistics.items()):
        score = METRICS[metric].score
        if not isinstance(score, ChosenScore):
            continue
        for (corpus, reference_set), counts in sorted(metric_statistics.items()):
            crowd = corpus if corpus in curves else str(crowds.get(corpus))
            names = annotators.get((corpus, reference_set), [])
            if len(names) != counts.shape[2]:
                continue
            adjustable = AdjustableScores(
                corpus,
                reference_set,
                metric,
                score,
                systems[corpus, reference_set],
                names,
                np.asarray(counts, dtype=np.float64),
                curves.get(crowd, {}),
                crowd if crowd in curves else None,
            )
            rows += adjustment_rows(adjustable, level, seed)
    return rows_to_table(rows, contract_schema(dbt))


def _lists(relation: Any, order: str = "system") -> dict[tuple[str, str], list[str]]:
    lists: dict[tuple[str, str], list[str]] = {}
    for corpus, reference_set, name, *_ in relation.order(
        f"corpus, reference_set, {order}"
    ).fetchall():
        lists.setdefault((corpus, reference_set), []).append(name)
    return lists


def _curves(coverage: Any) -> dict[str, dict[str, Any]]:
    """Return the coverage curves of a crowd's sentences, one per row, by corpus and estimator."""
    curves: dict[str, dict[str, Any]] = {}
    sentences = (
        coverage.filter(
            "estimator = 'unseenest' and with_replacement "
            "and sentence_id is not null and expected_share is not null"
        )
        .aggregate(
            "corpus, measure, sentence_id, list(expected_share order by n_references) as shares"
        )
        .order("corpus, measure, sentence_id")
        .fetchall()
    )
    for corpus, measure, _, shares in sentences:
        curves.setdefault(corpus, {}).setdefault(f"crowd_{measure}", []).append(shares)
    return {
        corpus: {name: np.array(rows) for name, rows in corpus_curves.items()}
        for corpus, corpus_curves in curves.items()
    }
