"""Append-only cache of human scores of systems: each judgment set is scored once."""

from typing import Any

import pyarrow as pa

from maege.analysis.stored.caches import AppendOnlyModel
from maege.analysis.stored.judgments import SCHEMA, judged_scores


def model(dbt: Any, session: Any) -> Any:
    """Return the rows of judgment sets that the table lacks."""
    requests = {
        scores.key: scores
        for scores in judged_scores(
            dbt.ref("judged_pairs"),
            dbt.ref("judged_systems"),
            dbt.source("raw", "corpora"),
            dbt.settings,
        )
    }
    cache = AppendOnlyModel(dbt, session, SCHEMA, "judgments_key", workers=1)
    keys = session.from_arrow(pa.table({"judgments_key": pa.array([*requests], pa.string())}))
    missing = [requests[key] for key in cache.missing(keys, "judgments_key")[0].to_pylist()]
    cache.keep(
        "scoring systems by human judgments",
        (scores.rows() for scores in missing),
        sum(scores.n_rows for scores in missing),
    )
    return cache.new_rows()
