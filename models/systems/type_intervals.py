"""Intervals of F by error type, over the samples of sentences that system scores have."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.compare.inference.type_table import type_intervals
from maege.analysis.statistics.samples.least_samples import too_few, with_width
from maege.analysis.stored.rows import rows_to_table, stored_groups

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "reference_set": pa.string(),
        "system": pa.string(),
        "error_type": pa.string(),
        "n_sentences": pa.int32(),
        "too_few": pa.string(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per reference set, system and error type that it counts something of."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    of_sets = {
        tuple(key): np.array(sentences)
        for *key, sentences in dbt.ref("chosen_annotators")
        .filter("metric = 'errant'")
        .aggregate(
            "corpus, reference_set, list(distinct sentence_id order by sentence_id)",
            "corpus, reference_set",
        )
        .fetchall()
    }
    rows: list[tuple[Any, ...]] = []
    columns = ("error_type, sentence_id, tp, fp, fn", "error_type, sentence_id")
    groups = stored_groups(
        dbt.ref("sentence_type_counts"), ("corpus", "reference_set", "system"), *columns
    )
    for key, of_system in groups:
        sentences = of_sets[key[:2]]
        types, place = np.unique(of_system["error_type"].to_numpy(), return_inverse=True)
        tp, fp, fn = (of_system[name].to_numpy() for name in ("tp", "fp", "fn"))
        counts = np.zeros((len(sentences), len(types), 3))
        at = np.searchsorted(sentences, of_system["sentence_id"].to_numpy())
        counts[at, place] = np.stack([tp, tp + fp, tp + fn], axis=1)
        bounds = zip(*type_intervals(counts, samples, seed, level), strict=True)
        n_sentences = np.bincount(place).tolist()
        for error_type, n, (low, high) in zip(types, n_sentences, bounds, strict=True):
            few = too_few(sentences=n)
            interval = (None, None) if few else with_width(low, high)
            rows.append((*key, error_type, n, few, *interval))
    return rows_to_table(rows, SCHEMA)
