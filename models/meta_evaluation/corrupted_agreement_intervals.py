"""Intervals of agreement with valid nodes against corrupted ones, over source sentences."""

from typing import Any

import pyarrow as pa
import scipy

from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.sentence_means import SentenceMean, sentence_means

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "metric": pa.string(),
        "error_type": pa.string(),
        "too_few": pa.string(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, metric and error type; NULL is all types together."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    agreeing = dbt.ref("sentence_corrupted_agreement").select(
        "corpus, mode, sentence_id, metric, coalesce(error_type, '') as error_type, "
        "n_pairs as n_values, n_concordant + n_tied / 2 as total"
    )
    rows = []
    for each in sentence_means(agreeing, ("metric", "error_type"), samples, level, seed):
        *key, error_type = each.key
        rows.append((*key, error_type or None, each.too_few, *_bounds(each, level)))
    return rows_to_table(rows, SCHEMA)


def _bounds(share: SentenceMean, level: float) -> tuple[float, float]:
    """Return the bounds; of a share of 0 or 1, which no sample changes, Wilson's of sentences."""
    if share.too_few or share.mean not in (0, 1):
        return share.low, share.high
    test = scipy.stats.binomtest(round(share.mean * share.n_sentences), share.n_sentences)
    interval = test.proportion_ci(level, method="wilson")
    return interval.low, interval.high
