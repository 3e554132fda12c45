"""The metrics that this warehouse computes, and the families of statistics they read."""

from typing import Any

import pyarrow as pa

from analysis.keys import content_key
from analysis.metrics.registry import FAMILIES, METRICS

SCHEMA = pa.schema(
    {
        "place": pa.int32(),
        "metric": pa.string(),
        "version": pa.string(),
        "signature": pa.string(),
        "inputs": pa.string(),
        "higher_is_better": pa.bool_(),
        "reference_based": pa.bool_(),
        "source": pa.string(),
        "reason": pa.string(),
        "remedy": pa.string(),
        "family": pa.string(),
        "family_signature": pa.string(),
        "signature_key": pa.int64(),
        "reads_source": pa.bool_(),
        "reads_references": pa.bool_(),
        "reads_gold": pa.bool_(),
        "reads_edits": pa.bool_(),
        "cost": pa.int32(),
        "per_reference": pa.bool_(),
        "statistics": pa.list_(pa.string()),
        "is_selected": pa.bool_(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per metric and family; is_selected: in the variable `metrics`, and can run."""
    selected = list(dbt.config.meta_get("metrics"))
    if unknown := sorted(set(selected) - set(METRICS)):
        raise ValueError(
            f"dbt_project.yml, variable metrics: found {', '.join(unknown)}; expected some of "
            f"{', '.join(METRICS)}"
        )
    rows = [
        {
            "place": place,
            "metric": metric.name,
            "version": metric.version,
            "signature": metric.signature(),
            "inputs": ", ".join(metric.inputs),
            "higher_is_better": metric.higher_is_better,
            "reference_based": metric.reference_based,
            "source": metric.source,
            "reason": metric.missing.reason if metric.missing else None,
            "remedy": metric.missing.remedy if metric.missing else None,
            "family": family.name,
            "family_signature": family.signature(),
            "signature_key": content_key(family.signature()),
            "reads_source": family.reads_source,
            "reads_references": family.reads_references,
            "reads_gold": family.reads_gold,
            "reads_edits": family.reads_edits,
            "cost": family.cost,
            "per_reference": family.per_reference,
            "statistics": family.statistics,
            "is_selected": metric.name in selected and metric.missing is None,
        }
        for place, metric in enumerate(METRICS.values())
        for family in (FAMILIES[name] for name in metric.families)
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)
