"""Intervals of how often metrics prefer the text with one edit more, over source sentences."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.agreement_intervals import agreement_intervals


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, metric and error type; NULL is all types together."""
    return agreement_intervals(
        dbt.ref("sentence_step_preferences"),
        int(dbt.config.meta_get("bootstrap_samples")),
        float(dbt.config.meta_get("confidence_level")),
        int(dbt.config.meta_get("seed")),
    )
