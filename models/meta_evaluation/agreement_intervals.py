"""Intervals of how often metrics prefer the better of two texts, over source sentences."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.agreement_intervals import agreement_intervals


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per kind of pairs, corpus, mode, metric and error type; NULL is all types."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    counts = {
        "corrupted_edits": dbt.ref("sentence_corrupted_agreement"),
        "steps": dbt.ref("sentence_step_preferences"),
    }
    tables = []
    for pairs, of_sentences in counts.items():
        table = agreement_intervals(of_sentences, samples, level, seed)
        tables.append(table.append_column("pairs", pa.array([pairs] * len(table), pa.string())))
    return pa.concat_tables(tables)
