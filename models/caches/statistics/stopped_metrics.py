"""Metrics that said that they cannot be had, before they had scored all that was asked."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.caches.stops import stops

SCHEMA = pa.schema({"metric": pa.string(), "reason": pa.string()})


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per metric that this build or an earlier one stopped."""
    dbt.ref("metric_statistics")
    found = stops()
    return pa.table([list(found), list(found.values())], schema=SCHEMA)
