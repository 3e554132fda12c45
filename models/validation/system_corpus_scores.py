"""Corpus scores of system outputs with bootstrap intervals, for every metric and reference set.

A reference set is scored again only when its sentence scores, the signatures of the metrics or the
settings of the bootstrap changed.
"""

import hashlib
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.metrics.base import Family
from analysis.metrics.registry import FAMILIES, METRICS
from analysis.rows import key_groups
from analysis.statistics.bootstrap import cluster_weights
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
# Families whose statistics a corpus score sums; other metrics average sentence scores.
SUMMED = ("bleu", "source_bleu", "gleu", "m2", "errant", "imeasure", "imeasure_mix")
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
    statistics = _statistics(dbt, session, signatures, is_changed)
    columns = (
        scores.filter(is_changed)
        .order(f"{SET}, metric, system, sentence_id")
        .select(f"{SET}, metric, system, score")
        .to_arrow_table()
    )
    table = []
    for (*reference_set, metric), of_metric in key_groups(columns, 3):
        systems, values = _matrix(of_metric)
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


def _matrix(scores: pa.Table) -> tuple[list[str], np.ndarray]:
    """Return the systems of one metric, and their sentence scores as one row each."""
    systems = scores["system"].unique().to_pylist()
    values = scores["score"].to_numpy()
    if values.size % len(systems):
        raise ValueError(
            f"{scores['corpus'][0]}, {scores['metric'][0]}: found {values.size} scores of "
            f"{len(systems)} systems; expected every system to have the same sentences"
        )
    return systems, values.reshape(len(systems), -1)


def _statistics(
    dbt: Any, session: Any, signatures: dict[str, int], is_changed: str
) -> dict[str, dict[tuple[str, ...], np.ndarray]]:
    """Return each summed family's statistics by reference set, with a leading axis of systems."""
    inputs = dbt.ref("system_inputs")  # noqa: F841 (read by name in the query)
    cached = dbt.ref("metric_statistics")  # noqa: F841
    arrays: dict[str, dict[tuple[str, ...], np.ndarray]] = defaultdict(dict)
    for name in signatures.keys() & set(SUMMED):
        family = FAMILIES[name]
        hypothesis = "edits_key" if family.reads_edits else "hypothesis_text_id"
        source = "inputs.source_text_id" if family.reads_source else "0"
        references = _references_key(family)
        rows = session.sql(
            f"select {SET}, system, statistics from inputs "
            f"inner join cached on inputs.{hypothesis} = cached.hypothesis_text_id "
            f"and cached.source_text_id = {source} and cached.references_key = {references} "
            f"where cached.signature_key = {signatures[name]} and {is_changed} "
            f"order by {SET}, system, inputs.sentence_id"
        ).to_arrow_table()
        for key, of_set in key_groups(rows, 2):
            flat = of_set["statistics"].combine_chunks().flatten().to_numpy()
            n_systems = len(of_set["system"].unique())
            shape = (n_systems, of_set.num_rows // n_systems, -1, len(family.statistics))
            arrays[name][key] = flat.reshape(shape)
    return arrays


def _references_key(family: Family) -> str:
    if family.reads_edits:
        return "inputs.typed_gold_key"
    if family.reads_gold:
        return "inputs.gold_key"
    return "inputs.references_key" if family.reads_references else "0"
