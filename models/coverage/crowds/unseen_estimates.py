"""Append-only cache of estimated distributions: each histogram is solved once."""

from typing import Any

from maege.analysis.stored.caches import AppendOnlyModel
from maege.analysis.stored.coverage import (
    ESTIMATORS,
    SCHEMA,
    estimate_chunk,
    estimates_signature,
    plan_histograms,
    redraws_of,
)


def model(dbt: Any, session: Any) -> Any:
    """Return the solutions that the table lacks, for each histogram and its bootstrap resamples."""
    workers = int(dbt.config.meta_get("workers"))
    scheduler = dbt.config.meta_get("scheduler")
    redraws = int(dbt.config.meta_get("crowd_redraws"))
    seed = int(dbt.config.meta_get("seed"))
    cache = AppendOnlyModel(dbt, session, SCHEMA, "histogram, signature", workers, scheduler)
    for estimator in ESTIMATORS:
        signature = estimates_signature(estimator, redraws, seed)
        requests = dbt.ref("answer_histograms").project(f"histogram, '{signature}' as signature")
        missing = cache.missing(requests.distinct(), "histogram").column("histogram").to_pylist()
        if missing:
            cache.compute(
                f"estimating {estimator}",
                estimate_chunk,
                plan_histograms(missing, estimator, redraws, seed),
                len(missing) * (redraws_of(estimator, redraws) + 1),
            )
    return cache.new_rows()
