"""How often random metrics prefer the valid node, on the pairs that each metric decides."""

from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.multiple_tests import q_values
from maege.analysis.statistics.random_metrics import RANDOM_METRICS, chance
from maege.analysis.stored.random_orders import COLUMNS, random_orders
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEYS = ("corpus", "mode", "metric")
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in KEYS),
        ("error_type", pa.string()),
        ("chance_median", pa.float64()),
        ("chance_low", pa.float64()),
        ("chance_high", pa.float64()),
        ("chance_p_value", pa.float64()),
        ("chance_q_value", pa.float64()),
        ("n_resamples", pa.int64()),
    ]
)
PAIRS = """
    corpus, mode, metric, sentence_id, error_type,
    pair_id as lower_text, valid_pair_id as upper_text,
    outcome <> 'tied' as is_decided, outcome = 'discordant' as is_discordant, pair_number
"""


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, mode, metric and error type; NULL is all types together."""
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    pairs = dbt.ref("scored_corrupted_pairs").select(PAIRS)
    groups = stored_groups(pairs, KEYS, ", ".join((*COLUMNS, "error_type")), "pair_number")
    rows: list[tuple[Any, ...]] = []
    for lattice, of_lattice in groupby(groups, key=lambda group: group[0][:2]):
        tables = {key[2]: table for key, table in of_lattice if not key[2].startswith(CHANCE)}
        types = {kind for table in tables.values() for kind in table["error_type"].to_pylist()}
        for error_type in (None, *sorted(types)):
            of_type = {metric: _of_type(table, error_type) for metric, table in tables.items()}
            of_type = {metric: table for metric, table in of_type.items() if table.num_rows}
            if of_type:
                rows += _rows(lattice, error_type, of_type, level, seed)
    return rows_to_table(rows, SCHEMA)


def _of_type(table: pa.Table, error_type: str | None) -> pa.Table:
    """Return the pairs of a type, of all types where it is None, without the column of types."""
    if error_type is not None:
        table = table.filter(pc.equal(table["error_type"], error_type))
    return table.drop_columns(["error_type"])


def _rows(
    lattice: tuple[str, ...],
    error_type: str | None,
    of_metrics: dict[str, pa.Table],
    level: float,
    seed: int,
) -> list[tuple[Any, ...]]:
    """Return the rows of one error type, whose metrics are a family of tests."""
    orders = random_orders(of_metrics, seed)
    tied = orders.n_pairs - orders.n_decided
    by_chance, of_metric = (
        1 - (wrong + tied / 2) / orders.n_pairs for wrong in (orders.by_chance, orders.n_discordant)
    )
    found = np.stack(chance(by_chance, of_metric, level))
    found = np.where(orders.is_enough, found, np.nan)
    return [
        (*lattice, metric, error_type, *values, q_value, RANDOM_METRICS)
        for metric, values, q_value in zip(of_metrics, found.T, q_values(found[-1]), strict=True)
    ]
