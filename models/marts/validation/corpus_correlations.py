"""How well each metric ranks corpora of known quality: first draw, all draws, random orders."""

from functools import cache
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from maege.analysis.metrics.own.declared import CHANCE
from maege.analysis.statistics.correlations import spearman_of_rows
from maege.analysis.statistics.randomisation import permutation_test, random_orders_of
from maege.analysis.statistics.resampling import too_few
from maege.analysis.statistics.significance import q_values
from maege.analysis.stored.rows import contract_schema, rows_to_table, stored_groups

KEYS = ("corpus", "experiment", "metric")


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    level, seed = dbt.settings.confidence_level, dbt.settings.seed
    columns = ("* exclude (corpus, experiment, metric)", "draw")
    groups = stored_groups(dbt.ref("corpus_draws"), KEYS, *columns)
    rows: list[dict[str, Any]] = []
    for _, experiment_groups in groupby(groups, key=lambda group: group[0][:2]):
        family = [_row(key, draws, level, seed) for key, draws in experiment_groups]
        p = [row.get("chance_p_value", np.nan) for row in family]
        rows += [row | {"chance_q_value": q} for row, q in zip(family, q_values(p), strict=True)]
    return rows_to_table(rows, contract_schema(dbt))


def _row(key: tuple[str, ...], draws: pa.Table, level: float, seed: int) -> dict[str, Any]:
    first = draws.slice(0, 1).to_pylist()[0]
    rho, is_redrawn, n_models = (
        draws[name].to_numpy() for name in ("spearman_rho", "is_redrawn", "n_models")
    )
    row: dict[str, Any] = first | dict(zip(KEYS, key, strict=True))
    row["is_headline"] = row["experiment"] == "random_source"
    row |= {"n_draws": len(rho), "n_scored_draws": int((~is_redrawn).sum())}
    row["too_few"] = too_few(systems=int(n_models[0]))
    defined = rho[~np.isnan(rho)]
    if not defined.size:
        return row
    bounds = np.quantile(defined, [0.5, (1 - level) / 2, (1 + level) / 2, 0, 1], method="hazen")
    names = [f"draws_{name}" for name in ("median", "low", "high", "min", "max")]
    row |= dict(zip(names, bounds, strict=True))
    if row["too_few"] is None and not key[2].startswith(CHANCE):
        n_systems = int(n_models[0])
        by_chance = _by_chance(n_systems, seed)
        test = permutation_test(by_chance, float(bounds[0]), n_systems, level)
        row |= {f"chance_{name}": value for name, value in test._asdict().items()}
        row["n_resamples"] = len(by_chance)
    return row


@cache
def _by_chance(n_models: int, seed: int) -> NDArray[np.float64]:
    orders = random_orders_of(n_models, seed)
    return spearman_of_rows(orders, np.arange(n_models))
