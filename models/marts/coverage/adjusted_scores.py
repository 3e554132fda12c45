"""Scores of systems, corrected for incomplete references by several estimators."""

from typing import Any

import numpy as np

from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import ChosenScore
from maege.analysis.stored.coverage import AdjustableScores, adjustment_rows
from maege.analysis.stored.rows import contract_schema, rows_to_table
from maege.analysis.stored.statistics import selected_signatures, summed_statistics

ADJUSTED = ("m2", "errant")


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    signatures = selected_signatures(dbt.ref("metric_registry"))
    inputs = dbt.ref("system_inputs")
    statistics = summed_statistics(
        inputs,
        dbt.ref("metric_statistics"),
        {name: key for name, key in signatures.items() if name in ADJUSTED},
    )
    systems = _lists(inputs.select("corpus, reference_set, system").distinct(), "system")
    sets = dbt.source("raw", "reference_sets").select("corpus, annotation_set, reference_set")
    positions = dbt.source("raw", "annotators").select(
        "corpus, annotation_set, annotator, position"
    )
    annotators = _lists(sets.join(positions, "corpus, annotation_set"), "annotator", "position")
    curves = _curves(dbt.ref("coverage"))
    rows: list[tuple[Any, ...]] = []
    for metric, metric_statistics in sorted(statistics.items()):
        score = METRICS[metric].score
        if not isinstance(score, ChosenScore):
            continue
        for (corpus, reference_set), counts in sorted(metric_statistics.items()):
            crowd = corpus if corpus in curves else str(dbt.settings.crowds.get(corpus))
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
            rows += adjustment_rows(adjustable, dbt.settings.confidence_level, dbt.settings.seed)
    return rows_to_table(rows, contract_schema(dbt))


def _lists(relation: Any, name: str, order: str = "") -> dict[tuple[str, str], list[str]]:
    rows = relation.aggregate(
        f"corpus, reference_set, list({name} order by {order or name})", "corpus, reference_set"
    )
    return {(corpus, reference_set): names for corpus, reference_set, names in rows.fetchall()}


def _curves(coverage: Any) -> dict[str, dict[str, Any]]:
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
