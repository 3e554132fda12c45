"""Corpus scores of system outputs with bootstrap intervals, for every metric and reference set.

A reference set is scored again only when its sentence scores, the signatures of the metrics or the
settings of the bootstrap changed.
"""

import hashlib
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.metrics.registry import METRICS
from analysis.rows import key_groups
from analysis.statistics.bootstrap import cluster_weights
from analysis.stored_statistics import SUMMED, score_matrix, summed_statistics
from analysis.system_scores import system_scores

SCHEMA = pa.schema(
    {
        "reference_set_key": pa.string(),
        "version": pa.string(),
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "system": pa.string(),
        "metric": pa.string(),
        "corpus_score": pa.float64(),
        "mean_sentence_score": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        # Of every bootstrap sample, the same samples for all systems of a reference set.
        "samples": pa.list_(pa.float64()),
    }
)
SET = "corpus, reference_set"
# Raised when analysis.system_scores gives other numbers for the same statistics.
VERSION = 2


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per corpus, reference set, system and metric."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    gleu_rng = dbt.config.meta_get("gleu_rng")

    draw_weights = cache(cluster_weights)
    scores = dbt.ref("system_sentence_scores")
    signatures = dict(
        dbt.ref("metric_registry")
        .filter("is_selected")
        .select("family, signature_key")
        .distinct()
        .fetchall()
    )
    settings = (VERSION, samples, level, seed, gleu_rng, sorted(signatures.items()))
    changed = _changed(dbt, session, scores, repr(settings))
    if not changed:
        return SCHEMA.empty_table()
    is_changed = "corpus || '/' || reference_set in (" + ", ".join(map(_quoted, changed)) + ")"
    statistics = summed_statistics(
        dbt.ref("system_inputs"),
        dbt.ref("metric_statistics"),
        signatures,
        is_changed,
    )
    columns = (
        scores.filter(is_changed)
        .order(f"{SET}, metric, system, sentence_id")
        .select(f"{SET}, metric, system, score")
        .to_arrow_table()
    )
    table = []
    for (*reference_set, metric), of_metric in key_groups(columns, 3):
        systems, values = score_matrix(of_metric)
        families = METRICS[metric].families if metric in METRICS else ()
        result = system_scores(
            metric,
            values,
            {name: statistics[name][tuple(reference_set)] for name in families if name in SUMMED},
            draw_weights(values.shape[1], samples, seed),
            gleu_rng,
        )
        low, high = np.quantile(result.samples, [(1 - level) / 2, (1 + level) / 2], axis=0)
        key = "/".join(reference_set)
        numbers = zip(
            systems,
            result.score,
            values.mean(axis=1),
            low,
            high,
            np.ascontiguousarray(result.samples.T),
            strict=True,
        )
        table += [
            (key, changed[key], *reference_set, system, metric, *row) for system, *row in numbers
        ]
    return pa.Table.from_pylist(
        [dict(zip(SCHEMA.names, row, strict=True)) for row in table], schema=SCHEMA
    )


def _changed(dbt: Any, session: Any, scores: Any, settings: str) -> dict[str, str]:
    """Return the version of every reference set that differs from the one scored before."""
    versions = scores.query(
        "scores",
        "select corpus || '/' || reference_set, "
        "sum(hash(system, metric, sentence_id, score)::hugeint)::varchar from scores group by all",
    ).fetchall()
    current = {
        key: hashlib.sha256(f"{content} {settings}".encode()).hexdigest()
        for key, content in versions
    }
    scored = (
        dict(session.sql(f"select distinct reference_set_key, version from {dbt.this}").fetchall())
        if dbt.is_incremental
        else {}
    )
    return {key: version for key, version in current.items() if scored.get(key) != version}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
