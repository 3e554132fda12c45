"""Every two metrics at every error type: which orders its corrections better, and how sure that is.

Pairs of nodes that differ in one edit of the type, of the random-source experiment. The types of
two metrics are a family of tests: who reads both cards looks at all of them.
"""

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.lattice_taus import TauDifference, tau_differences
from maege.analysis.statistics.least_samples import too_few, with_width
from maege.analysis.statistics.multiple_tests import q_values
from maege.analysis.stored.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "measure": pa.string(),
        "metric_a": pa.string(),
        "metric_b": pa.string(),
        "error_type": pa.string(),
        "n_sentences": pa.int32(),
        "n_pairs": pa.int64(),
        "too_few": pa.string(),
        "estimate_a": pa.float64(),
        "estimate_b": pa.float64(),
        "difference": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p_value": pa.float64(),
        "q_value": pa.float64(),
        "n_resamples": pa.int32(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, measure, pair of metrics and error type."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    n_signs = int(dbt.config.meta_get("test_resamples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    deltas = dbt.ref("sentence_type_deltas").filter("mode = 'paper' and pair_rule = 'adjacent'")
    families: dict[tuple[str, ...], list[tuple[str, TauDifference]]] = defaultdict(list)
    keys = ("corpus", "mode", "error_type")
    for (corpus, mode, error_type), metrics, by_outcome in counts_by_sentence(deltas, keys):
        judged = [n for n, metric in enumerate(metrics) if not metric.startswith(CHANCE)]
        weights = cluster_weights(by_outcome.shape[1], samples, seed)
        for each in tau_differences(by_outcome[:, :, judged], weights, level, n_signs, seed):
            if not np.isnan(each.difference):
                names = (metrics[judged[each.a]], metrics[judged[each.b]])
                families[corpus, mode, each.measure, *names].append((error_type, each))
    rows = [row for key, found in families.items() for row in _rows(key, found, n_signs)]
    return rows_to_table(rows, SCHEMA)


def _rows(
    key: tuple[str, ...], found: list[tuple[str, TauDifference]], n_signs: int
) -> list[tuple[Any, ...]]:
    """Return the rows of one family: the error types of two metrics by one measure."""
    lacking = [too_few(sentences=each.n_sentences, pairs=each.n_pairs) for _, each in found]
    p = np.array(
        [np.nan if few else each.p_value for few, (_, each) in zip(lacking, found, strict=True)]
    )
    rows = []
    for (error_type, each), few, p_value, q_value in zip(
        found, lacking, p, q_values(p), strict=True
    ):
        low, high = (np.nan, np.nan) if few else with_width(each.low, each.high)
        sizes = (each.n_sentences, each.n_pairs, few)
        estimates = (each.estimate_a, each.estimate_b, each.difference)
        tested = (low, high, p_value, q_value, n_signs)
        rows.append((*key, error_type, *sizes, *estimates, *tested))
    return rows
