"""Intervals of shares of pairs in which a metric prefers the better text, over source sentences."""

from typing import Any

import pyarrow as pa
import scipy

from maege.analysis.stored.lattices.sentence_means import SentenceMean, sentence_means
from maege.analysis.stored.rows import rows_to_table

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


def agreement_intervals(counts: Any, samples: int, level: float, seed: int) -> pa.Table:  # noqa: ANN401
    """Return one row per corpus, mode, metric and error type; NULL is all types together.

    A tie counts as half. Of a share of 0 or 1, which no sample changes, the interval is Wilson's of
    as many sentences.

    Args:
        counts: rows of one question of the model `outcome_counts`, whose strata are error types.
        samples: how many samples of sentences to draw.
        level: the share of samples between the bounds.
        seed: of the samples.

    """
    agreeing = counts.select(
        "corpus, mode, sentence_id, metric, coalesce(stratum, '') as error_type, "
        "n_pairs as n_values, n_concordant + n_tied / 2 as total"
    )
    rows = []
    for each in sentence_means(agreeing, ("metric", "error_type"), samples, level, seed):
        *key, error_type = each.key
        rows.append((*key, error_type or None, each.too_few, *_bounds(each, level)))
    return rows_to_table(rows, SCHEMA)


def _bounds(share: SentenceMean, level: float) -> tuple[float, float]:
    if share.too_few or share.mean not in (0, 1):
        return share.low, share.high
    test = scipy.stats.binomtest(round(share.mean * share.n_sentences), share.n_sentences)
    interval = test.proportion_ci(level, method="wilson")
    return interval.low, interval.high
