"""How sure it is that metrics prefer the better of two texts.

Intervals over source sentences, of corrupted edits and of steps; of corrupted edits also how often
random metrics prefer the valid node, on the pairs that each metric decides.
"""

from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.significance.multiple_tests import q_values
from maege.analysis.statistics.significance.random_metrics import RANDOM_METRICS, chance
from maege.analysis.stored.lattices.agreement_intervals import SCHEMA as INTERVALS
from maege.analysis.stored.lattices.agreement_intervals import agreement_intervals
from maege.analysis.stored.lattices.random_orders import COLUMNS, random_orders
from maege.analysis.stored.rows import rows_to_table, stored_groups

KEYS = ("corpus", "mode", "metric")
BY_CHANCE = ("chance_median", "chance_low", "chance_high", "chance_p_value", "chance_q_value")
SCHEMA = pa.schema(
    [
        ("pairs", pa.string()),
        *INTERVALS,
        *((name, pa.float64()) for name in BY_CHANCE),
        ("n_resamples", pa.int64()),
    ]
)
PAIRS = """
    corpus, mode, metric, sentence_id, error_type,
    pair_id as lower_text, valid_pair_id as upper_text,
    outcome <> 'tied' as is_decided, outcome = 'discordant' as is_discordant, pair_number
"""

# The columns that are known by chance, by corpus, mode, metric and error type.
Estimates = dict[tuple[str | None, ...], dict[str, Any]]


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per kind of pairs, corpus, mode, metric and error type; NULL is all types."""
    samples = int(dbt.config.meta_get("bootstrap_samples"))
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    by_chance = _by_chance(dbt.ref("scored_corrupted_pairs").select(PAIRS), level, seed)
    counts = dbt.ref("outcome_counts")
    corrupted, steps = (
        agreement_intervals(
            counts.filter(f"question = '{pairs}'"), samples, level, seed
        ).to_pylist()
        for pairs in ("corrupted_edits", "steps")
    )
    of_corrupted = (
        row | by_chance.get(tuple(row[name] for name in (*KEYS, "error_type")), {})
        for row in corrupted
    )
    rows = [
        *({"pairs": "corrupted_edits"} | row for row in of_corrupted),
        *({"pairs": "steps"} | row for row in steps),
    ]
    return rows_to_table(rows, SCHEMA)


def _by_chance(pairs: Any, level: float, seed: int) -> Estimates:
    """Return what random metrics get, where all types are the error type None.

    The metrics of an error type are a family of tests.
    """
    groups = stored_groups(pairs, KEYS, ", ".join((*COLUMNS, "error_type")), "pair_number")
    found: Estimates = {}
    for lattice, of_lattice in groupby(groups, key=lambda group: group[0][:2]):
        tables = {key[2]: table for key, table in of_lattice if not key[2].startswith(CHANCE)}
        types = {kind for table in tables.values() for kind in table["error_type"].to_pylist()}
        for error_type in (None, *sorted(types)):
            of_type = {metric: _of_type(table, error_type) for metric, table in tables.items()}
            of_type = {metric: table for metric, table in of_type.items() if table.num_rows}
            if not of_type:
                continue
            orders = random_orders(of_type, seed)
            tied = orders.n_pairs - orders.n_decided
            random, of_metric = (
                1 - (wrong + tied / 2) / orders.n_pairs
                for wrong in (orders.by_chance, orders.n_discordant)
            )
            shares = np.stack(chance(random, of_metric, level))
            shares = np.where(orders.is_enough, shares, np.nan)
            for metric, values, q_value in zip(
                of_type, shares.T, q_values(shares[-1]), strict=True
            ):
                found[(*lattice, metric, error_type)] = {
                    **dict(zip(BY_CHANCE, (*values, q_value), strict=True)),
                    "n_resamples": RANDOM_METRICS,
                }
    return found


def _of_type(table: pa.Table, error_type: str | None) -> pa.Table:
    """Return the pairs of a type, of all types where it is None, without the column of types."""
    if error_type is not None:
        table = table.filter(pc.equal(table["error_type"], error_type))
    return table.drop_columns(["error_type"])
