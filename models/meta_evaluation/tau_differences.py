"""Every two metrics: which orders the corrections of a sentence better, and how sure that is."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.lattice_taus import MEASURES, TauDifference, tau_differences
from maege.analysis.statistics.least_samples import too_few, with_width
from maege.analysis.statistics.multiple_tests import q_values
from maege.analysis.stored.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "experiment": pa.string(),
        "measure": pa.string(),
        "metric_a": pa.string(),
        "metric_b": pa.string(),
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
    """Return one row per corpus, mode, experiment, measure and pair of metrics."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    n_signs = int(dbt.config.meta_get("test_resamples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    rows = []
    for key, metrics, by_outcome in counts_by_sentence(dbt.ref("sentence_pair_counts")):
        judged = [n for n, metric in enumerate(metrics) if not metric.startswith(CHANCE)]
        weights = cluster_weights(by_outcome.shape[1], samples, seed)
        found = list(tau_differences(by_outcome[:, :, judged], weights, level, n_signs, seed))
        names = [metrics[n] for n in judged]
        for measure in MEASURES:
            rows += _rows(key, [each for each in found if each.measure == measure], names, n_signs)
    return rows_to_table(rows, SCHEMA)


def _rows(
    key: tuple[str, ...], found: list[TauDifference], names: list[str], n_signs: int
) -> list[tuple[Any, ...]]:
    """Return the rows of one family of tests: all pairs of metrics by one measure."""
    lacking = [too_few(sentences=each.n_sentences, pairs=each.n_pairs) for each in found]
    p = np.array(
        [np.nan if few else each.p_value for few, each in zip(lacking, found, strict=True)]
    )
    rows = []
    for each, few, p_value, q_value in zip(found, lacking, p, q_values(p), strict=True):
        low, high = (np.nan, np.nan) if few else with_width(each.low, each.high)
        sizes = (each.n_sentences, each.n_pairs, few)
        estimates = (each.estimate_a, each.estimate_b, each.difference)
        tested = (low, high, p_value, q_value, n_signs)
        rows.append((*key, each.measure, names[each.a], names[each.b], *sizes, *estimates, *tested))
    return rows
