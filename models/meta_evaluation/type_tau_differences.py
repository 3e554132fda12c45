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
from maege.analysis.stored.pair_counts import counts_by_sentence
from maege.analysis.stored.rows import rows_to_table
from maege.analysis.stored.tau_tests import TESTED, tested_family

SCHEMA = pa.schema(
    [
        *(
            (name, pa.string())
            for name in ("corpus", "mode", "measure", "metric_a", "metric_b", "error_type")
        ),
        *TESTED,
    ]
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
    rows = []
    for key, family in families.items():
        tests = tested_family([each for _, each in family], n_signs)
        rows += [(*key, kind, *tested) for (kind, _), tested in zip(family, tests, strict=True)]
    return rows_to_table(rows, SCHEMA)
