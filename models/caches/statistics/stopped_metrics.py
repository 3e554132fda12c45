"""Metrics that stopped before they had scored all requested inputs."""

from typing import Any

from maege.analysis.stored.rows import rows_to_table, table_schema
from maege.analysis.stored.stops import stops

SCHEMA = table_schema("metric varchar, reason varchar")


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    dbt.ref("metric_statistics")
    return rows_to_table(stops().items(), SCHEMA)
