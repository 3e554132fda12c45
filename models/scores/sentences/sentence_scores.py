"""The score of every selected metric for every (source, hypothesis, references).

Scores are computed from stored statistics only, by the formulas of the metrics' modules, as SQL.
"""

from typing import Any

from maege.analysis.metrics.gug import GugModel
from maege.analysis.metrics.own.family import model_metrics
from maege.analysis.metrics.registry import metrics_with
from maege.analysis.stored.sentence_scores import sentence_scores_query
from maege.analysis.stored.statistics import selected_signatures


def model(dbt: Any, session: Any) -> Any:
    registry = dbt.ref("metric_registry").filter("is_selected")
    empty = dbt.ref("reference_contents").filter("has_empty_reference")
    relations = {
        "registry": registry,
        "inputs": dbt.ref("scoring_inputs"),
        "cached": dbt.ref("metric_statistics"),
        "own": dbt.ref("own_pairs"),
        "empty_references": empty.select("references_key").distinct(),
    }
    # As text: relations that DuckDB resolves by their Python names took five times as long.
    sources = {name: relation.sql_query() for name, relation in relations.items()}
    scored_here = registry.filter("scored_by = 'warehouse'").select("metric").distinct()
    gug = GugModel.of(dict(dbt.source("gug", "grammaticality_coefficients").fetchall()))
    metrics = metrics_with(dbt.settings.referenceless_weights, gug) | model_metrics()
    scores = {name: metrics[name].score for (name,) in sorted(scored_here.fetchall())}
    return session.sql(sentence_scores_query(scores, selected_signatures(registry), sources))
