"""Tests of whether one metric orders the corrections of a sentence better than another.

Over all pairs of nodes, where the pairs of metrics are a family of tests, and for every error type:
pairs of nodes of the random-source experiment that differ in one edit of the type. For error types,
the types of two metrics are a family, because a reader of both cards sees all of them.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.lattice_correlations import TauDifference, tau_differences
from maege.analysis.stored.lattices.pair_counts import counts_by_sentence
from maege.analysis.stored.lattices.tau_tests import TESTED, tested_family
from maege.analysis.stored.rows import rows_to_table

KEYS = ("corpus", "experiment")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in (*KEYS, "metric_a", "metric_b", "error_type")),
        *TESTED,
    ]
)
Pair = tuple[str, str]


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, experiment, pair of metrics and error type.

    The type is NULL for all pairs of nodes.
    """
    n_signs = int(dbt.config.meta_get("test_resamples"))
    level = float(dbt.config.meta_get("confidence_level"))
    signs = (level, n_signs, int(dbt.config.meta_get("seed")))
    families: dict[tuple[str, ...], list[tuple[Pair, str | None, TauDifference]]]
    families = defaultdict(list)
    counts = dbt.ref("outcome_counts")
    of_all = counts.filter("question = 'all_pairs'")
    for key, names, each in _differences(of_all, KEYS, *signs):
        families[key].append((names, None, each))
    deltas = counts.filter("question = 'adjacent'")
    of_types = ("corpus", "stratum")
    for (corpus, kind), names, each in _differences(deltas, of_types, *signs):
        families[corpus, "random_source", *names].append((names, kind, each))
    rows = []
    for key, tested in families.items():
        tests = tested_family([each for *_, each in tested], n_signs)
        rows += [
            (*key[:2], *names, kind, *test)
            for (names, kind, _), test in zip(tested, tests, strict=True)
        ]
    return rows_to_table(rows, SCHEMA)


def _differences(
    counts: Any, keys: tuple[str, ...], level: float, n_signs: int, seed: int
) -> Iterator[tuple[tuple[str, ...], Pair, TauDifference]]:
    """Yield each combination of the keys, every two metrics, and the result of their test."""
    for key, metrics, by_outcome in counts_by_sentence(counts, keys):
        judged = [n for n, metric in enumerate(metrics) if not metric.startswith(CHANCE)]
        for each in tau_differences(by_outcome[:, :, judged], level, n_signs, seed):
            yield key, (metrics[judged[each.a]], metrics[judged[each.b]]), each
