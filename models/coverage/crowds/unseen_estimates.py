"""Append-only cache of estimated distributions: each histogram is solved once."""

from itertools import chain
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
    missing = {}
    for estimator in ESTIMATORS:
        signature = estimates_signature(estimator, redraws, seed)
        requests = dbt.ref("answer_histograms").project(f"histogram, '{signature}' as signature")
        rows = cache.missing(requests.distinct(), "histogram")
        missing[estimator] = rows.column("histogram").to_pylist()
    cache.compute(
        "estimating distributions of answers",
        estimate_chunk,
        chain.from_iterable(
            plan_histograms(histograms, estimator, redraws, seed)
            for estimator, histograms in missing.items()
        ),
        sum(
            len(histograms) * (redraws_of(estimator, redraws) + 1)
            for estimator, histograms in missing.items()
        ),
        rows_per_worker=2_000,
    )
    return cache.new_rows()
