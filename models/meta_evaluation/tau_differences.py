"""Every two metrics: which orders the corrections of a sentence better, and how sure that is."""

from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.tau_comparison import TauComparison, compare_taus
from maege.analysis.stored.rows import rows_to_table, stored_groups

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "mode": pa.string(),
        "experiment": pa.string(),
        "metric_a": pa.string(),
        "metric_b": pa.string(),
        "n_sentences": pa.int64(),
        "n_pairs": pa.int64(),
        "difference": pa.float64(),
        "ci_low": pa.float64(),
        "ci_high": pa.float64(),
        "p": pa.float64(),
        "decisive_difference": pa.float64(),
        "decisive_ci_low": pa.float64(),
        "decisive_ci_high": pa.float64(),
        "decisive_p": pa.float64(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and pair of metrics that share a sentence."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    counts = dbt.ref("sentence_pair_counts")
    columns = ("metric, sentence_id, concordant, discordant, tied", "metric, sentence_id")
    rows = []
    for key, group in stored_groups(counts, SCHEMA.names[:3], *columns):
        metrics, metric = np.unique(group["metric"].to_numpy(), return_inverse=True)
        sentences, sentence = np.unique(group["sentence_id"].to_numpy(), return_inverse=True)
        by_outcome = np.zeros((3, len(sentences), len(metrics)))
        for table, name in zip(by_outcome, ("concordant", "discordant", "tied"), strict=True):
            table[sentence, metric] = group[name].to_numpy()
        weights = cluster_weights(len(sentences), samples, seed)
        rows += [
            (*key, metrics[compared.a], metrics[compared.b], *_columns(compared))
            for compared in compare_taus(by_outcome, weights, level)
        ]
    return rows_to_table(rows, SCHEMA)


def _columns(compared: TauComparison) -> tuple[float, ...]:
    return compared.n_sentences, compared.n_pairs, *compared.with_ties, *compared.decisive
