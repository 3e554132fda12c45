"""How stable the order of systems is, by metric and number of references."""

from typing import Any

import pyarrow as pa

from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import FamilyScore
from maege.analysis.stored.coverage import FEWEST, stability_rows
from maege.analysis.stored.rows import contract_schema, rows_to_table
from maege.analysis.stored.statistics import selected_signatures, statistics_of_sets

# Metrics that select a reference, or average over all, from statistics stored per reference.
RANKED = ("m2", "errant", "gleu", "max_sari")


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per reference set, metric, number of references and measure."""
    level, seed = dbt.settings.confidence_level, dbt.settings.seed
    registry = dbt.ref("metric_registry")
    signatures = selected_signatures(registry.filter(f"metric in {RANKED}"))
    rows: list[tuple[Any, ...]] = []
    for metric in RANKED:
        score = METRICS[metric].score
        if not isinstance(score, FamilyScore) or score.family.name not in signatures:
            continue
        family = score.family
        statistics_by_set = statistics_of_sets(
            dbt.ref("system_inputs"),
            dbt.ref("metric_statistics").filter(
                f"len(statistics) >= {FEWEST * len(family.statistics)}"
            ),
            family,
            signatures[family.name],
        )
        for (corpus, reference_set), statistics in sorted(statistics_by_set.items()):
            rows += stability_rows((corpus, reference_set, metric), score, statistics, level, seed)
    return rows_to_table(rows, contract_schema(dbt))
