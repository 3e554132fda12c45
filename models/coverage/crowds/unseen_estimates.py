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
    redraws = dbt.settings.crowd_redraws
    cache = AppendOnlyModel(dbt, session, SCHEMA, "histogram, signature")
    missing = {}
    for estimator in ESTIMATORS:
        signature = estimates_signature(estimator, redraws, dbt.settings.seed)
        requests = dbt.ref("answer_histograms").project(f"histogram, '{signature}' as signature")
        rows = cache.missing(requests.distinct(), "histogram")
        missing[estimator] = rows.column("histogram").to_pylist()
    cache.compute(
        "estimating distributions of answers",
        estimate_chunk,
        chain.from_iterable(
            plan_histograms(histograms, estimator, redraws, dbt.settings.seed)
            for estimator, histograms in missing.items()
        ),
        sum(
            len(histograms) * (redraws_of(estimator, redraws) + 1)
            for estimator, histograms in missing.items()
        ),
        rows_per_worker=2_000,
    )
    return cache.new_rows()
