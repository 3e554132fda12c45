"""Metrics that stopped before they had scored all requested inputs."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.stops import stops

SCHEMA = pa.schema({"metric": pa.string(), "reason": pa.string()})


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per metric that stopped in this or an earlier build."""
    dbt.ref("metric_statistics")
    stopped = stops()
    return pa.table([list(stopped), list(stopped.values())], schema=SCHEMA)
