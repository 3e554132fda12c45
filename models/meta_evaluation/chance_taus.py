"""The taus that random metrics get on the pairs that each metric decides."""

from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.multiple_tests import q_values
from maege.analysis.statistics.random_metrics import RANDOM_METRICS, chance
from maege.analysis.stored.random_orders import COLUMNS, random_orders
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEYS = ("corpus", "mode", "experiment", "metric")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in KEYS),
        ("chance_median", pa.float64()),
        ("chance_low", pa.float64()),
        ("chance_high", pa.float64()),
        ("chance_p_value", pa.float64()),
        ("chance_q_value", pa.float64()),
        ("n_resamples", pa.int64()),
    ]
)
# A node beside another source is another text.
PAIRS = """
    corpus, mode, experiment, metric, sentence_id,
    xor(source_text_id, lower_node_id) as lower_text,
    xor(source_text_id, upper_node_id) as upper_text,
    outcome <> 'tied' as is_decided, outcome = 'discordant' as is_discordant, pair_number
"""


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, experiment and metric."""
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    pairs = dbt.ref("scored_pairs").select(PAIRS)
    groups = stored_groups(pairs, KEYS, ", ".join(COLUMNS), "pair_number")
    rows: list[tuple[Any, ...]] = []
    for lattice, of_lattice in groupby(groups, key=lambda group: group[0][:3]):
        of_metrics = {key[3]: table for key, table in of_lattice if not key[3].startswith(CHANCE)}
        if of_metrics:
            rows += _rows(lattice, of_metrics, level, seed)
    return rows_to_table(rows, SCHEMA)


def _rows(
    lattice: tuple[str, ...], of_metrics: dict[str, pa.Table], level: float, seed: int
) -> list[tuple[Any, ...]]:
    """Return the rows of one lattice, whose metrics are a family of tests."""
    orders = random_orders(of_metrics, seed)
    by_chance, of_metric = (
        1 - 2 * wrong / orders.n_pairs for wrong in (orders.by_chance, orders.n_discordant)
    )
    found = np.stack(chance(by_chance, of_metric, level))
    found = np.where(orders.is_enough, found, np.nan)
    return [
        (*lattice, metric, *values, q_value, RANDOM_METRICS)
        for metric, values, q_value in zip(of_metrics, found.T, q_values(found[-1]), strict=True)
    ]
