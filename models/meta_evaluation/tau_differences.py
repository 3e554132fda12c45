"""Every two metrics: which orders the corrections of a sentence better, and how sure that is."""

from typing import Any

import pyarrow as pa

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.bootstrap import cluster_weights
from maege.analysis.statistics.lattice_taus import MEASURES, tau_differences
from maege.analysis.stored.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.tau_tests import TESTED, tested_family

SCHEMA = pa.schema(
    [
        *(
            (name, pa.string())
            for name in ("corpus", "mode", "experiment", "measure", "metric_a", "metric_b")
        ),
        *TESTED,
    ]
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
            # All pairs of metrics by one measure are a family.
            family = [each for each in found if each.measure == measure]
            for each, tested in zip(family, tested_family(family, n_signs), strict=True):
                rows.append((*key, measure, names[each.a], names[each.b], *tested))
    return rows_to_table(rows, SCHEMA)
